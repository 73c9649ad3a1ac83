import { copyFile, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MongoClient } from "mongodb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chooseSocket } from "@/embedded/address";
import { startServer, type RunningServer } from "@/embedded/server";
import { Engine } from "@/embedded/storage/engine";
import { encodeDoc } from "@/embedded/values/bson-bytes";
import { temporaryFolder } from "@/test/support/temporary-folder";

const poolSize = 10;
let dataDir: string;
const ends: (() => unknown)[] = [];
beforeEach(() => {
  dataDir = temporaryFolder();
});
afterEach(endAll);

async function start(folder = dataDir) {
  const lines: string[] = [];
  const server = await startServer({ dataDir: folder, report: (line) => lines.push(line) });
  ends.push(() => server.close());
  return { server, lines, ...(await connect(server)) };
}

/** A client that has all its connections: nobody can connect any more once the folder is gone. */
async function connect({ uri }: RunningServer) {
  const client = new MongoClient(uri, { minPoolSize: poolSize, maxPoolSize: poolSize });
  let connections = 0;
  client.on("connectionReady", () => connections++);
  await client.connect();
  ends.push(() => client.close());
  await expect.poll(() => connections).toBe(poolSize);
  return { client, items: client.db("db").collection<{ _id: number }>("items") };
}

async function endAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}

describe("F3: a file that loses its name ends all writes until a restart", () => {
  const file = (name: string) => join(dataDir, name);
  const refusal = {
    code: 38,
    codeName: "FileNotOpen",
    message: /was deleted, moved or replaced .* until it is restarted/,
  };

  it.each<[string, () => Promise<unknown>, (() => Promise<unknown>) | null]>([
    ["the folder is deleted", () => rm(dataDir, { recursive: true }), null],
    ["the folder is moved", () => rename(dataDir, `${dataDir}-moved`), () => rename(`${dataDir}-moved`, dataDir)],
    ["the log is deleted", () => rm(file("log-2.db")), null],
    [
      "the log is renamed",
      () => rename(file("log-2.db"), file("log-2.old")),
      () => rename(file("log-2.old"), file("log-2.db")),
    ],
    [
      "a copy takes the place of the log",
      async () => {
        await copyFile(file("log-2.db"), file("copy"));
        await rename(file("copy"), file("log-2.db"));
      },
      () => Promise.resolve(),
    ],
    [
      "the snapshot is renamed",
      () => rename(file("snapshot-2.db"), file("snapshot-2.old")),
      () => rename(file("snapshot-2.old"), file("snapshot-2.db")),
    ],
  ])("when %s", async (_title, lose, putBack) => {
    const engine = new Engine(dataDir);
    await engine.open();
    await engine.compact();
    await engine.close();
    const { client, items, lines } = await start();
    await items.insertMany([{ _id: 1 }, { _id: 2 }]);
    await lose();
    const group = Array.from({ length: poolSize }, (_, n) => items.insertOne({ _id: 100 + n }));
    for (const outcome of await Promise.allSettled(group)) {
      expect(outcome).toMatchObject({ status: "rejected", reason: refusal });
    }
    expect(lines.filter((line) => refusal.message.test(line))).toHaveLength(1);
    await putBack?.();
    await expect(items.updateOne({ _id: 1 }, { $set: { n: 1 } })).rejects.toMatchObject(refusal);
    const inTransaction = client.withSession((session) =>
      session.withTransaction(() => items.insertOne({ _id: 3 }, { session })),
    );
    await expect(inTransaction).rejects.toMatchObject(refusal);
    expect(await items.find().toArray()).toEqual([{ _id: 1 }, { _id: 2 }]);
    expect(lines.filter((line) => refusal.message.test(line))).toHaveLength(1);
    await endAll();
    if (putBack === null) return;
    const again = await start();
    expect(await again.items.find().toArray()).toEqual([{ _id: 1 }, { _id: 2 }]);
    await again.items.insertOne({ _id: 3 });
  });

  it("writes no snapshot among files that somebody else has put there", async () => {
    const lines: string[] = [];
    const engine = new Engine(dataDir, { report: (line) => lines.push(line) });
    await engine.open();
    const items = engine.findOrCreate("db", "items");
    for (let _id = 0; _id < 100; _id++) {
      engine.insert(items, _id, encodeDoc({ _id, text: "x".repeat(1000) }), null);
      await engine.commit();
    }
    await rm(dataDir, { recursive: true });
    await mkdir(dataDir);
    await writeFile(file("log-1.db"), "of another database");
    await engine.close(); // the log is large enough for a snapshot
    expect(await readdir(dataDir)).toEqual(["log-1.db"]);
    expect(lines).toEqual([expect.stringMatching(/compaction failed.*was deleted, moved or replaced/)]);
  });
});

describe.skipIf(process.platform === "win32")("F10: a socket file that is removed is made again", () => {
  async function requireConnectable(server: RunningServer): Promise<void> {
    await expect
      .poll(async () => {
        const client = new MongoClient(server.uri, { serverSelectionTimeoutMS: 100 });
        try {
          return await client.db("db").command({ ping: 1 });
        } catch (error) {
          return error;
        } finally {
          await client.close();
        }
      })
      .toMatchObject({ ok: 1 });
  }

  it.each<[string, (socket: string) => Promise<unknown>]>([
    ["deleted", (socket) => rm(socket)],
    [
      "replaced",
      async (socket) => {
        // At once: the server makes a missing socket again.
        await writeFile(`${socket}.other`, "");
        await rename(`${socket}.other`, socket);
      },
    ],
  ])("after it was %s; connections stay open", async (_title, lose) => {
    const { server, lines, items } = await start();
    await items.insertOne({ _id: 1 });
    await lose(join(dataDir, "database.sock"));
    await requireConnectable(server);
    expect(lines).toEqual([expect.stringMatching(/^the socket .*database\.sock was removed and has been made again/)]);
    await items.insertOne({ _id: 2 });
    await rm(join(dataDir, "database.sock"));
    await requireConnectable(server);
    expect(lines).toHaveLength(2);
    await endAll();
    expect(await readdir(dataDir)).toEqual(["log-1.db"]);
  });

  it("with its folder, where that is one for temporary files", async () => {
    const deep = join(dataDir, "x".repeat(100));
    await mkdir(deep);
    const { server } = await start(deep);
    await rm(dirname(chooseSocket(deep) ?? ""), { recursive: true });
    await requireConnectable(server);
  });

  it("is said to be impossible once, while the folder of the database is gone", async () => {
    const { server, lines } = await start();
    await rm(dataDir, { recursive: true });
    await expect
      .poll(() => lines)
      .toEqual([expect.stringMatching(/^new connections are not allowed: .*ENOENT|EACCES/)]);
    await mkdir(dataDir);
    await requireConnectable(server);
    expect(lines).toHaveLength(2);
  });
});
