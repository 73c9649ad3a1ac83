/** A path of this server from a text of anybody's; `fallback` for all that leads elsewhere (`//host`, `/\host`). */
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
