/** What scripts of other origins may do (`api.md` 0.7): read responses (`simple`), also `POST` (`preflight`). */
export type Cors = "simple" | "preflight";

/** Headers of every response on a path that other origins may read, including errors. */
export const corsHeaders: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Origin": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** Headers of a preflight response: every requested header is allowed. */
export function buildPreflightHeaders(requested: string | null): Readonly<Record<string, string>> {
  return {
    ...corsHeaders,
    "Access-Control-Allow-Methods": "POST",
    Vary: "Access-Control-Request-Headers",
    ...(requested === null ? {} : { "Access-Control-Allow-Headers": requested }),
  };
}
