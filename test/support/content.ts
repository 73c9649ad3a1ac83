import mongoose from "mongoose";
import { raiseSchemaVersion } from "@/lib/platform/db/connection/database-facts";
import { prepareDatabase } from "@/lib/platform/db/prepare";
import { readRevision } from "@/lib/platform/db/revision";
import { saveFirstData } from "@/lib/exchange/seed/first-data";
import { forgetRecords } from "@/test/support/database";

type Documents = Parameters<mongoose.Collection["insertMany"]>[0];

/** Contents that tests begin with, by name; each is created once per process. */
const made = new Map<string, ReadonlyMap<string, Documents>>();

export async function firstData(withExampleApps = true): Promise<void> {
  const options = { root: process.cwd(), publicBaseUrl: "http://localhost:3000", withExampleApps };
  await fillOnce(`first data, example apps: ${withExampleApps}`, () => saveFirstData(options));
  await raiseSchemaVersion();
}

/** Fills an empty database with what `make` stores; in this process it does so only the first time. */
export async function fillOnce(name: string, make: () => Promise<unknown>): Promise<void> {
  if ((await readRevision()) !== 0) throw new Error(`${name}: this is for an empty database`);
  const known = made.get(name);
  if (known === undefined) {
    await make();
    made.set(name, await readDocuments());
    return;
  }
  await prepareDatabase();
  const store = async ([collection, documents]: [string, Documents]) => {
    await collectionNamed(collection).deleteMany({});
    await collectionNamed(collection).insertMany([...documents]);
  };
  await Promise.all([...known].map(store));
  forgetRecords();
}

/** Bypasses Mongoose and therefore the gate, which this content passed when it was created. */
function collectionNamed(name: string) {
  const { db } = mongoose.connection;
  if (db === undefined) throw new Error("there is no database");
  return db.collection<any>(name);
}

async function readDocuments(): Promise<ReadonlyMap<string, Documents>> {
  const all = new Map<string, Documents>();
  for (const name of await contentNames()) {
    const documents = await mongoose.connection.collection(name).find({}, { promoteValues: false }).toArray();
    if (documents.length > 0) all.set(name, documents);
  }
  return all;
}

async function contentNames(): Promise<readonly string[]> {
  const names = (await mongoose.connection.listCollections()).map(({ name }) => name);
  return names.filter((name) => name !== "locks" && name !== "database_facts").toSorted();
}

export async function content(): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  for (const name of await contentNames()) {
    const documents = mongoose.connection.collection(name).find({}, { raw: true }).sort({ _id: 1 });
    all[name] = (await documents.toArray()).map((bytes) => Buffer.from(bytes as unknown as Uint8Array).toString("hex"));
  }
  return all;
}

/** Content without the audit trail and its end, which every restore changes. */
export function withoutTrail({ audit_events: _, counters, ...others }: Record<string, unknown>): object {
  const end = Buffer.from("audit_events\0").toString("hex");
  return { ...others, counters: (counters as readonly string[]).filter((document) => !document.includes(end)) };
}
