/**
 * A path of this server from a text that anybody may have put into a link; `fallback` for everything else, so that a
 * login never ends on another site (`//host`, `/\host`, other schemes).
 */
export function buildSafePath(text: unknown, fallback = "/"): string {
  const base = "http://localhost";
  if (typeof text !== "string" || !text.startsWith("/") || !URL.canParse(text, base)) return fallback;
  const { origin, pathname, search, hash } = new URL(text, base);
  // The parser has resolved backslashes and dots: only what it read counts.
  const path = `${pathname}${search}${hash}`;
  if (origin !== base || path.startsWith("//") || /^\/(login|api)(?:\/|$)/.test(pathname)) return fallback;
  return path;
}

/** Where to sign in, coming back to `path` afterwards. */
export function buildLoginPath(path: string | null): string {
  const redirect = buildSafePath(path);
  return redirect === "/" ? "/login" : `/login?${new URLSearchParams({ redirect }).toString()}`;
}
