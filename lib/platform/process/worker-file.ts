import { existsSync } from "node:fs";
import path from "node:path";

export type WorkerName = "certificate-worker" | "rpc-specification-worker";

/** The compiled file of a worker thread, because processes compile nothing. Throws without a build. */
export function workerFile(name: WorkerName): string {
  const file = path.join(/* turbopackIgnore: true */ process.cwd(), "dist", `${name}.js`);
  if (existsSync(file)) return file;
  throw new Error(`dist/${name}.js is missing: run npm run build`);
}
