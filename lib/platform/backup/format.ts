/** The form of a backup (`exchange.md` X11): gzip of lines of JSON; a header, the documents by collection, a trailer. */
import { z } from "zod";

const format = "open-policy-backup";
const formatVersion = 1;

const count = z.int().min(0);

/** First line: what the file is, and what it should hold. */
export const backupHeader = z.object({
  format: z.literal(format),
  formatVersion: z.literal(formatVersion),
  version: z.string(),
  schemaVersion: z.int().min(1),
  /** When the documents were read: all at this one time. */
  at: z.iso.datetime(),
  revision: count,
  /** Documents of each collection, in the order of the file. */
  collections: z.record(z.string(), count),
});
export type BackupHeader = z.infer<typeof backupHeader>;

/** Before the documents of each collection. */
export const backupSection = z.strictObject({ collection: z.string() });

/** Last line: what was written, and the SHA-256 of all bytes before this line. */
export const backupTrailer = z.strictObject({
  end: z.literal(true),
  collections: z.record(z.string(), count),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type BackupTrailer = z.infer<typeof backupTrailer>;

export const backupFormat = { format, formatVersion } as const;

/** A file that cannot be restored. The message is a sentence that says what is wrong with it. */
export class BackupRefused extends Error {
  override readonly name = "BackupRefused";
}
