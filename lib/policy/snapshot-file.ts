import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { log } from "@/lib/log";
import { createPacer } from "@/lib/policy/pacer";
import { createSnapshotDecoder, encodeSnapshot } from "@/lib/policy/snapshot-lines";
import { type PolicySnapshot } from "@/lib/policy/snapshot";

const fileName = "policy-snapshot.json";

/**
 * Keeps a snapshot in `<dataDir>/policy-snapshot.json` (rule K6), one JSON value a line, the last one a checksum of the
 * others. Written beside the old file and put in its place when it is safely on disk, so a crash leaves one of the two.
 * Gives way to waiting requests while it works.
 *
 * @param snapshot one whose apps can be listed: from the loader or from this file
 * @throws when the folder cannot be written
 */
export async function saveSnapshotFile(dataDir: string, snapshot: PolicySnapshot): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const draft = join(dataDir, `${fileName}.${randomUUID()}`);
  try {
    // A policy table holds the key of the module config's certificate; the file is nobody else's business.
    const file = await open(draft, "wx", 0o600);
    try {
      const checksum = createHash("sha256");
      for (const line of encodeSnapshot(snapshot)) {
        checksum.update(line);
        await file.write(`${line}\n`);
      }
      await file.write(`${JSON.stringify({ sha256: checksum.digest("hex") })}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, join(dataDir, fileName));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dataDir);
}

/**
 * Reads the snapshot kept on disk. A file that is damaged, cut off or of another version is not used; vehicles then
 * wait for the database.
 *
 * @param warn told why a file is not used
 * @returns null when there is no usable file
 */
export async function loadSnapshotFile(
  dataDir: string,
  warn: (reason: string) => void = (reason) => {
    log.warn({ reason }, "the policy kept on disk cannot be used");
  },
): Promise<PolicySnapshot | null> {
  try {
    return await readSnapshot(join(dataDir, fileName));
  } catch (error) {
    if (!isMissing(error)) warn(error instanceof Error ? error.message : "unreadable");
    return null;
  }
}

async function readSnapshot(path: string): Promise<PolicySnapshot> {
  const stream = createReadStream(path, "utf8");
  const checksum = createHash("sha256");
  const decoder = createSnapshotDecoder();
  const pace = createPacer();
  // The last line says what the others must add up to, so each is taken when the next one has come.
  let held: string | null = null;
  try {
    for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
      if (held !== null) {
        checksum.update(held);
        decoder.take(held);
      }
      held = line;
      await pace();
    }
  } finally {
    stream.destroy();
  }
  if (held !== JSON.stringify({ sha256: checksum.digest("hex") })) throw new Error("the checksum does not match");
  return decoder.finish();
}

/** Without this the new name may be lost with the power. Some systems cannot sync a folder. */
async function syncFolder(dataDir: string): Promise<void> {
  try {
    const folder = await open(dataDir, "r");
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    if (!(error instanceof Error && "code" in error && (error.code === "EPERM" || error.code === "EISDIR")))
      throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
