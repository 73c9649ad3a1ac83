import { build } from "esbuild";
import { programs, workers } from "@/scripts/bundle.mjs";
import { workerFolder } from "@/test/support/worker-file";

/** Global setup: bundles the worker threads of the present sources, once for a whole test run. */
export default async function setup(): Promise<void> {
  await build({ ...programs, entryPoints: workers, outdir: workerFolder, outExtension: { ".js": ".mjs" } });
}
