import { createHash, type Hash, randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Containers } from "@/lib/certificates/module/module-containers";
import { log } from "@/lib/platform/log";
import { decodeSnapshot, encodeSnapshot, readOrigin, type SnapshotOrigin } from "@/lib/policy/saved/snapshot-parts";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";

const fileName = "policy-snapshot.json";
/** The previous generation, in case the file is damaged. */
const previousName = "policy-snapshot.previous.json";

export interface SavedSnapshot extends PolicySnapshot {
  /** Undefined if unknown. */
  readonly origin?: SnapshotOrigin;
  readonly containers?: Containers;
}

/**
 * The last two lines are a checksum of the rest, and when the snapshot was confirmed (rules K6, K7). The file replaces
 * the old one once it is safely on disk, so a crash leaves one of the two. The old one stays as the previous
 * generation unless it belongs to another database. Throws if the folder is not writable.
 */
export async function saveSnapshotFile(
  dataDir: string,
  snapshot: PolicySnapshot,
  { databaseId, confirmedAt }: SnapshotOrigin = { databaseId: null, confirmedAt: null },
  containers: Containers = {},
): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const [path, previous] = [join(dataDir, fileName), join(dataDir, previousName)];
  const draft = join(dataDir, `${fileName}.${randomUUID()}`);
  try {
    // Policy tables contain the key of the module config's certificate, so only the owner may read the file.
    const file = await open(draft, "wx", 0o600);
    try {
      const checksum = createHash("sha256");
      for (const part of encodeSnapshot(snapshot, databaseId, containers)) {
        checksum.update(part);
        await file.write(part);
      }
      await file.write(checksumLine(checksum) + confirmedLine(confirmedAt));
      await file.sync();
    } finally {
      await file.close();
    }
    if (((await readOriginOf(path))?.databaseId ?? null) === databaseId)
      await rename(path, previous).catch(unlessMissing);
    // Data of another database must never be served in place of this one.
    else await rm(previous, { force: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dataDir);
}

/** Overwrites bytes at the end, so it can be done often; a crash corrupts only the time. Throws without a file. */
export async function confirmSnapshotFile(dataDir: string, at: number): Promise<void> {
  const file = await open(join(dataDir, fileName), "r+");
  try {
    const line = Buffer.from(confirmedLine(at));
    const position = (await file.stat()).size - line.length;
    const { buffer } = await file.read(Buffer.alloc(line.length), 0, line.length, Math.max(0, position));
    if (!buffer.subarray(0, confirmedStart.length).equals(confirmedStart)) throw new Error("not the end of a snapshot");
    await file.write(line, 0, line.length, position);
  } finally {
    await file.close();
  }
}

/** The saved snapshot, or the previous generation; null if neither is usable: then vehicles wait for the database. */
export async function loadSnapshotFile(
  dataDir: string,
  warn: (reason: string) => void = (reason) => {
    log.warn({ reason }, "the policy kept on disk cannot be used");
  },
): Promise<Required<SavedSnapshot> | null> {
  for (const name of [fileName, previousName]) {
    try {
      return await readSnapshot(join(/* turbopackIgnore: true */ dataDir, name));
    } catch (error) {
      if (!isMissing(error)) warn(error instanceof Error ? error.message : "unreadable");
    }
  }
  return null;
}

/** Reads the whole file at once, because the start waits for it. */
async function readSnapshot(path: string): Promise<Required<SavedSnapshot>> {
  const file = await readFile(path);
  const lastLine = Math.max(0, file.length - confirmedLine(null).length);
  const content = file.subarray(0, Math.max(0, lastLine - checksumLine(createHash("sha256")).length));
  const checksum = checksumLine(createHash("sha256").update(content));
  if (file.toString("utf8", content.length, lastLine) !== checksum) throw new Error("the checksum does not match");
  const { snapshot, databaseId, containers } = await decodeSnapshot(content);
  const confirmedAt = readConfirmedAt(file.toString("utf8", lastLine));
  return { ...snapshot, origin: { databaseId, confirmedAt }, containers };
}

const checksumLine = (hash: Hash) => `${JSON.stringify({ sha256: hash.digest("hex") })}\n`;

/** Constant length, because it is overwritten in place. */
function confirmedLine(at: number | null): string {
  return `{"confirmedAt":"${new Date(at ?? 0).toISOString()}"}\n`;
}

const confirmedStart = Buffer.from('{"confirmedAt":"');

function readConfirmedAt(line: string): number | null {
  const at = Date.parse(/^\{"confirmedAt":"([^"]*)"\}\n$/.exec(line)?.[1] ?? "");
  return at > 0 ? at : null;
}

/** Works even for a damaged file, which is no reason to accept any database (`processes.md` N15a). */
export async function findSavedOrigin(dataDir: string): Promise<(SnapshotOrigin & { revision: number }) | null> {
  for (const name of [fileName, previousName]) {
    const origin = await readOriginOf(join(/* turbopackIgnore: true */ dataDir, name));
    if (origin !== null) return origin;
  }
  return null;
}

async function readOriginOf(path: string): Promise<(SnapshotOrigin & { revision: number }) | null> {
  try {
    const file = await open(path, "r");
    try {
      const first = await file.read(Buffer.alloc(4096), 0, 4096, 0);
      const header = readOrigin(first.buffer.subarray(0, first.bytesRead));
      const { length } = confirmedLine(null);
      const last = await file.read(Buffer.alloc(length), 0, length, Math.max(0, (await file.stat()).size - length));
      const confirmedAt = readConfirmedAt(last.buffer.toString("utf8"));
      return header && { databaseId: header.databaseId, revision: header.revision, confirmedAt };
    } finally {
      await file.close();
    }
  } catch (error) {
    unlessMissing(error);
    return null;
  }
}

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

/** Without this, a power failure may lose the new name. Some systems cannot sync a folder. */
async function syncFolder(dataDir: string): Promise<void> {
  try {
    const folder = await open(dataDir, "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error && (error.code === "EPERM" || error.code === "EISDIR")))
      throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
