import { existsSync } from "node:fs";
import path from "node:path";

/** The worker threads of this server, as `scripts/bundle.mjs` names their bundles. */
export type WorkerName = "certificate-worker" | "rpc-specification-worker";

/** The built program of a worker thread: no process compiles anything. Throws without a build. */
export function workerFile(name: WorkerName): string {
  const file = path.join(/* turbopackIgnore: true */ process.cwd(), "dist", `${name}.js`);
  if (existsSync(file)) return file;
  throw new Error(`dist/${name}.js is missing: run npm run build`);
}
