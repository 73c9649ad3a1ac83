import { build } from "esbuild";
import { programs, workers } from "@/scripts/bundle.mjs";
import { workerFolder } from "@/test/support/worker-file";

/** Global setup: bundles the worker threads from the current sources, once per test run. */
export default async function setup(): Promise<void> {
  await build({ ...programs, entryPoints: workers, outdir: workerFolder, outExtension: { ".js": ".mjs" } });
}
