import { lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { MongoClient, type ClientSession } from "mongodb";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { Engine } from "@/embedded/storage/engine";
import { encodeDoc } from "@/embedded/values/bson-bytes";
import { runs } from "@/test/support/extent";
import { mountSmallDisk } from "@/test/support/small-disk";
import { temporaryFolder } from "@/test/support/temporary-folder";
import { startProcess, type DatabaseProcess } from "./support";
import { hangMs } from "@/test/support/patience.mjs";

const fullDisk = 14031;
const bytes = (_id: number, text = "text") => encodeDoc({ _id, text });

afterEach(() => vi.restoreAllMocks());

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function fileHandles(): Promise<Record<string, (...given: unknown[]) => Promise<unknown>>> {
  const handle = await open(join(temporaryFolder(), "file"), "w");
  await handle.close();
  return Object.getPrototypeOf(handle);
}

describe("finding C1: memory goes back to what is on disk", () => {
  async function engineWithItems() {
    const folder = temporaryFolder();
    const engine = new Engine(folder);
    await engine.open();
    ends.push(() => engine.close());
    const items = engine.findOrCreate("db", "items");
    engine.createIndex(items, { v: 2, key: { text: 1 }, name: "by text", unique: true });
    for (const _id of [1, 2, 3]) engine.insert(items, _id, bytes(_id, `text ${_id}`), null);
    await engine.commit();
    return { engine, items, folder, log: join(folder, "log-1.db") };
  }

  const stateOf = (engine: Engine) =>
    [...engine.collections.values()].map(({ namespace, documents, indexes }) => ({
      namespace,
      documents: [...documents.values()].map(({ idKey, bytes: stored }) => [idKey, stored.toString("hex")]),
      indexes: [...indexes.values()].map(({ name, list }) => [
        name,
        [...list.ascending("", "\u00ff\u00ff")].map(([key, document]) => [key, document.idKey]),
      ]),
    }));

  it.each([
    ["the write fails half-way", "write", "ENOSPC", fullDisk],
    ["the sync fails after all was written", "datasync", "EIO", 39],
    ["a quota is used up", "write", "EDQUOT", fullDisk],
  ])("when %s: documents, indexes, collections and the file are as before", async (_title, method, code, expected) => {
    const { engine, items, folder, log } = await engineWithItems();
    const before = stateOf(engine);
    const size = statSync(log).size;
    const handles = await fileHandles();
    const original = handles[method];
    vi.spyOn(handles, method).mockImplementationOnce(async function (this: unknown, ...given: unknown[]) {
      // Some of it reaches the file all the same.
      if (method === "write") await original?.call(this, given[0], given[1], 30, given[3]);
      throw Object.assign(new Error(`${code}: it failed`), { code });
    });
    const second = items.documents.get([...items.documents.keys()][1] ?? "");
    const third = items.documents.get([...items.documents.keys()][2] ?? "");
    if (!second || !third) throw new Error("the documents are missing");
    engine.insert(items, 4, bytes(4, "text 4"), null);
    engine.update(items, third, bytes(3, "changed"), null);
    engine.remove(items, second, null);
    engine.insert(items, 2, bytes(2, "text 2 again"), null);
    engine.insert(engine.create("db", "more"), 1, bytes(1), null);
    engine.createIndex(items, { v: 2, key: { other: 1 }, name: "other" });
    const open = engine.begin();
    const first = engine.commit();
    await expect(first).rejects.toMatchObject({ code: expected });
    expect(open.isOver).toBe(true);
    expect(stateOf(engine)).toEqual(before);
    expect(statSync(log).size).toBe(size);
    // Nothing is taken before the disk has been found to take writes again.
    expect(() => engine.insert(items, 5, bytes(5), null)).toThrow(expect.objectContaining({ code: expected }));
    await vi.waitFor(() => engine.requireWritable(), { timeout: hangMs(120), interval: 100 });
    engine.insert(items, 5, bytes(5, "text 5"), null);
    await engine.commit();
    const again = new Engine(folder);
    await again.open();
    expect(stateOf(again)).toEqual(stateOf(engine));
    await again.close();
    expect(readdirSync(folder)).toEqual(["log-1.db"]);
  });

  it("takes back what waited behind the failed write, and tells each of them", async () => {
    const { engine, items } = await engineWithItems();
    const before = stateOf(engine);
    const handles = await fileHandles();
    let fail: (error: Error) => void = () => undefined;
    vi.spyOn(handles, "datasync").mockImplementationOnce(() => new Promise((_resolve, reject) => (fail = reject)));
    const commits = [4, 5, 6].map((_id) => {
      engine.insert(items, _id, bytes(_id, `text ${_id}`), null);
      return engine.commit();
    });
    const outcomes = Promise.allSettled(commits);
    const kept = engine.isKept();
    await expect.poll(() => handles.datasync).toHaveBeenCalled();
    fail(Object.assign(new Error("EIO"), { code: "EIO" }));
    expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(await kept).toBe(false);
    expect(stateOf(engine)).toEqual(before);
  });

  it("F9: a statement of a transaction waits for no sync of others, and its commit for all of them", async () => {
    const { engine, items } = await engineWithItems();
    const handles = await fileHandles();
    let finish: () => void = () => undefined;
    vi.spyOn(handles, "datasync").mockImplementationOnce(() => new Promise<void>((resolve) => (finish = resolve)));
    ends.push(() => finish());
    engine.insert(items, 4, bytes(4, "text 4"), null);
    let isKept = false;
    const other = engine.commit().then(() => (isKept = true));
    const transaction = engine.begin();
    engine.insert(items, 5, bytes(5, "text 5"), transaction);
    let isDone = false;
    void engine.commit(transaction).then(() => (isDone = true));
    await wait(0);
    expect([isDone, isKept]).toEqual([true, false]);
    engine.apply(transaction);
    const own = engine.commit();
    await expect.poll(() => handles.datasync).toHaveBeenCalled();
    finish();
    await Promise.all([other, own]);
    expect(isKept).toBe(true);
  });

  it("a compaction that finds no space leaves no half snapshot", async () => {
    const { engine, folder } = await engineWithItems();
    const handles = await fileHandles();
    vi.spyOn(handles, "sync").mockRejectedValueOnce(Object.assign(new Error("ENOSPC"), { code: "ENOSPC" }));
    await engine.compact();
    expect(readdirSync(folder).sort()).toEqual(["log-1.db", "log-2.db"]);
    await engine.compact();
    expect(readdirSync(folder).sort()).toEqual(["log-3.db", "snapshot-3.db"]);
  });
});

const disk = mountSmallDisk(6);

describe.skipIf(disk === null)("a disk that is full", () => {
  if (disk === null) return;
  const dataDir = join(disk.folder, "database");
  afterEach(() => disk.free());
  afterAll(() => disk.unmount());
  async function start(
    folder = dataDir,
    ...options: string[]
  ): Promise<{ database: DatabaseProcess; client: MongoClient }> {
    const database = await startProcess(folder, ...options);
    const client = await MongoClient.connect(database.uri);
    ends.push(async () => {
      await client.close();
      await database.end("SIGKILL");
    });
    return { database, client };
  }

  it("finding C1: refuses every kind of write, shows none of them, and a repeated commit is told that it was not done", async () => {
    const { database, client } = await start();
    const items = client.db("db").collection<{ _id: number; n?: number; text?: string }>("items");
    await items.insertMany([{ _id: 1 }, { _id: 2 }]);
    await items.createIndexes([{ key: { n: 1 } }]);
    const inTransaction = async (session: ClientSession, _id: number) => {
      session.startTransaction();
      // More than what is left of the last page of the file.
      await items.insertOne({ _id, text: "x".repeat(10_000) }, { session });
      await items.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
    };
    // One that has written before the disk is full, so that its commit is what fails.
    const session = client.startSession();
    await inTransaction(session, 3);
    disk.fill();
    await expect(session.commitTransaction()).rejects.toMatchObject({ code: fullDisk });
    const repeat = client.db("admin").command(
      {
        commitTransaction: 1,
        lsid: session.id,
        txnNumber: session.serverSession.txnNumber as never,
        autocommit: false,
      },
      {},
    );
    await expect(repeat).rejects.toMatchObject({ code: 251, errorLabels: ["TransientTransactionError"] });
    await session.endSession();
    for (const refused of [
      () => items.insertOne({ _id: 4 }),
      () => items.insertMany([{ _id: 4 }, { _id: 5 }], { ordered: false }),
      () => items.updateOne({ _id: 1 }, { $set: { n: 7 } }),
      () => items.updateOne({ _id: 9 }, { $set: { n: 7 } }, { upsert: true }),
      () => items.findOneAndUpdate({ _id: 2 }, { $set: { n: 8 } }),
      () => items.deleteMany({}),
      () => items.drop(),
      () => items.createIndexes([{ key: { m: 1 } }]),
      () => client.db("db").createCollection("more"),
      () => client.db("db").dropDatabase(),
      () => client.withSession((one) => one.withTransaction(() => items.insertOne({ _id: 6 }, { session: one }))),
    ]) {
      await expect(refused()).rejects.toMatchObject({ code: fullDisk, message: /^The disk is full/ });
    }
    const check = async (reader: MongoClient) => {
      const collection = reader.db("db").collection("items");
      expect(await collection.find().sort({ _id: 1 }).toArray()).toEqual([{ _id: 1 }, { _id: 2 }]);
      expect((await collection.indexes()).map(({ name }) => name)).toEqual(["_id_", "n_1"]);
      expect(await reader.db("db").listCollections({}, { nameOnly: true }).toArray()).toHaveLength(1);
    };
    await check(client);
    await database.end("SIGKILL");
    // Finding C2: a start on the full disk reads what is there. Its lock takes no space.
    disk.fill();
    const again = await start();
    expect(lstatSync(join(dataDir, "lock")).isSymbolicLink()).toBe(true);
    await check(again.client);
    const large = again.client
      .db("db")
      .collection("items")
      .insertOne({ text: "x".repeat(10_000) });
    await expect(large).rejects.toMatchObject({ code: fullDisk });
    await expect(startProcess(dataDir)).rejects.toThrow(/is in use by process/);
    await again.database.end("SIGTERM");
    await check((await start()).client);
  });

  it.each([
    ["a first start", []],
    ["a first start on files of an older format", ["log-1.db"]],
  ])("%s waits for space to begin its log", async (title, old) => {
    const folder = join(disk.folder, title);
    mkdirSync(folder);
    for (const name of old) writeFileSync(join(folder, name), "");
    disk.fill();
    const { client } = await start(folder);
    const items = client.db("db").collection<{ _id: number }>("items");
    await expect(items.insertOne({ _id: 1 })).rejects.toMatchObject({ code: fullDisk, message: /^The disk is full/ });
    expect(await items.find().toArray()).toEqual([]);
    expect(readdirSync(folder).filter((name) => /^log|tmp$/.test(name))).toEqual(old);
    disk.free();
    await expect
      .poll(() => items.insertOne({ _id: 2 }).catch((error: unknown) => error))
      .toMatchObject({ insertedId: 2 });
    expect(readdirSync(folder).filter((name) => name.startsWith("log"))).toEqual([...old, `log-${old.length + 1}.db`]);
  });

  it("findings C1, C2: filled and freed again and again under load, no refused write is ever seen and writes work again within 10 s", async () => {
    const { database, client } = await start(dataDir, "--compaction-bytes", "200000");
    const readers = await MongoClient.connect(database.uri);
    ends.push(() => readers.close());
    const collection = (from: MongoClient, name: string) =>
      from.db("load").collection<{ _id: string; n?: number }>(name);
    const acknowledged = new Set<string>();
    const refused = new Set<string>();
    const numbers: number[] = [];
    const seen = new Set<string>();
    let isOver = false;
    const write = async (name: string) => {
      for (let n = 0; !isOver; n++) {
        const _id = `${name}-${n}`;
        try {
          if (n % 2 === 0) await collection(client, "items").insertOne({ _id });
          else {
            const number = await client.withSession((session) =>
              session.withTransaction(async () => {
                await collection(client, "items").insertOne({ _id }, { session });
                const counter = await collection(client, "counters").findOneAndUpdate(
                  { _id: "revision" },
                  { $inc: { n: 1 } },
                  { session, upsert: true, returnDocument: "after" } as const,
                );
                return counter?.n ?? NaN;
              }),
            );
            numbers.push(number);
          }
          acknowledged.add(_id);
        } catch (error) {
          expect(error).toMatchObject({ code: fullDisk });
          refused.add(_id);
          await wait(20);
        }
      }
    };
    let highest = 0;
    const read = async () => {
      while (!isOver) {
        for (const { _id } of await collection(readers, "items").find().toArray()) seen.add(_id);
        const known = highest;
        const revision = await collection(readers, "counters").findOne({ _id: "revision" });
        expect(revision?.n ?? 0).toBeGreaterThanOrEqual(known);
        highest = Math.max(highest, revision?.n ?? 0);
        await wait(5);
      }
    };
    const work = [write("a"), write("b"), write("c"), read(), read()];
    const recoveries: number[] = [];
    for (let round = 0; round < runs(10, 3); round++) {
      const before = refused.size;
      disk.fill();
      await expect.poll(() => refused.size).toBeGreaterThan(before + 3);
      const known = acknowledged.size;
      const freed = performance.now();
      disk.free();
      await expect.poll(() => acknowledged.size, { interval: 10 }).toBeGreaterThan(known + 3);
      recoveries.push(performance.now() - freed);
    }
    isOver = true;
    await Promise.all(work);
    await database.end("SIGKILL");
    const again = await start();
    const kept = new Set((await collection(again.client, "items").find().toArray()).map(({ _id }) => _id));
    expect([...seen].filter((_id) => refused.has(_id))).toEqual([]);
    expect(kept).toEqual(acknowledged);
    expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_number, index) => index + 1));
    expect((await collection(again.client, "counters").findOne({ _id: "revision" }))?.n).toBe(numbers.length);
    console.info(
      `${acknowledged.size} writes done, ${refused.size} refused; again after ms: ${recoveries.map(Math.round).join(", ")}`,
    );
    expect(Math.max(...recoveries)).toBeLessThan(10_000);
    expect(readdirSync(dataDir).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});
