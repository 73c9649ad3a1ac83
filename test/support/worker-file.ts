import path from "node:path";
import type { WorkerName } from "@/lib/platform/process/worker-file";

/** Below the packages, where Node finds them; `worker-bundles.ts` fills it. */
export const workerFolder = path.resolve("node_modules/.cache/test-workers");

/** Stands in for `lib/platform/process/worker-file.ts` in tests, which run sources that nobody has built. */
export function workerFile(name: WorkerName): string {
  return path.join(workerFolder, `${name}.mjs`);
}
