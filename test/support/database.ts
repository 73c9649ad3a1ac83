import { randomUUID } from "node:crypto";
import mongoose from "mongoose";
import { afterAll, beforeAll, beforeEach, inject } from "vitest";
import { forgetHead } from "@/lib/platform/db/audit-head";
import { connect, databaseState, disconnect } from "@/lib/platform/db/connection/connect";
import { forgiveSilence } from "@/lib/platform/db/connection/life-sign";
import { sealEnds } from "@/lib/platform/db/audit-trail";
import { counterNames } from "@/lib/platform/db/counters";
import { allModels, prepareDatabase } from "@/lib/platform/db/prepare";
import { forgetKept } from "@/lib/platform/db/once-per-revision";
import { forgetGroups } from "@/lib/records/groups/record-cache";
import "@/lib/releases/gate";
import { findServices, shareServices } from "@/lib/policy/services";
import type { WriteContext } from "@/lib/platform/db/transaction";
import { loadAuditKey } from "@/lib/platform/secrets/own-secret";
import { CounterModel } from "@/models/database/counter";
import { forgetWriters, noteWrites, writtenCollections } from "@/test/support/database-commands";
import { withDatabaseName, withOption } from "@/test/support/server";
import { forgetSettings } from "@/test/support/settings";

export const testContext: WriteContext = { actor: "admin", route: "test", requestId: null };

export function databaseUri(dbName?: string): string {
  const uri = inject("databaseUri");
  return dbName === undefined ? uri : withDatabaseName(uri, dbName);
}

/** For processes that watch their commands; the timeout is long, because a slow server counts as reachable. */
export const watchedUri = (dbName?: string) =>
  withOption(databaseUri(dbName), "monitorCommands=true&connectTimeoutMS=120000");
const patientUri = () => withOption(databaseUri(), "connectTimeoutMS=120000&serverSelectionTimeoutMS=120000");

export const connectTo = (dbName: string) => connect({ uri: patientUri(), dbName });

export function freshDatabaseName(): string {
  return `policy_test_${randomUUID().replaceAll("-", "").slice(0, 16)}`;
}

/** An empty, prepared database of this process, left by the file before: preparing one takes longer than many tests. */
let left: string | null = null;

/** Call it once at the top of a test file; settings are forgotten after each test. */
export function withDatabase({ prepare = true }: { prepare?: boolean } = {}): void {
  forgetSettings();
  let forgiving: NodeJS.Timeout;
  beforeAll(async () => {
    // Slow machines may exceed the database's silence limit (`reachable.ts`); a hang ends with the test's own timeout.
    forgiving = setInterval(forgiveSilence, 500);
    const name = prepare ? left : null;
    if (prepare) left = null;
    await connectTo(name ?? freshDatabaseName());
    forgetRecords();
    forgetWriters();
    if (!prepare) return;
    if (name === null) await prepareDatabase();
    noteWrites();
  });
  afterAll(async () => {
    // Services that a test has started would also affect the next file.
    await findServices()?.runtime.stop();
    shareServices(null);
    if (databaseState().status === "connected") await leaveOrDrop();
    await disconnect();
    clearInterval(forgiving);
  });
}

export function withEmptyDatabase(): void {
  withDatabase();
  beforeEach(() => emptyDatabase());
}

/** Databases of a given server are dropped in any case, because nobody else removes them. */
async function leaveOrDrop(): Promise<void> {
  const { name } = mongoose.connection;
  const isOwn = process.env.TEST_MONGODB_URI === undefined && process.env.MONGODB_URI === undefined;
  if (isOwn && left === null && writtenCollections() !== null) {
    await emptyDatabase();
    if (writtenCollections() !== null && (await hasNoOtherCollections())) {
      left = name;
      return;
    }
  }
  await mongoose.connection.dropDatabase();
}

/** A write creates its collection. */
async function hasNoOtherCollections(): Promise<boolean> {
  return (await mongoose.connection.listCollections()).length === allModels().length;
}

export async function disconnected<T>(work: () => Promise<T>): Promise<T> {
  const here = mongoose.connection.name;
  await disconnect();
  try {
    return await work();
  } finally {
    await connectTo(here);
    forgetRecords();
  }
}

export function elsewhere<T>(work: () => Promise<T>): Promise<T> {
  return disconnected(async () => {
    await connectTo(freshDatabaseName());
    forgetRecords();
    try {
      return await work();
    } finally {
      await mongoose.connection.dropDatabase();
      await disconnect();
    }
  });
}

/** Collections without writes are skipped, because asking all 45 takes longer than most tests. */
export async function emptyDatabase(): Promise<void> {
  forgetHead();
  const written = writtenCollections();
  const names = (await mongoose.connection.listCollections()).map(({ name }) => name);
  const counters = CounterModel.collection.collectionName;
  const others = names.filter((name) => name !== counters && (written === null || written.has(name)));
  await Promise.all(others.map((name) => mongoose.connection.collection(name).deleteMany({})));
  if (written === null || written.has(counters)) {
    await CounterModel.deleteMany({ _id: { $nin: [...counterNames] } });
    await CounterModel.updateMany({}, { $set: { value: 0 } });
    const ends = { first: 1, last: 0, head: null, brokenAt: null };
    const trail = { first: 1, head: null, brokenAt: null, seal: sealEnds(ends, loadAuditKey()) };
    await CounterModel.updateOne({ _id: "audit_events" }, { $set: { trail } });
  }
  forgetRecords();
  // Existing collections have their indexes, and checking them again takes longer than everything else.
  await prepareDatabase(allModels().filter(({ collection }) => !names.includes(collection.collectionName)));
  noteWrites();
}

/** An emptied database reuses ids and revisions for other records, which never happens in production. */
export function forgetRecords(): void {
  forgetGroups();
  forgetKept();
}
