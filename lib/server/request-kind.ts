import type { PathKind } from "@/lib/server/refusals/known-paths";
import { isApiPath } from "@/lib/platform/http/api-path";

/** Kinds of requests of the console in its figures: few, whatever is asked for. */
export const requestKinds = ["page", "api", "machine", "file", "unknown"] as const;
export type RequestKind = (typeof requestKinds)[number];

/**
 * The kind of a request. `machine`: probes, figures and bundles; `file`: scripts, styles and pictures of pages.
 *
 * @param kind what the path leads to, null where that is not known: a page then, unless the path says more
 */
export function requestKindOf(path: string, kind: PathKind | null): RequestKind {
  if (kind === "file" || kind === "unknown") return kind;
  if (isApiPath(path)) return /^\/api(?:\/|$)/.test(path) ? "api" : "machine";
  return kind === "route" || path.startsWith("/_next/") ? "file" : "page";
}
