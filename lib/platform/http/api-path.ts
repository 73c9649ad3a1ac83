import type { IncomingMessage } from "node:http";

/** Whether a path is for machines, not a page. */
export const isApiPath = (path: string): boolean =>
  /^\/(?:api|bundles|health|metrics|version|webhooks)(?:\/|$)/.test(path);

export const pathOf = ({ url = "" }: Pick<IncomingMessage, "url">): string => url.split(/[?#]/, 1)[0] ?? "";

/** The canonical path of a page with several; null: this is it. */
export function findOwnPath(pathname: string): string | null {
  // Two leading slashes would lead to another host.
  const path = pathname.replace(/^\/{2,}/, "/").replace(/(.)\/+$/, "$1");
  const own = path === "/login/basic" ? "/login" : path;
  return own === pathname ? null : own;
}
