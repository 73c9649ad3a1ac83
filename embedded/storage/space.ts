import { randomBytes } from "node:crypto";
import { open, rm, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseError } from "../errors";

/** Free space required before writes are accepted again: for many commits, so that the next one does not fail at once. */
const probeBytes = 256 * 1024;

const codesOfFullDisk: readonly unknown[] = ["ENOSPC", "EDQUOT", "EFBIG"];

export const isFull = (error: unknown): boolean =>
  error instanceof Error && "code" in error && codesOfFullDisk.includes(error.code);

/** FileNotOpen: an open file was deleted, renamed or replaced. */
export const lostFile = (file: string): DatabaseError =>
  new DatabaseError(
    38,
    `${file} was deleted, moved or replaced while in use: the embedded database takes no writes until it is restarted. ` +
      "The restart uses what is in the folder then: put the file back first, or restore a backup",
  );

export const isLostFile = (error: unknown): boolean => error instanceof DatabaseError && error.code === 38;

export function storageFailure(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return isFull(error)
    ? new DatabaseError(
        14031,
        `The disk is full: the embedded database takes no writes until there is space (${reason})`,
      )
    : new DatabaseError(39, `The embedded database cannot write its log and takes no writes until it can (${reason})`);
}

export const isStorageFailure = (error: unknown): boolean =>
  error instanceof DatabaseError && [14031, 39, 38].includes(error.code);

/** Writes all bytes; one call may write only some. */
export async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** Writes random bytes, because a file system may store zeros without using space. */
export async function hasSpace(folder: string): Promise<boolean> {
  const file = join(folder, "space.tmp");
  try {
    const handle = await open(file, "w", 0o600);
    try {
      await writeAll(handle, randomBytes(probeBytes), 0);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return true;
  } catch {
    return false;
  } finally {
    await rm(file, { force: true });
  }
}
