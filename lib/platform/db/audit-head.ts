"one per process";

import { createHmac } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { log } from "@/lib/platform/log";

export const hmac = (key: string, text: string) => createHmac("sha256", key).update(text, "utf8").digest("hex");

/** The newest event that this server has seen of a database's trail, kept beside the database (`gate.md` W11). */
export interface KnownHead {
  readonly databaseId: string;
  /** Id of the event; 0: none yet. */
  readonly last: number;
  readonly head: string | null;
}

const fileName = "audit-head";
const kept = {
  known: null as KnownHead | null,
  place: null as { readonly dataDir: string; readonly key: string } | null,
  isDue: false,
  writing: null as Promise<void> | null,
};

export const knownHead = (): KnownHead | null => kept.known;

export function keepHead(place: { readonly dataDir: string; readonly key: string }, known: KnownHead): void {
  Object.assign(kept, { known, place });
}

export function forgetHead(): void {
  Object.assign(kept, { known: null, place: null, isDue: false });
}

/** Notes the newest event after its commit. Several in a row become one write; `writtenHead` waits for it. */
export function noteHead(last: number, head: string): void {
  if (kept.known === null) return;
  kept.known = { ...kept.known, last, head };
  kept.isDue = true;
  kept.writing ??= write().finally(() => {
    kept.writing = null;
  });
}

/** Resolves when the noted head is on disk, or cannot be written. */
export const writtenHead = async (): Promise<void> => void (await kept.writing);

async function write(): Promise<void> {
  while (kept.isDue) {
    kept.isDue = false;
    const { known, place } = kept;
    if (known === null || place === null) return;
    const file = path.join(place.dataDir, fileName);
    try {
      await mkdir(place.dataDir, { recursive: true });
      await writeFile(`${file}.new`, `${JSON.stringify({ ...known, seal: sealHead(known, place.key) })}\n`, {
        mode: 0o600,
      });
      await rename(`${file}.new`, file);
    } catch (error) {
      log.warn({ err: error }, "the end of the audit trail could not be kept in DATA_DIR");
    }
  }
}

const storedHead = z.object({ databaseId: z.string(), last: z.int(), head: z.string().nullable(), seal: z.string() });

/** Reads what an earlier process kept; null if there is none, or another key has sealed it. */
export async function readKeptHead(dataDir: string, key: string): Promise<KnownHead | null> {
  try {
    const text = await readFile(/* turbopackIgnore: true */ path.join(dataDir, fileName), "utf8");
    const { seal, ...known } = storedHead.parse(JSON.parse(text));
    if (seal === sealHead(known, key)) return known;
    log.warn("DATA_DIR/audit-head was not written by this server and is not used");
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isMissing) log.warn({ err: error }, "DATA_DIR/audit-head cannot be read and is not used");
  }
  return null;
}

const sealHead = ({ databaseId, last, head }: KnownHead, key: string) =>
  hmac(key, JSON.stringify(["head", databaseId, last, head]));
