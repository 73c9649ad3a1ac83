import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { shownTasks } from "@/test/support/directory-server";
import { send } from "@/test/support/worker-server";
import { patiently as timeout } from "@/test/support/patience.mjs";
import { processTree } from "@/test/support/process-tree";
import { rawHead, sendRaw } from "@/test/support/raw-request";
import { aloneEnvironment, startServer, type TestServer } from "@/test/support/server";
import { requestTable, sampleRequest } from "@/test/support/vehicle";

const running: TestServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
});

async function start(env: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const server = await startServer({ env: { ...aloneEnvironment, ...env } });
  running.push(server);
  return server;
}

function childrenOf({ child }: TestServer): { readonly pid: number; readonly program: string }[] {
  const [, ...children] = processTree(child.pid ?? 0);
  return children.flatMap(({ pid, role }) => (role === null ? [] : [{ pid, program: role }]));
}

const programs = (server: TestServer) =>
  childrenOf(server)
    .map(({ program }) => program)
    .toSorted();
const pidOf = (server: TestServer, program: string) =>
  childrenOf(server).find((one) => one.program === program)?.pid ?? Number.NaN;
const isRunning = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
const statusOf = async (url: string) => (await fetch(url)).status;

describe("processes of a server", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ env: aloneEnvironment });
  });
  afterAll(() => server.stop());

  const save = (name: string) =>
    fetch(`${server.origin}/api/v1/groups`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ base_id: 0, name, is_default: true, is_proprietary_group: false, rpcs: [] }),
    });
  async function requireServed(name: string): Promise<void> {
    await vi.waitFor(async () => expect((await save(name)).status).toBe(200), timeout);
    await vi.waitFor(async () => {
      const { table } = await requestTable(server.origin, { environment: "staging" });
      expect(Object.keys(table.functional_groupings)).toContain(name);
    }, timeout);
  }
  async function replace(program: string): Promise<number> {
    const before = pidOf(server, program);
    process.kill(before, "SIGKILL");
    await vi.waitFor(() => {
      expect(pidOf(server, program)).toBeGreaterThan(0);
      expect(pidOf(server, program)).not.toBe(before);
    }, timeout);
    return before;
  }

  it("N6: /metrics tells what was passed on, what of that is under way, what was refused, and how many changes wait", async () => {
    const groups = `${server.origin}/api/v1/groups`;
    expect(await statusOf(groups)).toBe(200);
    expect((await fetch(groups, { method: "POST", body: "x".repeat(1_048_577) })).status).toBe(413);
    await vi.waitFor(async () => {
      const lines = (await (await fetch(`${server.origin}/metrics`)).text()).split("\n");
      const valueOf = (series: string) =>
        Number(
          lines
            .find((line) => line.startsWith(`${series} `))
            ?.split(" ")
            .at(-1),
        );
      expect(valueOf('policy_passed_on_total{to="console",status="2xx",process="vehicle-worker-1"}')).toBeGreaterThan(
        0,
      );
      expect(valueOf('policy_passed_on_total{to="console",status="4xx",process="vehicle-worker-1"}')).toBe(1);
      expect(valueOf('policy_passed_on_seconds_count{to="console",process="vehicle-worker-1"}')).toBeGreaterThan(1);
      expect(valueOf('policy_passed_on_under_way{process="vehicle-worker-1"}')).toBe(1);
      for (const name of ["waiting", "slow_clients", "body_bytes"])
        expect([name, valueOf(`policy_passed_on_${name}{process="vehicle-worker-1"}`)]).toEqual([name, 0]);
      expect(valueOf('policy_passed_on_refused_total{reason="length",process="vehicle-worker-1"}')).toBe(1);
      expect(
        valueOf('policy_passed_on_refused_total{reason="away",process="vehicle-worker-1"}'),
      ).toBeGreaterThanOrEqual(0);
      expect(valueOf('policy_queue_length{queue="writers",process="console"}')).toBeGreaterThanOrEqual(0);
    }, timeout);
  });

  it("3.7: without an app directory, not even the example, and without an RPC specification it reads none, and refuses webhooks", async () => {
    await vi.waitFor(
      () => expect(server.log().some(({ msg }) => msg.startsWith("no app directory"))).toBe(true),
      timeout,
    );
    expect((await shownTasks(server)).map(({ name }) => name)).toEqual(["retention"]);
    expect((await fetch(`${server.origin}/api/v1/webhook`, { method: "POST" })).status).toBe(401);
    expect((await fetch(`${server.origin}/api/v1/ui/sync`, { method: "POST" })).status).toBe(400);
  });

  it("N1: a vehicle worker and the embedded database come back, and what was written is served", async () => {
    for (const program of ["vehicle-worker", "database", "vehicle-worker"])
      await requireServed(`After ${await replace(program)}`);
  });

  it("F10: processes that start after the socket of the database was removed find their way", async () => {
    rmSync(path.join(server.dataDir, "database", "database.sock"));
    for (const program of ["console", "vehicle-worker"]) await replace(program);
    await requireServed("After the socket");
    const said = server
      .log()
      .filter(({ event }) => /database\.sock was removed and has been made again/.test(String(event)));
    expect(said).toHaveLength(1);
  });

  it("F3: without a file of the database writes are 503 until it is restarted, and everything else goes on", async () => {
    const folder = path.join(server.dataDir, "database");
    const log = path.join(folder, readdirSync(folder).find((name) => /^log-\d+\.db$/.test(name)) ?? "");
    renameSync(log, `${log}.aside`);
    const requireRefused = async () => {
      const response = await save("Lost");
      const { meta } = await response.json();
      expect([response.status, meta.message]).toEqual([503, expect.stringMatching(/deleted, moved or replaced/)]);
    };
    await requireRefused();
    expect(await statusOf(`${server.origin}/api/v1/groups`)).toBe(200);
    expect((await requestTable(server.origin)).status).toBe(200);
    renameSync(`${log}.aside`, log);
    await requireRefused();
    expect(server.log().filter(({ event }) => /was deleted, moved or replaced/.test(String(event)))).toHaveLength(1);
    await replace("database");
    await requireServed("After the log");
    const { table } = await requestTable(server.origin, { environment: "staging" });
    expect(Object.keys(table.functional_groupings)).not.toContain("Lost");
  });

  it("N3, N12: finishes requests that were passed on, over a socket in a folder that only this user may enter", async () => {
    const [socket] = readdirSync(path.join(server.dataDir, "run"));
    expect(socket).toBe(`console-${server.child.pid}.sock`);
    // The first one loads the page, which the stop would not wait for on a slow machine.
    expect(await statusOf(`${server.origin}/applications`)).toBe(200);
    // Each on a connection of its own: one that is kept may be answered before the others are even taken.
    const ask = (path: string) => sendRaw(server.port, rawHead(`GET ${path}`), false);
    // Few: a busy machine would not render more of them within the time that a stop takes at most.
    const answers = Promise.all(Array.from({ length: 5 }, () => ask("/applications")));
    // Answered after the other connections have been taken: they are taken in order.
    expect((await ask("/version")).status).toBe(200);
    await server.stop();
    expect(new Set((await answers).map(({ status }) => status))).toEqual(new Set([200]));
    expect(server.child.exitCode).toBe(0);
    expect(existsSync(path.join(server.dataDir, "run", socket ?? ""))).toBe(false);
  });
});

describe("default settings", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ env: { ...aloneEnvironment, VEHICLE_WORKERS: "" } });
  });
  afterAll(() => server.stop());

  it.skipIf(availableParallelism() < 2)(
    "F4: two vehicle workers; killed both at once, vehicles wait and none is refused",
    async () => {
      expect(programs(server)).toEqual(["console", "database", "vehicle-worker", "vehicle-worker"]);
      const statuses: number[] = [];
      const headers = { "content-type": "application/json" };
      for (const round of [1, 2]) {
        const vehicleWorkers = childrenOf(server).filter(({ program }) => program === "vehicle-worker");
        for (const { pid } of vehicleWorkers) process.kill(pid, "SIGKILL");
        await vi.waitFor(() => expect(vehicleWorkers.filter(({ pid }) => isRunning(pid))).toEqual([]), timeout);
        // On connections of their own: those of before are lost with the vehicle workers.
        const ask = () => send(`${server.origin}/api/v1/production/policy`, { headers, body: sampleRequest("1-app") });
        statuses.push(...(await Promise.all(Array.from({ length: 20 }, ask))).map(({ status }) => status));
        await vi.waitFor(
          () => expect(programs(server).filter((name) => name === "vehicle-worker")).toHaveLength(2),
          timeout,
        );
        expect(statuses).toHaveLength(20 * round);
      }
      expect(new Set(statuses)).toEqual(new Set([200]));
    },
  );

  it("F6: what is stopped ends with main, at once or with the next start; N12: a second signal ends everything", async () => {
    const first = server;
    // Without this path there is nothing that ends them at once.
    const env = { ...aloneEnvironment, VEHICLE_WORKERS: "", PATH: "/nowhere" };
    const leave = async ({ child }: TestServer, all: readonly { readonly pid: number; readonly program: string }[]) => {
      for (const { pid, program } of all) if (program !== "console") process.kill(pid, "SIGSTOP");
      child.kill("SIGKILL");
      await vi.waitFor(() => expect(isRunning(child.pid ?? 0)).toBe(false), timeout);
    };
    const all = childrenOf(first);
    await leave(first, all);
    if (existsSync("/usr/bin/setpriv"))
      await vi.waitFor(() => expect(all.filter(({ pid }) => isRunning(pid))).toEqual([]), timeout);
    const second = await startServer({ dataDir: first.dataDir, port: first.port, env });
    running.push(second);
    const left = childrenOf(second);
    await leave(second, left);
    const stopped = left.filter(({ program }) => program !== "console");
    expect(stopped.filter(({ pid }) => !isRunning(pid))).toEqual([]);
    const third = await startServer({
      ...{ dataDir: first.dataDir, port: first.port },
      env: { ...env, DRAIN_SECONDS: "300" },
    });
    running.push(third);
    expect((await requestTable(third.origin)).status).toBe(200);
    expect(left.filter(({ pid }) => isRunning(pid))).toEqual([]);
    expect(third.log().map(({ msg }) => msg)).toContain(
      "ended processes left behind by an earlier start of this server",
    );
    await requireEndBySecondSignal(third);
  });
});

it("other settings: N1, N12: VEHICLE_WORKERS says how many vehicle workers; all end when main is killed; a stop is announced for DRAIN_SECONDS", async () => {
  const first = await start({ VEHICLE_WORKERS: "3" });
  expect(programs(first)).toEqual(["console", "database", "vehicle-worker", "vehicle-worker", "vehicle-worker"]);
  expect((await requestTable(first.origin)).status).toBe(200);
  const pids = childrenOf(first).map(({ pid }) => pid);
  expect(pids).toHaveLength(5);
  first.child.kill("SIGKILL");
  await vi.waitFor(() => expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]), timeout);

  // Nothing keeps the port or DATA_DIR.
  const env = { ...aloneEnvironment, DRAIN_SECONDS: "1" };
  const server = await startServer({ dataDir: first.dataDir, port: first.port, env });
  running.push(server);
  expect((await requestTable(server.origin)).status).toBe(200);
  const stopped = server.stop("SIGHUP");
  await vi.waitFor(async () => {
    const ready = await fetch(`${server.origin}/health/ready`);
    expect([ready.status, ready.headers.get("connection"), (await ready.json()).state]).toEqual([
      503,
      "close",
      "stopping",
    ]);
  }, timeout);
  const page = await fetch(`${server.origin}/version`);
  expect([page.status, page.headers.get("connection")]).toEqual([200, "close"]);
  expect((await requestTable(server.origin)).status).toBe(200);
  await stopped;
  expect(server.child.exitCode).toBe(0);
});

it("N1c, E11: while the disk hangs, main replaces vehicle workers, which know only their secrets, and it can be stopped", async () => {
  const METRICS_TOKEN = "m".repeat(32);
  const server = await start({ METRICS_TOKEN });
  const tellsToken = (program: string) =>
    readFileSync(`/proc/${pidOf(server, program)}/environ`, "utf8").includes(METRICS_TOKEN);
  // Without "database" on the second engine.
  expect([...new Set(programs(server))].filter(tellsToken)).toEqual(["console"]);
  const note = path.join(server.dataDir, "run", `processes-${server.child.pid}.json`);
  rmSync(note);
  // Whoever opens it waits for a reader.
  execFileSync("mkfifo", [note]);
  for (let round = 0; round < 2; round++) {
    const before = pidOf(server, "vehicle-worker");
    process.kill(before, "SIGKILL");
    await vi.waitFor(async () => {
      expect([before, Number.NaN]).not.toContain(pidOf(server, "vehicle-worker"));
      expect((await requestTable(server.origin)).status).toBe(200);
    }, timeout);
  }
  const ended = new Promise((resolve) => server.child.once("exit", resolve));
  server.child.kill("SIGTERM");
  await ended;
});

async function requireEndBySecondSignal(server: TestServer): Promise<void> {
  const pids = childrenOf(server).map(({ pid }) => pid);
  const ended = new Promise((resolve) => server.child.once("exit", resolve));
  server.child.kill("SIGTERM");
  await vi.waitFor(async () => expect(await statusOf(`${server.origin}/health/ready`)).toBe(503), timeout);
  server.child.kill("SIGTERM");
  expect(await ended).toBe(1);
  await vi.waitFor(() => expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]), timeout);
}
