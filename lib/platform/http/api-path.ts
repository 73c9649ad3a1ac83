import type { IncomingMessage } from "node:http";

/** Whether a path belongs to machines, and not to a page. */
export const isApiPath = (path: string): boolean =>
  /^\/(?:api|bundles|health|metrics|version|webhooks)(?:\/|$)/.test(path);

export const pathOf = ({ url = "" }: Pick<IncomingMessage, "url">): string => url.split(/[?#]/, 1)[0] ?? "";

/** The one address of a page that has several; null for a path that is the one. */
export function findOwnPath(pathname: string): string | null {
  // Two slashes at the beginning would lead to another host.
  const path = pathname.replace(/^\/{2,}/, "/").replace(/(.)\/+$/, "$1");
  const own = path === "/login/basic" ? "/login" : path;
  return own === pathname ? null : own;
}
