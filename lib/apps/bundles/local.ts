import { randomBytes } from "node:crypto";
import { mkdir, open, rename, stat } from "node:fs/promises";
import path from "node:path";
import type { Settings } from "@/lib/platform/settings";

/** Names of stored bundles: random, so that nobody can guess one, and without path characters. */
const namePattern = /^[0-9a-f]{32}\.zip$/;

/** Renames the file once it is completely on disk, so that a crash leaves no partial bundle. */
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

async function sync(target: string): Promise<void> {
  const handle = await open(/* turbopackIgnore: true */ target, "r");
  try {
    await handle.sync();
  } catch (error) {
    // Some file systems cannot sync folders.
    if (!(error instanceof Error && "code" in error && ["EINVAL", "EPERM", "EISDIR"].includes(String(error.code))))
      throw error;
  } finally {
    await handle.close();
  }
}

export interface KeptBundle {
  readonly sizeBytes: number;
  /** Its bytes. The file is open from the first piece to the last, or until the reader stops. */
  readonly read: () => AsyncGenerator<Uint8Array, undefined>;
}

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

export function buildBundleHeaders({ sizeBytes }: KeptBundle): Readonly<Record<string, string>> {
  return {
    "Content-Type": "application/zip",
    "Content-Length": String(sizeBytes),
    "Content-Disposition": "attachment",
    // A name is never reused for another file.
    "Cache-Control": "public, max-age=31536000, immutable",
  };
}
