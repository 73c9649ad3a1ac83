import { createHash } from "node:crypto";
import { EJSON } from "bson";
import { type BackupHeader, backupFormat, type BackupTrailer } from "@/lib/platform/backup/format";

export interface CollectionSource {
  readonly name: string;
  readonly count: number;
  readonly documents: () => AsyncIterable<object>;
}

export interface BackupSource extends Omit<BackupHeader, "format" | "formatVersion" | "collections"> {
  readonly collections: readonly CollectionSource[];
}

const pieceLength = 64 * 1024;

export async function* writeBackup(
  source: BackupSource,
  told: (documents: number) => void = () => undefined,
): AsyncGenerator<string> {
  const { collections, ...facts } = source;
  const hash = createHash("sha256");
  const expected = Object.fromEntries(collections.map(({ name, count }) => [name, count]));
  const written: Record<string, number> = {};
  let piece = `${JSON.stringify({ ...backupFormat, ...facts, collections: expected })}\n`;
  let total = 0;
  const take = () => {
    const text = piece;
    piece = "";
    hash.update(text);
    told(total);
    return text;
  };
  for (const { name, documents } of collections) {
    piece += `${JSON.stringify({ collection: name })}\n`;
    written[name] = 0;
    for await (const document of documents()) {
      piece += `${EJSON.stringify(document, { relaxed: false })}\n`;
      written[name] += 1;
      total += 1;
      if (piece.length >= pieceLength) yield take();
    }
  }
  if (piece !== "") yield take();
  const trailer: BackupTrailer = { end: true, collections: written, sha256: hash.digest("hex") };
  yield `${JSON.stringify(trailer)}\n`;
}
