import { existsSync } from "node:fs";
import path from "node:path";

/** The worker threads of this server, as `scripts/bundle.mjs` names their bundles. */
export type WorkerName = "certificate-worker" | "rpc-specification-worker" | "directory-answer-worker";

/**
 * The program of a worker thread: what the build made, and nothing else. No process of this server compiles anything.
 *
 * @returns an absolute path; every process runs in the folder of the program
 * @throws where there is no build
 */
export function workerFile(name: WorkerName): string {
  const file = path.join(/* turbopackIgnore: true */ process.cwd(), "dist", `${name}.js`);
  if (existsSync(file)) return file;
  throw new Error(`dist/${name}.js is missing: run npm run build`);
}
