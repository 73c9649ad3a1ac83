import path from "node:path";
import type { WorkerName } from "@/lib/process/worker-file";
import { workerFolder } from "@/test/support/worker-bundles";

/** Stands in for `lib/process/worker-file.ts` in tests, which run sources that nobody has built. */
export function workerFile(name: WorkerName): string {
  return path.join(workerFolder, `${name}.mjs`);
}
