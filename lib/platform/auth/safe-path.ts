/** Turns untrusted text into a path of this server; `fallback` if it leads elsewhere (`//host`, `/\host`). */
export function buildSafePath(text: unknown, fallback = "/"): string {
  const base = "http://localhost";
  if (typeof text !== "string" || !text.startsWith("/") || !URL.canParse(text, base)) return fallback;
  const { origin, pathname, search, hash } = new URL(text, base);
  // The parser resolves backslashes and dots, so only its result is used.
  const path = `${pathname}${search}${hash}`;
  if (origin !== base || path.startsWith("//") || /^\/(login|api)(?:\/|$)/.test(pathname)) return fallback;
  return path;
}

export function buildLoginPath(path: string | null): string {
  const redirect = buildSafePath(path);
  return redirect === "/" ? "/login" : `/login?${new URLSearchParams({ redirect }).toString()}`;
}
