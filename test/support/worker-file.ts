import path from "node:path";
import type { WorkerName } from "@/lib/platform/process/worker-file";

/** Inside node_modules, so that Node finds packages; `worker-bundles.ts` fills it. */
export const workerFolder = path.resolve("node_modules/.cache/test-workers");

/** Replaces `lib/platform/process/worker-file.ts` in tests, which run sources without a build. */
export function workerFile(name: WorkerName): string {
  return path.join(workerFolder, `${name}.mjs`);
}
