import { rmSync } from "node:fs";
import path from "node:path";
import { fillDataDir } from "@/test/support/fill";
import build, { emptyDataDir, firstDataVariable } from "@/test/support/server";

/** Projects `server` and `faults`: a build of the sources, and first data that the servers under test get copies of. */
export default async function setup(): Promise<(() => void) | undefined> {
  build();
  // Of the two projects, the first one makes them.
  if (process.env[firstDataVariable] !== undefined) return undefined;
  const folders = [emptyDataDir(), emptyDataDir()];
  process.env[firstDataVariable] = folders.join(path.delimiter);
  const [without = "", withApps = ""] = folders;
  await Promise.all([fillDataDir(without, 0), fillDataDir(withApps, 0, "--example-apps")]);
  return () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true }));
}
