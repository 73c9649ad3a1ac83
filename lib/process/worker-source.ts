import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import type * as Esbuild from "esbuild";

/** What a worker is started from: a file, or CommonJS text. */
export type WorkerSource = { readonly file: string } | { readonly text: string };

/** A worker thread of this server. */
export interface WorkerCode {
  /** Name of its bundle in `dist`, as in `scripts/bundle.mjs`. */
  readonly bundle: string;
  /** The folder in `lib` that holds its entry `worker.ts`. */
  readonly folder: string;
}

/**
 * Finds the code of a worker: the bundle of the build, or, in development and tests, where there is no build of the
 * present source, a bundle made on the spot.
 *
 * @param root project root; the process runs there in every host
 */
export async function findWorkerSource(root: string, code: WorkerCode): Promise<WorkerSource> {
  const file = path.join(root, "dist", `${code.bundle}.js`);
  const built = await timeOf(file);
  const folder = path.join(root, "lib", code.folder);
  const edited = await newestIn(folder);
  if (built !== null && (edited === null || edited <= built)) return { file };
  const text = await bundleEntry(path.join(folder, "worker.ts"), root);
  if (text !== null) return { text };
  // Without the bundler this is a production install: what was built is what there is.
  if (built !== null) return { file };
  throw new Error(`a worker is not built: dist/${code.bundle}.js is missing`);
}

async function bundleEntry(entry: string, root: string): Promise<string | null> {
  const esbuild = await loadBundler();
  if (esbuild === null || (await timeOf(entry)) === null) return null;
  const { outputFiles } = await esbuild.build({
    entryPoints: [entry],
    absWorkingDir: root,
    bundle: true,
    write: false,
    platform: "node",
    format: "cjs",
    target: "node20",
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? null;
}

/** A tool of development: not there in production, and never part of a bundle. */
async function loadBundler(): Promise<Pick<typeof Esbuild, "build"> | null> {
  try {
    return await import(/* turbopackIgnore: true */ /* webpackIgnore: true */ /* @vite-ignore */ "esbuild");
  } catch {
    return null;
  }
}

async function timeOf(file: string): Promise<number | null> {
  return stat(/* turbopackIgnore: true */ file).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );
}

async function newestIn(folder: string): Promise<number | null> {
  const names = await readdir(/* turbopackIgnore: true */ folder).catch(() => []);
  const times = await Promise.all(names.map((name) => timeOf(path.join(folder, name))));
  return times.reduce<number | null>((best, time) => (time === null ? best : Math.max(best ?? 0, time)), null);
}
