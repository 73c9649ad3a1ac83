/** The one address of a page that has several; null for a path that is the one. */
export function findOwnPath(pathname: string): string | null {
  // Two slashes at the beginning would lead to another host.
  const path = pathname.replace(/^\/{2,}/, "/").replace(/(.)\/+$/, "$1");
  const own = path === "/login/basic" ? "/login" : path;
  return own === pathname ? null : own;
}
