import type { IncomingMessage } from "node:http";

/** Whether a path is for machines, not a page. */
export const isApiPath = (path: string): boolean =>
  /^\/(?:api|bundles|health|metrics|version|webhooks)(?:\/|$)/.test(path);

export const pathOf = ({ url = "" }: Pick<IncomingMessage, "url">): string => url.split(/[?#]/, 1)[0] ?? "";

/** An address without the slashes at its end, but for a single one that is all of it. */
export function withoutEndSlashes(address: string): string {
  let end = address.length;
  while (end > 1 && address.endsWith("/", end)) end--;
  return address.slice(0, end);
}

/** The canonical path of a page with several; null: this is it. */
export function findOwnPath(pathname: string): string | null {
  let from = 0;
  // Two leading slashes would lead to another host.
  while (pathname.startsWith("//", from)) from++;
  const path = withoutEndSlashes(pathname.slice(from));
  const own = path === "/login/basic" ? "/login" : path;
  return own === pathname ? null : own;
}
