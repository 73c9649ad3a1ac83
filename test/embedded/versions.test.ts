import { appendFile, cp, mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { MongoClient } from "mongodb";
import { beforeEach, describe, expect, it } from "vitest";
import { buildFormatPayload } from "@/embedded/storage/format";
import { firstFrame, frameHeader } from "@/embedded/storage/frames";
import { Engine } from "@/embedded/storage/engine";
import packageJson from "@/package.json";
import { temporaryFolder } from "@/test/support/temporary-folder";
import { hasHistory, oldProgram, readItems, startProcess, startProgram, writeItems } from "./support";

let base: string;
let dataDir: string;
beforeEach(async () => {
  base = temporaryFolder();
  dataDir = join(base, "database");
  await mkdir(dataDir);
});

const write = (ids: readonly number[], andThen?: (engine: Engine) => unknown) =>
  writeItems(dataDir, ids, { ...(andThen && { andThen }) });
const read = (folder = dataDir) => readItems(folder);

async function contentOf(folder: string): Promise<[name: string, bytes: string, written: number][]> {
  return Promise.all(
    (await readdir(folder))
      .filter((name) => /\.(db|bin)$/.test(name))
      .sort()
      .map(async (name) => {
        const file = join(folder, name);
        return [name, (await readFile(file)).toString("hex"), (await stat(file)).mtimeMs];
      }),
  );
}

/** Puts a file of today back into the format before it: without its first frame. */
async function withoutFormat(file: string): Promise<void> {
  const bytes = await readFile(file);
  const first = 24 + bytes.readUInt32LE(4);
  for (let at = first; at < bytes.length; at += 24 + bytes.readUInt32LE(at + 4)) {
    const header = bytes.subarray(at, at + 24);
    header.writeUIntLE(header.readUIntLE(8, 6) - first, 8, 6);
    header.writeUInt32LE(crc32(header.subarray(0, 20)), 20);
  }
  await writeFile(file, bytes.subarray(first));
}

const refusal = /is damaged at byte 0 \(.*format 3, written by version .*; older versions cannot open it/;

describe.skipIf(!hasHistory)("F7: version 0.1.0 (skipped without the history of git)", () => {
  async function requireRefused(folder = dataDir): Promise<void> {
    const before = await contentOf(folder);
    const started = startProgram(await oldProgram(), folder).then((database) => database.end("SIGKILL"));
    await expect(started).rejects.toThrow(refusal);
    expect(await contentOf(folder)).toEqual(before);
  }

  async function writeAsBefore(signal: "SIGKILL" | "SIGTERM", count: number): Promise<void> {
    const database = await startProgram(await oldProgram(), dataDir, "--compaction-bytes", "3000");
    const client = await MongoClient.connect(database.uri);
    const items = client.db("db").collection<{ _id: number }>("items");
    await items.createIndexes([{ key: { text: 1 } }]);
    for (let _id = 0; _id < count; _id++) await items.insertOne({ _id });
    await client.close();
    await database.end(signal);
  }

  it.each<[string, (engine: Engine) => unknown, string[]]>([
    ["no commit", () => undefined, ["log-1.db"]],
    ["a log", (engine) => engine.commit(), ["log-1.db"]],
    ["a snapshot and a log", (engine) => engine.compact(), ["log-2.db", "snapshot-2.db"]],
  ])("refuses a folder of today with %s, and changes nothing", async (title, andThen, names) => {
    await write(title === "no commit" ? [] : [1, 2, 3], andThen);
    expect((await readdir(dataDir)).sort()).toEqual(names);
    await requireRefused();
    expect((await read()).documents).toBe(title === "no commit" ? 0 : 3);
  });

  it("refuses a folder of today after a crash in the middle of a write, and changes nothing", async () => {
    await write([1, 2, 3]);
    await appendFile(join(dataDir, "log-1.db"), frameHeader(Buffer.alloc(100), 0, 0));
    await requireRefused();
    expect((await read()).documents).toBe(3);
  });

  it.each(["SIGTERM", "SIGKILL"] as const)(
    "is followed by today's on the same data, once and for all (%s)",
    async (signal) => {
      await writeAsBefore(signal, 40);
      const lines: string[] = [];
      const engine = new Engine(dataDir, { report: (line) => lines.push(line) });
      await engine.open();
      const items = engine.collections.get("db.items");
      expect(items?.documents.size).toBe(40);
      expect([...(items?.indexes.keys() ?? [])]).toEqual(["_id_", "text_1"]);
      for (const name of (await readdir(dataDir)).filter((one) => one.endsWith(".db"))) {
        expect((await readFile(join(dataDir, name))).subarray(0, firstFrame().length)).toEqual(firstFrame());
      }
      expect(lines).toEqual([expect.stringMatching(/of an older format were rewritten/)]);
      await engine.close();
      await requireRefused();
      expect((await read()).documents).toBe(40);
    },
  );

  it("finds a sound folder wherever the rewriting of its data was cut off", async () => {
    await writeAsBefore("SIGTERM", 10);
    const old = (await readdir(dataDir)).map((name) => Number(/^log-(\d+)\.db$/.exec(name)?.[1] ?? 0));
    const begun = Math.max(...old) + 1;
    const finished = join(base, "finished");
    await cp(dataDir, finished, { recursive: true });
    await read(finished);
    const snapshot = `snapshot-${begun + 1}.db`;
    expect((await readdir(finished)).sort()).toEqual([`log-${begun + 1}.db`, snapshot]);
    const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);
    const written = await readFile(join(finished, snapshot));
    const steps: [name: string, bytes: Buffer][][] = [
      [[`log-${begun}.db.tmp`, half(firstFrame())]],
      [[`log-${begun}.db`, firstFrame()]],
      [
        [`log-${begun + 1}.db`, firstFrame()],
        [`${snapshot}.tmp`, half(written)],
      ],
      [[snapshot, written]],
    ];
    for (const [place, step] of steps.entries()) {
      for (const [name, bytes] of step) await writeFile(join(dataDir, name), bytes);
      const copy = join(base, `step ${place}`);
      await cp(dataDir, copy, { recursive: true });
      if (place > 0) await requireRefused(copy);
      expect((await read(copy)).documents).toBe(10);
      await requireRefused(copy);
    }
  });
});

it("F7: reads and rewrites the files of the format before, frames of the first version among them", async () => {
  await write([1, 2]);
  const log = join(dataDir, "log-1.db");
  await withoutFormat(log);
  const bytes = await readFile(log);
  bytes.writeUInt32LE(0x31504f46, 0); // the first frame is one of the first version
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 20)), 20);
  await writeFile(log, bytes);
  const { documents, lines } = await read();
  expect(documents).toBe(2);
  expect(lines).toHaveLength(1);
  expect((await readdir(dataDir)).sort()).toEqual(["log-3.db", "snapshot-3.db"]);
  expect(await read()).toEqual({ documents: 2, lines: [] });
});

it.each(["log-3.db", "snapshot-2.db"])(
  "F7: refuses files of a later format, and says which version wrote them (%s)",
  async (name) => {
    await write([1, 2], (engine) => engine.compact());
    const file = join(dataDir, name);
    const payload = buildFormatPayload({ format: 4, version: "7.8.9" });
    const header = Buffer.from(firstFrame().subarray(0, 24));
    header.writeUInt32LE(payload.length, 4);
    header.writeUInt32LE(crc32(payload), 16);
    header.writeUInt32LE(crc32(header.subarray(0, 20)), 20);
    await writeFile(file, Buffer.concat([header, payload, Buffer.from("what a later version writes")]));
    const before = await contentOf(dataDir);
    const sentence = `${file} was written by version 7.8.9 of the server in format 4, and version ${packageJson.version} reads formats up to 3`;
    await expect(read()).rejects.toThrow(sentence);
    await expect(startProcess(dataDir)).rejects.toThrow(sentence);
    expect(await contentOf(dataDir)).toEqual(before);
  },
);

it("F7: keeps what it cuts off as unfinished, the last three of it, and says where", async () => {
  await write([1, 2]);
  const log = join(dataDir, "log-1.db");
  const { size } = await stat(log);
  for (let round = 1; round <= 5; round++) {
    await appendFile(log, `unfinished ${round}`);
    const { documents, lines } = await read();
    expect(documents).toBe(2);
    expect((await stat(log)).size).toBe(size);
    expect(lines).toEqual([
      expect.stringMatching(
        new RegExp(`^${log}: .* 12 bytes at byte ${size} was cut off and moved to .*unfinished-.*bin$`),
      ),
    ]);
    const kept = /moved to (.*)$/.exec(lines[0] ?? "")?.[1] ?? "";
    expect(await readFile(kept, "utf8")).toBe(`unfinished ${round}`);
    await rename(kept, kept.replace("unfinished-", `unfinished-0${round}`)); // in case the clock stands still
  }
  const names = (await readdir(dataDir)).filter((name) => name.startsWith("unfinished"));
  expect(await Promise.all(names.sort().map((name) => readFile(join(dataDir, name), "utf8")))).toEqual([
    "unfinished 3",
    "unfinished 4",
    "unfinished 5",
  ]);
});
