import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { isOtherProcess } from "@/lib/platform/process/run-time";
import type { Settings } from "@/lib/platform/settings";

type Folders = Pick<Settings, "bundleHandler" | "bundleDir" | "dataDir">;

/** A file that has not been written for this long is abandoned, because no bundle takes as long. */
const abandonedMs = 600_000;
const namePattern = /^([\w-]+)\.(\d+)\.([0-9a-f]{16})\.[0-9a-f]{16}\.part$/;

const instance = randomBytes(8).toString("hex");
const host = hostname().replaceAll(/[^\w-]/g, "_") || "host";

/** The folder for downloads, on the same file system as stored bundles, so that files can be renamed into place. */
function folderOf({ bundleHandler, bundleDir, dataDir }: Folders): string {
  return bundleHandler === "local" ? path.join(bundleDir, ".incoming") : path.join(dataDir, "incoming-bundles");
}

/** Always removes the file afterwards. */
export async function withTemporaryFile<T>(folders: Folders, work: (file: string) => Promise<T>): Promise<T> {
  const folder = folderOf(folders);
  await mkdir(/* turbopackIgnore: true */ folder, { recursive: true, mode: 0o700 });
  // The name identifies the owning process.
  const name = `${host}.${process.pid}.${instance}.${randomBytes(8).toString("hex")}.part`;
  const file = path.join(folder, name);
  try {
    return await work(file);
  } finally {
    await rm(/* turbopackIgnore: true */ file, { force: true });
  }
}

/** Call it at start. Keeps files of other processes, because several that still run may share the folder. */
export async function removeLeftoverBundles(folders: Folders): Promise<number> {
  const folder = folderOf(folders);
  const names = await readdir(/* turbopackIgnore: true */ folder).catch(() => []);
  let count = 0;
  for (const name of names) {
    const file = path.join(folder, name);
    if (!(await isLeftover(name, file))) continue;
    await rm(/* turbopackIgnore: true */ file, { force: true });
    count += 1;
  }
  return count;
}

async function isLeftover(name: string, file: string): Promise<boolean> {
  const [, owner, pid, ownerInstance] = namePattern.exec(name) ?? [];
  if (owner === undefined || ownerInstance === instance) return false;
  if (owner === host && !isOtherProcess(Number(pid))) return true;
  const { mtimeMs } = await stat(/* turbopackIgnore: true */ file).catch(() => ({ mtimeMs: Infinity }));
  return Date.now() - mtimeMs > abandonedMs;
}
