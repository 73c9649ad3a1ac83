import path from "node:path";
import { build } from "esbuild";
import { programs } from "@/scripts/bundle.mjs";

/** Below the packages, where Node finds them. */
export const workerFolder = path.resolve("node_modules/.cache/test-workers");

/** Global setup: bundles the worker threads of the present sources, once for a whole test run. */
export default async function setup(): Promise<void> {
  const entryPoints = Object.entries(programs.entryPoints).filter(([name]) => name.endsWith("-worker"));
  await build({
    ...programs,
    entryPoints: Object.fromEntries(entryPoints),
    outdir: workerFolder,
    outExtension: { ".js": ".mjs" },
  });
}
