import { ownSiteOnly, securityHeaders } from "@/lib/platform/http/headers/security-headers";
import { loadSettings } from "@/lib/platform/settings";

export function buildSharedHeaders(): Readonly<Record<string, string>> {
  return { ...securityHeaders(isTlsOn()), ...ownSiteOnly };
}

/** Unreadable settings may be the error to report, so they must not prevent the response. */
function isTlsOn(): boolean {
  try {
    return loadSettings().tls !== null;
  } catch {
    return false;
  }
}

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
