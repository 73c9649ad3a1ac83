import { ownSiteOnly, securityHeaders } from "@/lib/platform/http/headers/security-headers";
import { loadSettings } from "@/lib/platform/settings";

/** The headers of every answer under the settings of this process (`api.md` 0.9). */
export function buildSharedHeaders(): Readonly<Record<string, string>> {
  return { ...securityHeaders(isTlsOn()), ...ownSiteOnly };
}

/** Settings that cannot be read may be the very failure being answered; they must not prevent the answer. */
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
