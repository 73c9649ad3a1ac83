import { randomUUID } from "node:crypto";
import { cpSync, realpathSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import path from "node:path";
import { MongoClient, type Db } from "mongodb";
import { inject } from "vitest";
import { chooseSocket } from "@/embedded/address";
import { aloneEnvironment, emptyDataDir, startServer, type TestServer } from "@/test/support/server";

/*
 * A start of the server costs more than most tests. So files of the project `browser` that want the same settings take turns
 * with one server in each process of the tests, and each finds the example data there as it was at the beginning.
 */

type Environment = Readonly<Record<string, string>>;
type LogLine = ReturnType<TestServer["log"]>[number];

/** A server that a test file has for itself until its end. */
export interface TakenServer {
  readonly server: TestServer;
  /** Gives it back, or stops it; gives what it has logged meanwhile. */
  readonly end: () => Promise<readonly LogLine[]>;
}

interface Shared {
  readonly server: TestServer;
  /** The content of its database before the first test. */
  readonly first: Content;
  isUsed: boolean;
  /** Lines of its log that files before have answered for. */
  lines: number;
}

/** Documents by collection. */
type Content = ReadonlyMap<string, readonly object[]>;

const servers = new Map<string, Promise<Shared>>();

/** Below that of the example data. */
const lowest = 1;

/** What belongs to the running processes. */
const kept: ReadonlySet<string> = new Set(["locks", "directory_tasks", "database_facts", "revision"]);

/**
 * What of a collection goes back to what it was. Ids go on from where they are: never another record under an id that was
 * there. The audit trail alone ends where its events do.
 */
const goesBack = (collection: string) => (collection === "counters" ? { _id: "audit_events" as never } : {});

/** The server of this process with these settings, on the example data. */
export async function takeServer(env: Environment): Promise<TakenServer> {
  const key = JSON.stringify(env);
  const started = servers.get(key) ?? start(env);
  servers.set(key, started);
  const shared = await started;
  if (shared.isUsed) await reset(shared);
  shared.isUsed = true;
  const { server } = shared;
  const end = () => {
    // From the last file's end on, so that nothing in between is lost.
    const log = server.log().slice(shared.lines);
    shared.lines += log.length;
    return Promise.resolve(log);
  };
  return { server, end };
}

/** The specification that a server without a directory asks for lies where nobody answers. */
export const isError = ({ level, task }: LogLine): boolean =>
  (level === "error" || level === "fatal") && task !== "rpc-specification" && task !== "languages";

/** The data directory that every server begins with, as a copy. */
export function copyExampleData(): string {
  const folder = emptyDataDir();
  cpSync(inject("exampleData"), folder, { recursive: true });
  return folder;
}

async function start(env: Environment): Promise<Shared> {
  const server = await startServer({ dataDir: copyExampleData(), env: { ...aloneEnvironment, ...env } });
  // Whoever set up the run ends it: the processes of the tests do not hear when they are over.
  writeFileSync(path.join(inject("sharedServers"), String(server.child.pid)), server.dataDir);
  return { server, first: await inDatabase(server, readContent), isUsed: false, lines: 0 };
}

async function readContent(db: Db): Promise<Content> {
  const documents = new Map<string, readonly object[]>();
  for (const { name } of await db.listCollections().toArray()) {
    // As they are stored: numbers keep their types.
    const options = { promoteValues: false, promoteLongs: false };
    if (!kept.has(name)) documents.set(name, await db.collection(name).find(goesBack(name), options).toArray());
  }
  return documents;
}

/**
 * Puts the first content back. The processes of the server keep what they have read and look for what is newer, until it is
 * another database to them, as after a restore: then they read everything again. Once they have,
 * the revision goes on behind all that was there, so that nothing that was kept for a revision is taken for another one's.
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
          await db.collection(name).deleteMany(goesBack(name), { session });
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
