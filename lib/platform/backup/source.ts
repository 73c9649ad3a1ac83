import { deserialize } from "bson";
import mongoose, { type ClientSession } from "mongoose";
import { z } from "zod";
import type { BackupSource, CollectionSource } from "@/lib/platform/backup/write";
import { allModels } from "@/lib/platform/db/prepare";
import { createPacer } from "@/lib/platform/process/pacer";
import { packageVersion } from "@/lib/platform/version";
import { DatabaseFactsModel } from "@/models/database/database-facts";
import { SignInModel } from "@/models/access/sign-in";
import { LockModel } from "@/models/database/lock";
import { RevisionModel } from "@/models/database/revision";

/** Collections about running processes and sessions, which are not data. After a restore, nobody is signed in. */
const leftOut: ReadonlySet<string> = new Set(
  [LockModel, SignInModel].map(({ collection }) => collection.collectionName),
);

export function listBackupCollections(): readonly string[] {
  return allModels()
    .map(({ collection }) => collection.collectionName)
    .filter((name) => !leftOut.has(name))
    .toSorted();
}

const facts = z.object({ schemaVersion: z.int() });
const revision = z.object({ value: z.int() });

export async function openBackupSource(session: ClientSession, at: Date): Promise<BackupSource> {
  const stored = facts.safeParse(await collectionOf(DatabaseFactsModel).findOne({}, { session }));
  if (!stored.success) {
    throw new Error(
      "The database holds nothing of this server, or only what a version before 1.0 wrote: copy that with mongodump, or copy DATA_DIR",
    );
  }
  const newest = revision.safeParse(await collectionOf(RevisionModel).findOne({}, { session }));
  const collections: CollectionSource[] = [];
  for (const name of listBackupCollections()) {
    collections.push({ name, count: await countDocuments(name, session), documents: () => readAll(name, session) });
  }
  return {
    version: packageVersion,
    schemaVersion: stored.data.schemaVersion,
    at: at.toISOString(),
    revision: newest.success ? newest.data.value : 0,
    collections,
  };
}

const collectionOf = ({ collection }: { readonly collection: { readonly collectionName: string } }) =>
  mongoose.connection.collection(collection.collectionName);

async function countDocuments(name: string, session: ClientSession): Promise<number> {
  const [found] = await mongoose.connection
    .collection(name)
    .aggregate([{ $count: "count" }], { session })
    .toArray();
  return typeof found?.count === "number" ? found.count : 0;
}

/** As stored: by default, the driver converts numbers, and they would be written back with another type. */
async function* readAll(name: string, session: ClientSession): AsyncGenerator<object> {
  const pace = createPacer();
  const found = mongoose.connection.collection(name).find({}, { session, raw: true }).sort({ _id: 1 });
  for await (const bytes of found) {
    yield deserialize(Buffer.isBuffer(bytes) ? bytes : Buffer.from([]), { promoteValues: false, promoteLongs: false });
    await pace();
  }
}
