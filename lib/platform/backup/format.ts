/** Format of a backup (`exchange.md` X11): gzipped lines of JSON; a header, the documents by collection, a trailer. */
import type { ClientSession } from "mongoose";
import { z } from "zod";

const format = "open-policy-backup";
const formatVersion = 1;

const count = z.int().min(0);

const digests = z.record(z.string(), z.string());

/** What the server made of the data for vehicles: a restored database must give the same (`exchange.md` X11a). */
const tableDigests = z.object({ publicBaseUrl: z.string(), tables: digests, parts: digests });
export type TableDigests = z.infer<typeof tableDigests>;

/** Reads the policy in the transaction of a backup, at its revision. */
export type DigestTables = (session: ClientSession, revision: number) => Promise<TableDigests>;

export const backupHeader = z.object({
  format: z.literal(format),
  formatVersion: z.literal(formatVersion),
  version: z.string(),
  schemaVersion: z.int().min(1),
  at: z.iso.datetime(),
  revision: count,
  collections: z.record(z.string(), count),
  tables: tableDigests.optional(),
});
export type BackupHeader = z.infer<typeof backupHeader>;

export const backupSection = z.strictObject({ collection: z.string() });

export const backupTrailer = z.strictObject({
  end: z.literal(true),
  collections: z.record(z.string(), count),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type BackupTrailer = z.infer<typeof backupTrailer>;

export const backupFormat = { format, formatVersion } as const;

export class BackupRefused extends Error {
  override readonly name = "BackupRefused";
}
