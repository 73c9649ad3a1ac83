import { randomBytes } from "node:crypto";
import { mkdir, open, rename, stat } from "node:fs/promises";
import path from "node:path";
import type { Settings } from "@/lib/platform/settings";

/** Names under which bundles are kept: random, so that nobody can guess one, and nothing a path could be made of. */
const namePattern = /^[0-9a-f]{32}\.zip$/;

/**
 * Moves a bundle into `BUNDLE_DIR`. It has its name only once it is wholly on disk, so that a crash leaves no half of it.
 *
 * @param file in the same file system
 * @returns the address it is served under by `app/bundles/[name]`
 */
export async function keepBundle(
  file: string,
  { bundleDir, publicBaseUrl }: Pick<Settings, "bundleDir" | "publicBaseUrl">,
): Promise<string> {
  const name = `${randomBytes(16).toString("hex")}.zip`;
  await mkdir(/* turbopackIgnore: true */ bundleDir, { recursive: true });
  await sync(file);
  await rename(/* turbopackIgnore: true */ file, path.join(bundleDir, name));
  await sync(bundleDir);
  return `${publicBaseUrl}/bundles/${name}`;
}

/** Waits until a file, or the names in a folder, are on disk. */
async function sync(target: string): Promise<void> {
  const handle = await open(/* turbopackIgnore: true */ target, "r");
  try {
    await handle.sync();
  } catch (error) {
    // Some file systems cannot do it for folders.
    if (!(error instanceof Error && "code" in error && ["EINVAL", "EPERM", "EISDIR"].includes(String(error.code))))
      throw error;
  } finally {
    await handle.close();
  }
}

/** A bundle that is kept here. */
export interface KeptBundle {
  readonly sizeBytes: number;
  /** Its bytes; the file is open from the first piece to the last, or to the reader's end. */
  readonly read: () => AsyncGenerator<Uint8Array, undefined>;
}

/** Finds a kept bundle by what stands in its address. Null for every name that is none of ours. */
export async function findKeptBundle(name: string, bundleDir: string): Promise<KeptBundle | null> {
  if (!namePattern.test(name)) return null;
  const file = path.join(bundleDir, name);
  const found = await stat(/* turbopackIgnore: true */ file).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  });
  return found?.isFile() === true ? { sizeBytes: found.size, read: () => readPieces(file) } : null;
}

async function* readPieces(file: string): AsyncGenerator<Uint8Array, undefined> {
  const handle = await open(/* turbopackIgnore: true */ file, "r");
  try {
    for await (const piece of handle.createReadStream({ autoClose: false })) yield piece as Uint8Array;
  } finally {
    await handle.close();
  }
  return undefined;
}

/** What is said about a kept bundle, apart from the headers that all answers share. */
export function buildBundleHeaders({ sizeBytes }: KeptBundle): Readonly<Record<string, string>> {
  return {
    "Content-Type": "application/zip",
    "Content-Length": String(sizeBytes),
    "Content-Disposition": "attachment",
    // A name is never used for another file.
    "Cache-Control": "public, max-age=31536000, immutable",
  };
}
