import { spawnSync, spawn } from "node:child_process";
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  openSync,
} from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { version } from "@/package.json";
import { listFiles } from "@/scripts/sources.mjs";
import { sourceStamp } from "@/scripts/stamp.mjs";
import { runDockerfile } from "@/test/support/dockerfile";
import { sendRaw } from "@/test/support/raw-request";
import { aloneEnvironment, freePort } from "@/test/support/server";
import { requestTable } from "@/test/support/vehicle";
import { bound, stopProcess, whenAnswered } from "@/test/support/processes";
import { temporaryFolder } from "@/test/support/temporary-folder";
import { findTool } from "@/test/support/tools";

/** The system's unprivileged user, who runs programs if this process may choose. */
const nobody = 65_534;
/** Null if this process is not root. */
const otherUser = process.getuid?.() === 0 ? nobody : null;
const identity = otherUser === null ? {} : { uid: otherUser, gid: otherUser };

function openFolder(): string {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  return folder;
}

function privateFolder(): string {
  const folder = temporaryFolder();
  chmodSync(folder, 0o700);
  if (otherUser !== null) chownSync(folder, otherUser, otherUser);
  return folder;
}

type UnprivilegedServer = Awaited<ReturnType<typeof startUnprivileged>>;

/** Starts a Node program as an unprivileged user, without any settings of this process, and waits for its server. */
async function startUnprivileged(
  [program, ...args]: readonly string[],
  { folder, env }: { folder: string; env: Readonly<Record<string, string>> },
) {
  const [port, logFile] = [await freePort(), path.join(openFolder(), "server.log")];
  const log = openSync(logFile, "a");
  const start = performance.now();
  const command = program === "node" || program === undefined ? process.execPath : program;
  const child = spawn(...bound(command, args), {
    ...identity,
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", NODE_ENV: "production", POLICY_SERVER_PORT: String(port), ...env },
    stdio: ["ignore", log, log],
  });
  const origin = `http://127.0.0.1:${port}`;
  await whenAnswered(`${origin}/health/ready`, () => {
    const ended = child.exitCode ?? child.signalCode;
    if (ended !== null) throw new Error(`the server ended with ${ended}; ${logFile}`);
  });
  // Milliseconds from its start until it answered vehicles.
  const readyAfter = Math.round(performance.now() - start);
  const stop = () => stopProcess(child, "SIGTERM").then(() => child.exitCode);
  return { origin, port, child, readyAfter, logFile, stop };
}

function runUnprivileged(
  args: readonly string[],
  { folder, env }: { folder: string; env: Readonly<Record<string, string>> },
) {
  const given = { PATH: process.env.PATH ?? "", ...env };
  return spawnSync(process.execPath, args, {
    ...identity,
    cwd: folder,
    env: { NODE_ENV: "production", ...given },
    encoding: "utf8",
  });
}

const file = path.resolve("dist", `open-policy-server-${version}.tar.gz`);
const running: UnprivilegedServer[] = [];
const stages: string[] = [];
let unpacked = "";
let contents: readonly string[] = [];
let server: UnprivilegedServer;

const start = async (...call: Parameters<typeof startUnprivileged>) => {
  const server = await startUnprivileged(...call);
  running.push(server);
  return server;
};
const listAll = () => {
  const entries = readdirSync(unpacked, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return files.map(({ parentPath, name }) => path.relative(unpacked, path.join(parentPath, name)));
};

beforeAll(async () => {
  const packed = spawnSync(process.execPath, ["scripts/package.mjs"], { encoding: "utf8" });
  if (packed.status !== 0) throw new Error(packed.stderr);
  console.log(packed.stdout.trim().split("\n").at(-1));
  const folder = openFolder();
  const tar = spawnSync("tar", ["-xzf", file, "-C", folder], { encoding: "utf8" });
  if (tar.status !== 0) throw new Error(tar.stderr);
  unpacked = path.join(folder, `open-policy-server-${version}`);
  // Where this process cannot give up its rights, the files lose theirs.
  spawnSync("chmod", ["-R", "a-w", unpacked]);
  contents = listAll();
  // As systemd does.
  const unit = readFileSync(path.join(unpacked, "deploy/open-policy-server.service"), "utf8");
  const [, command = ""] = /^ExecStart=\/usr\/bin\/(.*)$/m.exec(unit) ?? [];
  server = await start(command.split(" "), {
    folder: unpacked,
    env: { ...aloneEnvironment, DATA_DIR: privateFolder() },
  });
});
afterAll(async () => {
  for (const one of running) await one.stop();
  spawnSync("chmod", ["-R", "u+w", unpacked, ...stages]);
});

describe("npm run package", () => {
  it("O1: serves vehicles, console and API from a read-only folder as a user without rights, with the command of the unit for systemd", async () => {
    const { status, table } = await requestTable(server.origin);
    console.log(`${(statSync(file).size / 1e6).toFixed(1)} MB packed, ready after ${server.readyAfter} ms`);
    expect([status, Object.keys(table.functional_groupings).length]).toEqual([200, 26]);
    for (const page of ["/about", "/applications", "/policytable", "/changes", "/docs", "/login"]) {
      const answer = await fetch(`${server.origin}${page}`);
      const [, script] = /src="(\/_next\/static\/[^"]+\.js)"/.exec(await answer.text()) ?? [];
      expect([page, answer.status, script]).toEqual([page, 200, expect.any(String)]);
      expect((await fetch(`${server.origin}${script}`)).status).toBe(200);
    }
    for (const part of ["/icon.svg", "/api/v1/openapi.json", "/api/v1/groups?environment=staging"]) {
      expect([part, (await fetch(`${server.origin}${part}`)).status]).toEqual([part, 200]);
    }
  });

  // The oldest one is the least that it needs.
  it.each([20, 22, 24])(
    "O1, O10: serves vehicles with Node %s, and says three lines to somebody who tries it out",
    async (major) => {
      const program = findTool(`node-${major}`, `the package with Node ${major}`);
      if (program === null) return;
      // Where the unprivileged user may run it.
      const node = path.join(openFolder(), "node");
      copyFileSync(program, node);
      const dataDir = privateFolder();
      const own = await start([node, "server.js"], {
        folder: unpacked,
        env: { DATA_DIR: dataDir, RPC_SPEC_URL: "off" },
      });
      const said = () => readFileSync(own.logFile, "utf8").split("\n");
      await expect.poll(() => said().length).toBeGreaterThan(3);
      expect((await requestTable(own.origin)).status).toBe(200);
      expect(await own.stop()).toBe(0);
      expect(said()).toEqual([
        expect.stringContaining(`Open ${own.origin} `),
        expect.stringMatching(RegExp(`made up.*${dataDir}`)),
        expect.stringMatching(/^Next: docs\/tour\.md .*README\.md/),
        "",
      ]);
    },
  );

  it("O1: is the same for the same sources: no key that Next draws, the time of the commit", () => {
    const read = (name: string) => JSON.parse(readFileSync(path.join(name), "utf8"));
    const { encryptionKey } = read(".next/server/server-reference-manifest.json");
    const drawn: string[] = [encryptionKey, ...Object.values<string>(read(".next/prerender-manifest.json").preview)];
    const files = listAll().filter((name) => /^\.next\/.*\.(js|json|html|rsc)$/.test(name));
    const found = files.filter((name) => {
      const text = readFileSync(path.join(unpacked, name), "utf8");
      return drawn.some((key) => text.includes(key));
    });
    expect([drawn.length, found]).toEqual([4, []]);
    expect(sourceStamp()).toContain(readFileSync(path.join(unpacked, ".next/BUILD_ID"), "utf8"));
    const times = new Set(contents.map((name) => statSync(path.join(unpacked, name)).mtimeMs));
    expect(times.size).toBe(1);
  });

  it("O1: takes no key that everybody has for leaving out the checks before a page", async () => {
    const { preview } = JSON.parse(readFileSync(path.join(unpacked, ".next/prerender-manifest.json"), "utf8"));
    const head = `GET /about HTTP/1.1\r\nHost: foreign.example\r\nx-prerender-revalidate: ${preview.previewModeId}\r\n`;
    expect((await sendRaw(server.port, `${head}Connection: close\r\n\r\n`, false)).status).toBe(421);
  });

  it("O1: reads RPC specifications and certificates in threads of its own", async () => {
    const workers = contents.filter((name) => /^dist\/(?!vehicle-)[a-z-]+-worker\.js$/.test(name));
    expect(workers.sort()).toEqual(["dist/certificate-worker.js", "dist/rpc-specification-worker.js"]);
    const answer = await fetch(`${server.origin}/api/v1/backup`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/gzip"]);
    await answer.arrayBuffer();
  });

  it("O1: has stopped without a failure, and has written nothing into its folder", async () => {
    expect(await server.stop()).toBe(0);
    const lines = readFileSync(server.logFile, "utf8").split("\n").filter(Boolean);
    expect(lines.filter((line) => /^(?:error|fatal)$/.test(JSON.parse(line).level))).toEqual([]);
    expect(listAll()).toEqual(contents);
  });

  it("O1: has at most 60 MB, and neither build tools nor anything of the one who built it", () => {
    expect(statSync(file).size).toBeLessThan(60e6);
    const files = listAll();
    const foreign =
      /\.map$|\.tsx?$|\.node$|(^|\/)\.env($|\.local)|\.pem$|^(lib|app|server|test\/(?!fixtures\/policy)|scripts|models)\//;
    expect(files.filter((name) => foreign.test(name))).toEqual([]);
    expect(files.filter((name) => /node_modules\/(esbuild|typescript|tsx|vitest|eslint|sharp)\//.test(name))).toEqual(
      [],
    );
    const own = files.filter((name) => /\.(js|json|mjs)$/.test(name) && !name.startsWith("node_modules/"));
    const telling = own.filter((name) => readFileSync(path.join(unpacked, name), "utf8").includes(`${process.cwd()}/`));
    expect(telling).toEqual([]);
  });

  it("O1: brings the pages for operators and everything of deploy, and nothing that the builder has put there", () => {
    const isShipped = (name: string) => /^(docs|deploy)\//.test(name);
    expect(contents.filter(isShipped).toSorted()).toEqual(listFiles(".").filter(isShipped).toSorted());
    expect(contents).toEqual(expect.arrayContaining(["README.md", "SECURITY.md", "Dockerfile", ".dockerignore"]));
  });

  it("O1: lists every package that is inside, in CycloneDX", () => {
    const list = JSON.parse(readFileSync(path.join(unpacked, "parts.cdx.json"), "utf8"));
    expect([list.bomFormat, list.metadata.component.name]).toEqual(["CycloneDX", "open-policy-server"]);
    const foldersOf = ({ properties = [], components = [] }: any): string[] => [
      ...properties.flatMap(({ name, value }: any) => (name === "cdx:npm:package:path" ? [value] : [])),
      ...components.flatMap(foldersOf),
    ];
    const listed = new Set<string>(list.components.flatMap(foldersOf));
    const inside = listAll().flatMap((name) => /^(.*\/)?node_modules\/(@[^/]+\/)?[^/]+(?=\/)/.exec(name)?.[0] ?? []);
    const packages = new Set(inside.filter((name) => name.startsWith("node_modules/")));
    // Next brings code of others that it has bundled, under names of its own.
    const foreign = [...packages].filter((name) => !name.startsWith("node_modules/next/dist/"));
    expect(foreign.filter((name) => !listed.has(name))).toEqual([]);
    for (const name of ["react", "zod", "mongodb-connection-string-url/node_modules/whatwg-url"]) {
      expect(listed).toContain(`node_modules/${name}`);
    }
    const tools = /^node_modules\/(vitest|eslint|sharp|@img\/.*|@next\/swc-.*)$/;
    expect([...listed].filter((name) => tools.test(name))).toEqual([]);
    const refs = new Set(list.dependencies.map(({ ref }: { ref: string }) => ref));
    expect(list.components.filter((one: any) => !refs.has(one["bom-ref"]))).toEqual([]);
  });

  it("X4: brings the command line, which needs nothing but Node", () => {
    const folder = openFolder();
    const table = path.join(folder, "table.json");
    writeFileSync(table, JSON.stringify({ policy_table: {} }));
    const checked = runUnprivileged(["bin/open-policy.mjs", "check", table, "--json"], { folder: unpacked, env: {} });
    expect(checked.stderr).not.toContain("Cannot find");
    expect([checked.status, JSON.parse(checked.stdout)]).toEqual([1, expect.any(Object)]);
    const told = spawnSync("npm", ["run", "-s", "policy", "--", "--version"], { cwd: unpacked, encoding: "utf8" });
    expect(told.stdout.trim()).toBe(version);
    const { scripts } = JSON.parse(readFileSync(path.join(unpacked, "package.json"), "utf8"));
    expect(scripts.start).toBe("node server.js");
  });
});

it("Dockerfile: O2: its steps make a server that is healthy, not an administrator's, and stops when asked to", async () => {
  const text = readFileSync("Dockerfile", "utf8");
  const image = runDockerfile(text, { context: ".", args: { VERSION: version }, owner: otherUser });
  stages.push(...image.roots);
  spawnSync("chmod", ["755", image.root]);
  const dataDir = path.join(image.root, image.env.DATA_DIR ?? "");
  expect(image).toMatchObject({
    user: "node",
    stopSignal: "SIGTERM",
    env: { NODE_ENV: "production", DATA_DIR: "/data" },
  });
  expect(existsSync(path.join(image.folder, "package.tar.gz"))).toBe(false);
  const env = { ...aloneEnvironment, ...image.env, DATA_DIR: dataDir };
  const [, ...health] = image.health;
  expect(runUnprivileged(health, { folder: image.folder, env: { POLICY_SERVER_PORT: "9" } }).status).toBe(1);
  const own = await start(image.command, { folder: image.folder, env });
  expect((await requestTable(own.origin)).status).toBe(200);
  const healthy = runUnprivileged(health, { folder: image.folder, env: { POLICY_SERVER_PORT: String(own.port) } });
  expect(healthy.status).toBe(0);
  expect(await own.stop()).toBe(0);
});
