import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { findOwnPath, isApiPath } from "@/lib/platform/http/api-path";

export type PathKind = "page" | "route" | "file" | "unknown";

export interface KnownPaths {
  (path: string): PathKind;
  readonly routeOf?: (path: string) => string | null;
}

const routesManifest = z.object({
  caseSensitive: z.boolean(),
  staticRoutes: z.array(z.object({ page: z.string(), regex: z.string() })),
  dynamicRoutes: z.array(z.object({ page: z.string(), regex: z.string() })),
  rewrites: z.object({
    afterFiles: z.array(z.object({ source: z.string(), destination: z.string(), regex: z.string() })),
  }),
});
const pathsManifest = z.record(z.string(), z.string());

const unknownPages: ReadonlySet<string> = new Set([
  "/[...path]",
  "/api/v1/[[...path]]",
  "/webhooks",
  "/_not-found",
  "/_global-error",
]);

/** Reads the known paths from Next's build (`processes.md` N10). Throws for another version of Next. */
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
    // Next may compare either form, so a path is only unknown if neither matches.
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

function rewritten(wanted: string, rewrites: readonly Rewrite[]): readonly string[] {
  return rewrites.flatMap(({ source, destination, pattern }) => {
    const found = pattern.exec(wanted);
    if (found === null) return [];
    const names = [...source.matchAll(/:(\w+)/g)].map(([, name]) => name);
    return [destination.replace(/:(\w+)\*?/g, (_whole, name: string) => found[names.indexOf(name) + 1] ?? "")];
  });
}

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

export const requestKinds = ["page", "api", "machine", "file", "unknown"] as const;
export type RequestKind = (typeof requestKinds)[number];

/** The kind of a request. `machine`: probes, metrics, bundles; `file`: scripts, images. A `kind` of null: unknown. */
export function requestKindOf(path: string, kind: PathKind | null): RequestKind {
  if (kind === "file" || kind === "unknown") return kind;
  if (isApiPath(path)) return /^\/api(?:\/|$)/.test(path) ? "api" : "machine";
  return kind === "route" || path.startsWith("/_next/") ? "file" : "page";
}
