import type { PathKind } from "@/lib/server/refusals/known-paths";
import { isApiPath } from "@/lib/platform/http/api-path";

/** Kinds of requests of the console in its figures: few, whatever is asked for. */
export const requestKinds = ["page", "api", "machine", "file", "unknown"] as const;
export type RequestKind = (typeof requestKinds)[number];

/**
 * The kind of a request. `machine`: probes, figures, bundles; `file`: scripts, styles, pictures.
 * @param kind what the path leads to; null: unknown, so a page unless the path says more
 */
export function requestKindOf(path: string, kind: PathKind | null): RequestKind {
  if (kind === "file" || kind === "unknown") return kind;
  if (isApiPath(path)) return /^\/api(?:\/|$)/.test(path) ? "api" : "machine";
  return kind === "route" || path.startsWith("/_next/") ? "file" : "page";
}
