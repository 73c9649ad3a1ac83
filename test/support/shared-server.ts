import { randomUUID } from "node:crypto";
import { cpSync, realpathSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import path from "node:path";
import { MongoClient, type Db } from "mongodb";
import { inject } from "vitest";
import { chooseSocket } from "@/embedded/address";
import { aloneEnvironment, emptyDataDir, startServer, type TestServer } from "@/test/support/server";

/* Starting a server costs more than most tests, so files with the same settings share one per process. */

type Environment = Readonly<Record<string, string>>;
type LogLine = ReturnType<TestServer["log"]>[number];

export interface TakenServer {
  readonly server: TestServer;
  /** Returns or stops it; returns what it has logged in the meantime. */
  readonly end: () => Promise<readonly LogLine[]>;
}

interface Shared {
  readonly server: TestServer;
  readonly first: Content;
  isUsed: boolean;
  /** Number of log lines that earlier files were responsible for. */
  lines: number;
}

type Content = ReadonlyMap<string, readonly object[]>;

const servers = new Map<string, Promise<Shared>>();

/** Below the revision of the example data. */
const lowest = 1;

/** What belongs to running processes; counters, so that ids never refer to other records; the audit trail. */
const kept: ReadonlySet<string> = new Set([
  ...["locks", "directory_tasks", "database_facts", "revision", "counters", "audit_events"],
]);

export async function takeServer(env: Environment): Promise<TakenServer> {
  const key = JSON.stringify(env);
  const started = servers.get(key) ?? start(env);
  servers.set(key, started);
  const shared = await started;
  if (shared.isUsed) await reset(shared);
  shared.isUsed = true;
  const { server } = shared;
  const end = () => {
    // From the end of the previous file, so that nothing in between is lost.
    const log = server.log().slice(shared.lines);
    shared.lines += log.length;
    return Promise.resolve(log);
  };
  return { server, end };
}

export const isError = ({ level }: LogLine): boolean => level === "error" || level === "fatal";

export function copyExampleData(): string {
  const folder = emptyDataDir();
  cpSync(inject("exampleData"), folder, { recursive: true });
  return folder;
}

async function start(env: Environment): Promise<Shared> {
  const server = await startServer({ dataDir: copyExampleData(), env: { ...aloneEnvironment, ...env } });
  // The setup of the run stops it, because test processes are not told when they are over.
  writeFileSync(path.join(inject("sharedServers"), String(server.child.pid)), server.dataDir);
  return { server, first: await inDatabase(server, readContent), isUsed: false, lines: 0 };
}

async function readContent(db: Db): Promise<Content> {
  const documents = new Map<string, readonly object[]>();
  for (const { name } of await db.listCollections().toArray()) {
    // As stored, so that numbers keep their types.
    const options = { promoteValues: false, promoteLongs: false };
    if (!kept.has(name)) documents.set(name, await db.collection(name).find({}, options).toArray());
  }
  return documents;
}

/**
 * Restores the first content. Server processes cache what they have read and look only for newer data, until they see
 * another database, like after a restore; then they read everything again. After that, the revision continues beyond all
 * earlier ones, so that nothing cached for one revision is mistaken for another.
 */
async function reset({ server, first }: Shared): Promise<void> {
  const begin = server.log().length;
  const whenCompiled = async (revision: number) => {
    const isDone = (name: string) =>
      server
        .log()
        .slice(begin)
        .some((line) => line.msg === "policy compiled" && line.process === name && line.revision === revision);
    while (!["console", "vehicle-worker-1"].every(isDone)) await wait(20);
  };
  await inDatabase(server, async (db, client) => {
    const revisions = db.collection("revision");
    const highest = await client.withSession((session) =>
      session.withTransaction(async () => {
        for (const [name, documents] of first) {
          await db.collection(name).deleteMany({}, { session });
          if (documents.length > 0) await db.collection(name).insertMany([...documents], { session });
        }
        const before = await revisions.findOneAndUpdate({}, { $set: { value: lowest } }, { session });
        const facts = db.collection("database_facts");
        const replaced = await facts.findOne({}, { session });
        const restored = { databaseId: randomUUID(), succeeds: [replaced?.databaseId], madeAt: new Date() };
        await facts.updateOne({}, { $set: restored }, { session });
        return Number(before?.value);
      }),
    );
    await whenCompiled(lowest);
    await revisions.updateOne({}, { $set: { value: highest + 1 } });
    await whenCompiled(highest + 1);
  });
}

async function inDatabase<T>({ dataDir }: TestServer, work: (db: Db, client: MongoClient) => Promise<T>): Promise<T> {
  const socket = chooseSocket(realpathSync(path.join(dataDir, "database"))) ?? "";
  const client = new MongoClient(`mongodb://${encodeURIComponent(socket)}/?directConnection=true&retryWrites=false`);
  try {
    return await work(client.db("policy_server"), client);
  } finally {
    await client.close();
  }
}
