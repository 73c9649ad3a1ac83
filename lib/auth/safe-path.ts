/**
 * A path of this server to go to after a login, from a text that anybody may have put into a link; `/` for everything
 * else, so that a login never ends on another site (`//host`, `/\host`, other schemes).
 */
export function buildSafePath(text: unknown): string {
  const base = "http://localhost";
  if (typeof text !== "string" || !text.startsWith("/") || !URL.canParse(text, base)) return "/";
  const { origin, pathname, search, hash } = new URL(text, base);
  // The parser has resolved backslashes and dots: only what it read counts.
  const path = `${pathname}${search}${hash}`;
  if (origin !== base || path.startsWith("//") || /^\/(login|api)(?:\/|$)/.test(pathname)) return "/";
  return path;
}

/** Where to sign in, coming back to `path` afterwards. */
export function buildLoginPath(path: string | null): string {
  const next = buildSafePath(path);
  return next === "/" ? "/login" : `/login?${new URLSearchParams({ next }).toString()}`;
}
