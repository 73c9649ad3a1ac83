import type { IncomingMessage } from "node:http";

/** Whether a path belongs to machines, and not to a page. */
export const isApiPath = (path: string): boolean =>
  /^\/(?:api|bundles|health|metrics|version|webhooks)(?:\/|$)/.test(path);

/** The path of a request, without its query. */
export const pathOf = ({ url = "" }: Pick<IncomingMessage, "url">): string => url.split(/[?#]/, 1)[0] ?? "";
