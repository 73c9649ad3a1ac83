/** What scripts of other origins may do (`api.md` 0.7): read responses (`simple`), also `POST` (`preflight`). */
export type Cors = "simple" | "preflight";

/** Headers of every response on a path that other origins may read, including errors. */
export const corsHeaders: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Origin": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/**
 * Headers of a preflight response: every requested header is allowed, and so are pages on a public address if this server
 * is on a private one (Private Network Access).
 *
 * @param asked a header of the request, by its lower-case name
 */
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
