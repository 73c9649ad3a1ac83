import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { findOwnPath, isApiPath } from "@/lib/platform/http/api-path";

export type PathKind = "page" | "route" | "file" | "unknown";

/** Tells what a path leads to, which can be decoded and has no query. */
export interface KnownPaths {
  (path: string): PathKind;
  /** The pattern that a path of a page or route follows, such as `/api/v1/applications/[id]`; null for others. */
  readonly routeOf?: (path: string) => string | null;
}

/** What the framework's build notes of its routes; the rest is its own business. */
const routesManifest = z.object({
  caseSensitive: z.boolean(),
  staticRoutes: z.array(z.object({ page: z.string(), regex: z.string() })),
  dynamicRoutes: z.array(z.object({ page: z.string(), regex: z.string() })),
  rewrites: z.object({
    afterFiles: z.array(z.object({ source: z.string(), destination: z.string(), regex: z.string() })),
  }),
});
const pathsManifest = z.record(z.string(), z.string());

/** Pages and routes that are there to say that there is nothing. */
const unknownPages: ReadonlySet<string> = new Set([
  "/[...path]",
  "/api/v1/[[...path]]",
  "/webhooks",
  "/_not-found",
  "/_global-error",
]);

/** What can be asked for, by the framework's build (`processes.md` N10). Throws for another framework version. */
export function readKnownPaths(buildDir: string, publicDir: string): KnownPaths {
  const read = (name: string): unknown => JSON.parse(readFileSync(path.join(buildDir, name), "utf8"));
  const { caseSensitive, staticRoutes, dynamicRoutes, rewrites } = routesManifest.parse(read("routes-manifest.json"));
  const byFile = Object.entries(pathsManifest.parse(read("app-path-routes-manifest.json")));
  const pages = new Set(byFile.filter(([file]) => file.endsWith("/page")).map(([, page]) => page));
  const flags = caseSensitive ? "" : "i";
  const routes = [...staticRoutes, ...dynamicRoutes].map(({ page, regex }) => {
    const kind: PathKind = unknownPages.has(page) ? "unknown" : pages.has(page) ? "page" : "route";
    return { pattern: new RegExp(regex, flags), kind, page };
  });
  const others = rewrites.afterFiles.map((one) => ({ ...one, pattern: new RegExp(one.regex, flags) }));
  const files = new Set([
    ...listFiles(path.join(buildDir, "static")).map((file) => `/_next/static/${file}`),
    ...listFiles(publicDir).map((file) => `/${file}`),
  ]);
  const findRoute = (given: string) => {
    const wanted = findOwnPath(given) ?? given;
    // Which of the two forms the framework compares is left to it: what one of them finds is not unknown.
    for (const form of [wanted, decodeURIComponent(wanted)]) {
      for (const spelling of [form, ...rewritten(form, others)]) {
        const found = routes.find(({ pattern }) => pattern.test(spelling));
        if (found !== undefined && found.kind !== "unknown") return found;
      }
    }
    return null;
  };
  const kindOf = (given: string): PathKind => {
    if (files.has(given) || files.has(decodeURIComponent(given))) return "file";
    return findRoute(given)?.kind ?? "unknown";
  };
  return Object.assign(kindOf, { routeOf: (given: string) => findRoute(given)?.page ?? null });
}

interface Rewrite {
  readonly source: string;
  readonly destination: string;
  readonly pattern: RegExp;
}

/** The paths that a path is answered as: parameters stand in the destination by their names. */
function rewritten(wanted: string, rewrites: readonly Rewrite[]): readonly string[] {
  return rewrites.flatMap(({ source, destination, pattern }) => {
    const found = pattern.exec(wanted);
    if (found === null) return [];
    const names = [...source.matchAll(/:(\w+)/g)].map(([, name]) => name);
    return [destination.replace(/:(\w+)\*?/g, (_whole, name: string) => found[names.indexOf(name) + 1] ?? "")];
  });
}

/** All files below a folder, with slashes; none where there is no such folder. */
function listFiles(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return entries.map(({ parentPath, name }) =>
      path.relative(folder, path.join(parentPath, name)).replaceAll(path.sep, "/"),
    );
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** Kinds of requests of the console in its figures: few, whatever is asked for. */
export const requestKinds = ["page", "api", "machine", "file", "unknown"] as const;
export type RequestKind = (typeof requestKinds)[number];

/** The kind of a request. `machine`: probes, figures, bundles; `file`: scripts, pictures. A `kind` of null: unknown. */
export function requestKindOf(path: string, kind: PathKind | null): RequestKind {
  if (kind === "file" || kind === "unknown") return kind;
  if (isApiPath(path)) return /^\/api(?:\/|$)/.test(path) ? "api" : "machine";
  return kind === "route" || path.startsWith("/_next/") ? "file" : "page";
}
