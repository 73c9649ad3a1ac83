import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFile, type FileHandle, mkdir, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MongoClient, type Collection } from "mongodb";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { startServer } from "@/embedded/server";
import { Engine } from "@/embedded/storage/engine";
import { encodeDoc } from "@/embedded/values/bson-bytes";
import { startZombie } from "@/test/support/zombie";
import { temporaryFolder } from "@/test/support/temporary-folder";
import { readItems, startProcess, writeItems } from "./support";

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});

const write = (ids: readonly number[], andThen?: (engine: Engine) => unknown) =>
  writeItems(dataDir, ids, { ...(andThen && { andThen }) });
const count = async () => (await readItems(dataDir)).documents;

const log = () => join(dataDir, "log-1.db");

async function overwrite(file: string, position: number, bytes: Buffer): Promise<void> {
  const handle = await open(file, "r+");
  await handle.write(bytes, 0, bytes.length, position);
  await handle.close();
}

it.each([1, 10, 30])("cuts a tail that was not written to its end (%i bytes missing)", async (missing) => {
  await write([1, 2, 3]);
  const handle = await open(log(), "r+");
  await handle.truncate((await handle.stat()).size - missing);
  await handle.close();
  expect(await count()).toBe(2);
  await write([4]);
  expect(await count()).toBe(3);
});

it("cuts a tail of zeros, as a file system may leave it", async () => {
  await write([1, 2]);
  await appendFile(log(), Buffer.alloc(5000));
  expect(await count()).toBe(2);
  expect((await stat(log())).size).toBeLessThan(5000);
});

it.each(["the header", "the content"])("refuses to start when %s of a middle frame is damaged", async (part) => {
  await write([1]);
  const before = (await stat(log())).size;
  await write([2, 3]);
  await overwrite(log(), before + (part === "the header" ? 5 : 40), Buffer.from("x"));
  await expect(count()).rejects.toThrow(`${log()} is damaged at byte ${before}`);
  await expect(startProcess(dataDir)).rejects.toThrow(`is damaged at byte ${before}`);
});

/** Where the frames of the log begin behind the first, and its end: one commit each, then three in one batch. */
async function writeBatches(): Promise<{ bounds: number[]; bytes: Buffer }> {
  const engine = new Engine(dataDir);
  await engine.open();
  const collection = engine.findOrCreate("db", "items");
  const insert = (_id: number) => {
    engine.insert(collection, _id, encodeDoc({ _id, text: "text" }), null);
    return engine.commit();
  };
  for (const _id of [1, 2, 3]) await insert(_id);
  await Promise.all([4, 5, 6, 7].map(insert));
  await engine.close();
  const bytes = await readFile(log());
  const bounds: number[] = [];
  for (let at = 0; at < bytes.length; at += 24 + bytes.readUInt32LE(at + 4)) bounds.push(at);
  return { bounds: [...bounds.slice(1), bytes.length], bytes };
}

it.each([
  ["the second frame is missing", [0, 2, 3, 4, 5, 6], 1],
  ["a frame inside of the last batch is missing", [0, 1, 2, 3, 4, 6], 5],
  ["two frames were swapped", [0, 2, 1, 3, 4, 5, 6], 1],
  ["two frames of one batch were swapped", [0, 1, 2, 3, 5, 4, 6], 4],
  ["a frame stands there twice", [0, 1, 1, 2, 3, 4, 5, 6], 2],
])("finding C5: refuses to start when %s", async (_title, order, noticed) => {
  const { bounds, bytes } = await writeBatches();
  const frames = order.map((place) => bytes.subarray(bounds[place], bounds[place + 1]));
  const first = bytes.subarray(0, bounds[0]);
  await writeFile(log(), Buffer.concat([first, ...frames]));
  const offset = Buffer.concat([first, ...frames.slice(0, noticed)]).length;
  await expect(count()).rejects.toThrow(`${log()} is damaged at byte ${offset} (the frame there belongs elsewhere`);
});

it("refuses to start when a snapshot is damaged, cut short, or its log is missing", async () => {
  await writeItems(dataDir, [1, 2, 3], { text: "x".repeat(1000), andThen: (engine: Engine) => engine.compact() });
  const snapshot = join(dataDir, "snapshot-2.db");
  const good = await readFile(snapshot);
  expect(await count()).toBe(3);
  await overwrite(snapshot, 500, Buffer.from("?"));
  await expect(count()).rejects.toThrow(`${snapshot} is damaged at byte`);
  await writeFile(snapshot, good.subarray(0, -39));
  await expect(count()).rejects.toThrow("its end is missing");
  await writeFile(snapshot, good);
  await rm(join(dataDir, "log-2.db"));
  await expect(count()).rejects.toThrow("log-2.db is damaged at byte 0 (it is missing)");
});

it("compacts at a clean end and keeps documents, indexes and their options", async () => {
  const server = await startServer({ dataDir });
  const client = await MongoClient.connect(server.uri);
  const items: Collection<any> = client.db("db").collection("items");
  await items.createIndexes([{ key: { text: 1, _id: -1 }, unique: true, name: "by text" }]);
  await items.insertMany(Array.from({ length: 300 }, (_, _id) => ({ _id, text: "x".repeat(500) })));
  for (let round = 0; round < 3; round++) await items.updateMany({}, { $inc: { round: 1 } });
  await items.deleteMany({ _id: { $lt: 100 } });
  await client.close();
  await server.close();
  expect((await readdir(dataDir)).sort()).toEqual(["log-2.db", "snapshot-2.db"]);
  const again = await startServer({ dataDir });
  const reader = await MongoClient.connect(again.uri);
  const kept = reader.db("db").collection<any>("items");
  expect(await kept.countDocuments({ round: 3 })).toBe(200);
  expect(await kept.indexes()).toMatchObject([{ name: "_id_" }, { name: "by text", unique: true }]);
  await reader.close();
  await again.close();
});

it("compacts while it runs, without losing what is written meanwhile", async () => {
  const engine = new Engine(dataDir, { compactionBytes: 20_000 });
  await engine.open();
  const collection = engine.findOrCreate("db", "items");
  for (let at = 0; at < 60; at++) {
    const ids = Array.from({ length: 20 }, (_, n) => at * 20 + n);
    for (const _id of ids) engine.insert(collection, _id, encodeDoc({ _id, text: "x".repeat(50) }), null);
    await engine.commit();
  }
  await engine.close();
  const snapshots = (await readdir(dataDir)).filter((name) => name.startsWith("snapshot"));
  expect(snapshots).toHaveLength(1);
  expect(snapshots).not.toEqual(["snapshot-2.db"]);
  expect(await count()).toBe(1200);
});

it.each([
  ["before the snapshot has its name", ["snapshot-2.db.tmp"]],
  ["before the old files are removed", []],
])("reads a folder whose compaction was cut off %s", async (_title, extra) => {
  await write([1, 2]);
  const old = await readFile(log());
  await write([], (engine) => engine.compact());
  await write([3]);
  await writeFile(log(), old);
  for (const name of extra) {
    await writeFile(join(dataDir, name), "half");
    await rm(join(dataDir, "snapshot-2.db"));
  }
  expect(await count()).toBe(3);
});

it("listens on a socket in its folder that only the owner can use; refuses a second server, and names the folder", async () => {
  const first = await startProcess(dataDir);
  expect((await stat(join(dataDir, "database.sock"))).mode & 0o777).toBe(0o600);
  const sentence = `The folder ${dataDir} is in use by process ${first.pid}`;
  await expect(startServer({ dataDir })).rejects.toThrow(sentence);
  await expect(startProcess(dataDir)).rejects.toThrow(sentence);
  await first.end("SIGTERM");
  expect(await readdir(dataDir)).toEqual(["log-1.db"]);
  await (await startServer({ dataDir })).close();
});

it("takes a stale lock over, and serves under the same address as before", async () => {
  const first = await startProcess(dataDir);
  const client = await MongoClient.connect(first.uri);
  await client.db("db").collection("items").insertOne({ a: 1 });
  await first.end("SIGKILL");
  expect(await readdir(dataDir)).toContain("lock");
  const second = await startProcess(dataDir);
  expect(second.uri).toBe(first.uri);
  // The client finds its way back by itself.
  expect(await client.db("db").collection("items").countDocuments()).toBe(1);
  await client.close();
  await second.end("SIGTERM");
  expect(await readdir(dataDir)).toEqual(["log-1.db"]);
});

it("takes over the lock of a dead process whose id another one has now", async () => {
  const other = spawn("sleep", ["60"]);
  const stale = { token: "t", pid: other.pid, started: "long ago", socket: join(dataDir, "database.sock") };
  await writeFile(join(dataDir, "lock"), JSON.stringify(stale));
  await (await startServer({ dataDir })).close();
  other.kill();
});

it.runIf(process.platform === "linux")("finding C5: takes over the lock of a zombie", async () => {
  const zombie = await startZombie();
  try {
    const stat = await readFile(`/proc/${zombie.pid}/stat`, "utf8");
    expect(stat.slice(stat.lastIndexOf(")") + 2)).toMatch(/^Z/);
    const boot = (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
    const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    const started = createHash("sha256").update(`${boot} ${ticks}`).digest("hex").slice(0, 16);
    await writeFile(join(dataDir, "lock"), JSON.stringify({ token: "t", pid: zombie.pid, started, socket: null }));
    await (await startServer({ dataDir })).close();
  } finally {
    zombie.end();
  }
});

it("F4: does not start when it cannot read its lock, and says which file that is", async () => {
  const lock = join(dataDir, "lock");
  await mkdir(lock);
  await expect(startServer({ dataDir })).rejects.toThrow(`${lock} cannot be read (EISDIR)`);
});

it("N20: what need not be journaled is seen at once, waits for no disk, and goes there with the next write", async () => {
  const server = await startServer({ dataDir });
  const client = await MongoClient.connect(server.uri);
  const items = client.db("db").collection<{ _id: number; beat: number }>("items");
  await items.insertOne({ _id: 1, beat: 0 });
  const probe = await open(log(), "r");
  const sync = vi.spyOn(Object.getPrototypeOf(probe) as FileHandle, "datasync");
  onTestFinished(() => sync.mockRestore());
  await probe.close();
  const options = { upsert: true, returnDocument: "after", writeConcern: { w: 1, journal: false } } as const;
  const beat = (_id: number) => items.findOneAndUpdate({ _id }, { $inc: { beat: 1 } }, options);
  expect([await beat(1), await beat(2)]).toMatchObject([{ beat: 1 }, { beat: 1 }]);
  await client.withSession((session) =>
    session.withTransaction(async () => expect(await items.countDocuments({}, { session })).toBe(2)),
  );
  expect(sync).not.toHaveBeenCalled();
  await items.insertOne({ _id: 3, beat: 0 });
  expect(sync).toHaveBeenCalledOnce();
  await client.close();
  await server.close();
  expect(await count()).toBe(3);
});

it("takes over a lock file that was never finished", async () => {
  await writeFile(join(dataDir, "lock"), '{"token"');
  await (await startServer({ dataDir })).close();
});

it("finds a short place for its socket when the folder's path is too long for one", async () => {
  const deep = join(dataDir, "x".repeat(100));
  await mkdir(deep);
  const server = await startServer({ dataDir: deep });
  expect(decodeURIComponent(server.uri)).not.toContain(deep);
  const client = await MongoClient.connect(server.uri);
  expect(await client.db("db").command({ ping: 1 })).toMatchObject({ ok: 1 });
  await client.close();
  await server.close();
});

it("falls back to a port of the loopback interface where no socket path is short enough", async () => {
  const deep = join(dataDir, "x".repeat(100));
  await mkdir(deep);
  vi.stubEnv("TMPDIR", deep);
  for (let start = 0; start < 2; start++) {
    const server = await startServer({ dataDir: deep });
    expect(server.uri).toMatch(/^mongodb:\/\/127\.0\.0\.1:\d+\//);
    const client = await MongoClient.connect(server.uri);
    await client.db("db").collection("items").insertOne({});
    expect(await client.db("db").collection("items").countDocuments()).toBe(start + 1);
    await client.close();
    await server.close();
  }
  vi.unstubAllEnvs();
});
