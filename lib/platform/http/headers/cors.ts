/** What scripts of other origins may do (`api.md` 0.7): read answers (`simple`), also `POST` (`preflight`). */
export type Cors = "simple" | "preflight";

/** Headers on every answer of a path that other origins may read, errors included. */
export const corsHeaders: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Origin": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** Headers of the answer to a preflight: any header asked for is allowed. */
export function buildPreflightHeaders(requested: string | null): Readonly<Record<string, string>> {
  return {
    ...corsHeaders,
    "Access-Control-Allow-Methods": "POST",
    Vary: "Access-Control-Request-Headers",
    ...(requested === null ? {} : { "Access-Control-Allow-Headers": requested }),
  };
}
