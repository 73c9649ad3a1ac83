import type { IncomingMessage } from "node:http";

export const isApiPath = (path: string): boolean =>
  /^\/(?:api|bundles|health|metrics|version|webhooks)(?:\/|$)/.test(path);

export const pathOf = ({ url = "" }: Pick<IncomingMessage, "url">): string => url.split(/[?#]/, 1)[0] ?? "";

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
