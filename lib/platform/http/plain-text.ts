import { buildSharedHeaders } from "@/lib/platform/http/headers/shared-headers";

/** Builds a plain text answer, for the probes outside of the API. */
export function buildPlainText(text: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(text, {
    headers: {
      ...buildSharedHeaders(),
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
      ...headers,
    },
  });
}
