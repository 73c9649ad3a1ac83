import path from "node:path";
import { build } from "esbuild";
import { programs, workers } from "@/scripts/bundle.mjs";

/** Below the packages, where Node finds them. */
export const workerFolder = path.resolve("node_modules/.cache/test-workers");

/** Global setup: bundles the worker threads of the present sources, once for a whole test run. */
export default async function setup(): Promise<void> {
  await build({ ...programs, entryPoints: workers, outdir: workerFolder, outExtension: { ".js": ".mjs" } });
}
