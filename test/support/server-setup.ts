import { rmSync } from "node:fs";
import path from "node:path";
import { fillDataDir } from "@/test/support/fill";
import { startSecondEngine, usesSecondEngine } from "@/test/support/second-engine";
import build, { emptyDataDir, engineVariable, firstDataVariable } from "@/test/support/server";

export default async function setup(): Promise<(() => void | Promise<void>) | undefined> {
  build();
  if (usesSecondEngine) return startEngine();
  // The first of the two projects creates them.
  if (process.env[firstDataVariable] !== undefined) return undefined;
  const folders = [emptyDataDir(), emptyDataDir()];
  process.env[firstDataVariable] = folders.join(path.delimiter);
  const [without = "", withApps = ""] = folders;
  await Promise.all([fillDataDir(without, 0), fillDataDir(withApps, 0, "--example-apps")]);
  return () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true }));
}

/** On the second engine every server creates its own first data: only the embedded database can copy folders. */
async function startEngine(): Promise<() => Promise<void>> {
  const folder = emptyDataDir();
  const engine = await startSecondEngine(folder);
  process.env[engineVariable] = engine.uri;
  return async () => {
    await engine.kill();
    rmSync(folder, { recursive: true, force: true });
  };
}
