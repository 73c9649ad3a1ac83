import { mkdtemp, rm } from "node:fs/promises";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { MongoClient, type Collection } from "mongodb";

/*
 * Measures the embedded database, each part for a limited time: `npx tsx bench/embedded.ts`. The database runs in its own
 * process, so that its memory is measured separately.
 */

const seconds = 4;
const documents = 100_000;

interface Item {
  readonly _id: number;
  readonly uuid: string;
  readonly name: string;
  readonly status: string;
  readonly count: number;
}

const itemOf = (n: number): Item => ({
  _id: n,
  uuid: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
  name: `application ${n % 5000}`,
  status: n % 3 === 0 ? "STAGING" : "PRODUCTION",
  count: n,
});

async function start(bundle: string, dataDir: string) {
  const began = performance.now();
  const child = spawn(process.execPath, [bundle, "--data-dir", dataDir], { stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", () => reject(new Error("the database did not start")));
  });
  const startMilliseconds = performance.now() - began;
  const { uri } = JSON.parse(line) as { uri: string };
  const rss = async () => {
    const status = await readFile(`/proc/${String(child.pid)}/status`, "utf8");
    const read = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
    return { now: read("VmRSS"), peak: read("VmHWM") };
  };
  const stop = () =>
    new Promise<void>((resolve) => {
      child.once("exit", () => resolve());
      child.kill("SIGTERM");
    });
  return { uri, startMilliseconds, rss, stop };
}

/** Calls per second with this many callers, each with one call in progress. */
async function rate(callers: number, call: (n: number) => Promise<unknown>): Promise<number> {
  let done = 0;
  const began = performance.now();
  const end = began + seconds * 1000;
  const run = async () => {
    while (performance.now() < end) await call(done++);
  };
  await Promise.all(Array.from({ length: callers }, run));
  return Math.round((done * 1000) / (performance.now() - began));
}

const bundle = join(await mkdtemp(join(tmpdir(), "embedded-bench-")), "main.mjs");
const dataDir = await mkdtemp(join(tmpdir(), "embedded-bench-"));
await build({
  entryPoints: [fileURLToPath(new URL("../test/support/embedded-main.ts", import.meta.url))],
  outfile: bundle,
  bundle: true,
  platform: "node",
  format: "esm",
});
const first = await start(bundle, dataDir);
console.log(`empty start: ${Math.round(first.startMilliseconds)} ms, memory ${(await first.rss()).now} MB`);
let client = await MongoClient.connect(first.uri, { maxPoolSize: 50 });
const inserts = client.db("bench").collection<{ _id: number; text: string }>("inserts");
let next = 0;
const insertOne = () => inserts.insertOne({ _id: next++, text: "a small document" });
await rate(50, insertOne); // warm up
for (const callers of [1, 50]) console.log(`durable inserts, ${callers} callers: ${await rate(callers, insertOne)}/s`);
await inserts.drop();

const items: Collection<Item> = client.db("bench").collection<Item>("items");
await items.createIndexes([{ key: { uuid: 1 }, unique: true }, { key: { name: 1, status: 1, _id: -1 } }]);
const bulkBegan = performance.now();
for (let n = 0; n < documents; n += 1000) {
  await items.insertMany(Array.from({ length: 1000 }, (_, at) => itemOf(n + at)));
}
console.log(`${documents} documents in batches of 1000: ${Math.round(performance.now() - bulkBegan)} ms`);
const memory = await first.rss();
console.log(`memory with ${documents} documents and 3 indexes: ${memory.now} MB (peak ${memory.peak})`);
const findOne = () => items.findOne({ uuid: itemOf(Math.floor(Math.random() * documents)).uuid });
for (const callers of [1, 50]) {
  console.log(`find by unique index, ${callers} callers: ${await rate(callers, findOne)}/s`);
}
const newest = () => items.find({ name: "application 7", status: "PRODUCTION" }).sort({ _id: -1 }).limit(1).toArray();
console.log(`newest by compound index, 50 callers: ${await rate(50, newest)}/s`);
await client.close();
const closeBegan = performance.now();
await first.stop();
console.log(`close: ${Math.round(performance.now() - closeBegan)} ms`);

const second = await start(bundle, dataDir);
const loaded = await second.rss();
console.log(
  `start with ${documents} documents: ${Math.round(second.startMilliseconds)} ms, memory ${loaded.now} MB (peak ${loaded.peak})`,
);
client = await MongoClient.connect(second.uri);
if ((await client.db("bench").collection("items").countDocuments()) !== documents)
  throw new Error("documents are missing");
await client.close();
await second.stop();
await rm(dataDir, { recursive: true });
await rm(join(bundle, ".."), { recursive: true });
