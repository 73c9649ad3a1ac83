import { build } from "esbuild";
import { programs, workers } from "@/scripts/bundle.mjs";
import { workerFolder } from "@/test/support/worker-file";

export default async function setup(): Promise<void> {
  await build({ ...programs, entryPoints: workers, outdir: workerFolder, outExtension: { ".js": ".mjs" } });
}
