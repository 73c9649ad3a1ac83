import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once as onceEvent } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { deserialize } from "bson";
import { build, stop, type Plugin } from "esbuild";
import { MongoClient, type Db } from "mongodb";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { Engine } from "@/embedded/storage/engine";
import { encodeDoc } from "@/embedded/values/bson-bytes";
import { startEmbeddedDatabase } from "@/test/support/embedded-database";
import { temporaryFolder } from "@/test/support/temporary-folder";

/** Writes documents into a folder's files, one commit each; without more it is too little for a compaction. */
export async function writeItems(
  dataDir: string,
  ids: readonly number[],
  { text = "text", andThen = () => undefined }: { text?: string; andThen?: (engine: Engine) => unknown } = {},
): Promise<void> {
  const engine = new Engine(dataDir);
  await engine.open();
  const collection = engine.findOrCreate("db", "items");
  for (const _id of ids) {
    engine.insert(collection, _id, encodeDoc({ _id, text }), null);
    await engine.commit();
  }
  await andThen(engine);
  await engine.close();
}

export async function readItems(dataDir: string): Promise<{ documents: number; lines: string[] }> {
  const lines: string[] = [];
  const engine = new Engine(dataDir, { report: (line) => lines.push(line) });
  await engine.open();
  await engine.close();
  return { documents: engine.collections.get("db.items")?.documents.size ?? 0, lines };
}

export const openSocket = (uri: string) => connect(decodeURIComponent(/^mongodb:\/\/([^/]*)\//.exec(uri)?.[1] ?? ""));

export async function ask(socket: Socket, body: Uint8Array) {
  const head = Buffer.alloc(21);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(7, 4);
  head.writeInt32LE(2013, 12);
  socket.write(Buffer.concat([head, body]));
  const [answer] = (await onceEvent(socket, "data")) as [Buffer];
  expect(answer.readInt32LE(8)).toBe(7);
  return deserialize(answer.subarray(21));
}

/** One server for a test file; every test gets an empty database through `db()`. */
export function withServer() {
  let client: MongoClient;
  let uri: string;
  let close: () => Promise<void>;
  let count = 0;
  beforeAll(async () => {
    const server = await startEmbeddedDatabase({ dataDir: temporaryFolder() });
    ({ uri } = server);
    client = await MongoClient.connect(uri);
    close = async () => {
      await client.close();
      await server.close();
    };
  });
  beforeEach(() => count++);
  afterAll(() => close());
  return { client: () => client, db: (): Db => client.db(`test${count}`), uri: () => uri };
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A bundle starts in a fraction of the time that a loader for the sources takes. */
export async function bundleProgram(entry: string, plugins: Plugin[] = []): Promise<string> {
  // For all files of this process.
  const outfile = join(await mkdtemp(join(tmpdir(), "embedded-")), "main.mjs");
  const banner = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    banner: { js: banner },
    nodePaths: [join(root, "node_modules")],
    plugins,
  });
  await stop();
  process.once("exit", () => rmSync(dirname(outfile), { recursive: true, force: true }));
  return outfile;
}

const todaysProgram = once(() => bundleProgram(join(root, "test/support/embedded-main.ts")));

/** The last commit before the files of a folder told their format; 0.1.0 is this version. */
const oldCommit = "4adc43be23918a748e203a4309593c81da096475";

/** Whether this is a git checkout; a copy of the sources alone has no history to take the old version from. */
export const hasHistory = existsSync(join(root, ".git"));

export const oldProgram = once(async () => {
  const folder = temporaryFolder();
  try {
    const archive = execFileSync("git", ["archive", oldCommit, "embedded"], { cwd: root, maxBuffer: 2 ** 26 });
    execFileSync("tar", ["-x", "-C", folder], { input: archive });
    return await bundleProgram(join(folder, "embedded/main.ts"), [withoutAggregation]);
  } catch (cause) {
    throw new Error(`Commit ${oldCommit} is needed: fetch the whole history (git fetch --unshallow)`, { cause });
  }
});

/** 0.1.0 aggregated with mingo, which is no dependency any more; opening files and finding documents does not need it. */
const withoutAggregation: Plugin = {
  name: "without aggregation",
  setup(bundler) {
    bundler.onResolve({ filter: /^mingo\// }, ({ path }) => ({ path, namespace: "none" }));
    const contents = "module.exports = { Context: { init: () => ({}) }, ProcessingMode: {} };";
    bundler.onLoad({ filter: /./, namespace: "none" }, () => ({ contents }));
  },
};

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}

export interface DatabaseProcess {
  readonly uri: string;
  readonly pid: number;
  readonly end: (signal: "SIGKILL" | "SIGTERM") => Promise<void>;
}

export async function startProcess(dataDir: string, ...more: readonly string[]): Promise<DatabaseProcess> {
  return startProgram(await todaysProgram(), dataDir, ...more);
}

export async function startProgram(program: string, dataDir: string, ...more: string[]): Promise<DatabaseProcess> {
  const child: ChildProcess = spawn(process.execPath, [program, "--data-dir", dataDir, ...more], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let errors = "";
  child.stderr?.on("data", (chunk) => (errors += String(chunk)));
  const started = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout! }).once("line", (line) => resolve(JSON.parse(line).uri));
    child.once("close", () => reject(new Error(errors)));
  });
  const uri = await started;
  return {
    uri,
    pid: child.pid!,
    end: async (signal) => {
      child.kill(signal);
      await gone;
    },
  };
}
