/** What scripts of other origins may do (`api.md` 0.7): read responses (`simple`), also `POST` (`preflight`). */
export type Cors = "simple" | "preflight";

export const corsHeaders: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Origin": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** Allows every requested header, and access from public pages to a private address (Private Network Access). */
export function buildPreflightHeaders(
  asked: (name: string) => string | null | undefined,
): Readonly<Record<string, string>> {
  const requested = asked("access-control-request-headers");
  const isFromPublicPage = asked("access-control-request-private-network") === "true";
  return {
    ...corsHeaders,
    "Access-Control-Allow-Methods": "POST",
    Vary: "Access-Control-Request-Headers",
    ...(requested && { "Access-Control-Allow-Headers": requested }),
    ...(isFromPublicPage && { "Access-Control-Allow-Private-Network": "true" }),
  };
}
