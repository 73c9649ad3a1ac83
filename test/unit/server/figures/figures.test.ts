import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { joinFigures } from "@/server/metrics";
import { diskFigures } from "@/server/figures/console-figures";
import { createVehicleWorkerFigures } from "@/server/figures/worker-figures";
import { createMainFigures } from "@/server/main/supervisor";
import { createFigures } from "@/lib/platform/process/process-figures";
import type { RuntimeStatus } from "@/lib/policy/runtime-status";
import { countReplacedConnection } from "@/lib/platform/db/connection/replaced-connections";
import { droppedLines } from "@/lib/platform/log-output";
import type { Figures } from "@/lib/platform/process/messages";

const status: RuntimeStatus = {
  state: "ready",
  revision: 7,
  builtAt: Date.now() - 60_000,
  confirmedAt: null,
  apps: 3,
  groups: { staging: 1, production: 1 },
  messages: { staging: 1, production: 1 },
  database: "mongodb",
  lastError: null,
  unexpectedDatabase: null,
};
const overChannel = (figures: Figures): Figures => JSON.parse(JSON.stringify(figures));
const print = async (byProcess: Record<string, Figures>) => {
  const told = Object.fromEntries(Object.entries(byProcess).map(([name, figures]) => [name, overChannel(figures)]));
  return (await joinFigures(told)).text.split("\n");
};
async function linesOf(
  sources: Partial<Parameters<typeof createVehicleWorkerFigures>[1]> = {},
  prepare: (worker: ReturnType<typeof createVehicleWorkerFigures>) => void = () => undefined,
) {
  const worker = createVehicleWorkerFigures("vehicle-worker-1", { status: () => status, ...sources });
  prepare(worker);
  return print({ "vehicle-worker-1": await worker.collect() });
}
const lineOf = (lines: readonly string[], start: string) => lines.find((line) => line.startsWith(start));
const valueOf = (lines: readonly string[], series: string) => Number(lineOf(lines, `${series} `)?.split(" ").at(-1));

describe("N6: the figures of one process", () => {
  it("memory, processor time and event-loop delay have the names that dashboards know, in seconds and bytes", async () => {
    const lines = await print({ vehicleWorker: await createFigures("vehicle-worker-1").collect() });
    const of = (name: string) => valueOf(lines, `${name}{process="vehicle-worker-1"}`);
    expect(of("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
    expect(of("nodejs_heap_size_used_bytes")).toBeLessThan(of("process_resident_memory_bytes"));
    expect(of("process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(Math.abs(of("process_start_time_seconds") - performance.timeOrigin / 1000)).toBeLessThan(1);
    expect(of("nodejs_eventloop_lag_p50_seconds")).toBeGreaterThanOrEqual(0);
  });

  it("the delay of an event loop that stood is told once", async () => {
    const figures = createFigures("one");
    const longest = async () =>
      valueOf(await print({ one: await figures.collect() }), 'nodejs_eventloop_lag_max_seconds{process="one"}');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const until = performance.now() + 300;
    while (performance.now() < until);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const seen = await longest();
    expect(seen).toBeGreaterThan(0.2);
    expect(await longest()).toBeLessThan(seen);
  });

  it("what is not known or cannot be read is left out, the rest is told", async () => {
    const figures = createFigures("one");
    figures.add(
      { name: "policy_a", help: "a", type: "gauge", read: () => null },
      { name: "policy_b", help: "b", type: "gauge", read: () => Promise.reject(new Error("no database")) },
      { name: "policy_c", help: "c", type: "gauge", read: () => Number.NaN },
      { name: "policy_d", help: "d", type: "gauge", read: () => [{ labels: { queue: "x" }, value: 2 }] },
    );
    const lines = await print({ one: await figures.collect() });
    expect(lines.filter((line) => /^policy_[a-d]/.test(line))).toEqual(['policy_d{queue="x",process="one"} 2']);
  });
});

describe("O1: the disk that holds the data", () => {
  const read = async (folder: string) => {
    const figures = createFigures("console");
    figures.add(...diskFigures(folder));
    const lines = await print({ console: await figures.collect() });
    return ["free", "size"].map((of) => valueOf(lines, `policy_data_disk_${of}_bytes{process="console"}`));
  };

  it("tells what is left and its size, in bytes", async () => {
    const [free = 0, size = 0] = await read(tmpdir());
    expect(free).toBeGreaterThan(1024 * 1024);
    expect(size).toBeGreaterThan(free);
  });

  it("says nothing about a folder that is gone", async () =>
    expect(await read("/no/such/folder")).toEqual([Number.NaN, Number.NaN]));
});

describe("N6: a vehicle worker", () => {
  it("O1: series of failures begin at zero, so that the first failures are an increase", async () => {
    const vehicleWorker = createVehicleWorkerFigures("vehicle-worker-1", { status: () => status, inUse });
    const lines = await print({ "vehicle-worker-1": await vehicleWorker.collect() });
    for (const environment of ["staging", "production"])
      for (const code of [500, 503])
        expect(lines).toContain(
          `policy_answers_total{environment="${environment}",status="${code}",process="vehicle-worker-1"} 0`,
        );
    expect(lines).toContain('policy_passed_on_total{to="console",status="5xx",process="vehicle-worker-1"} 0');
    vehicleWorker.observeVehicle({ environment: "staging", status: 503, milliseconds: 1, repair: null });
    expect(await print({ "vehicle-worker-1": await vehicleWorker.collect() })).toContain(
      'policy_answers_total{environment="staging",status="503",process="vehicle-worker-1"} 1',
    );
  });

  const vehicles = {
    ...{ receiving: 2, bodyBytes: 4096, clients: 1, undeclared: 3, waiting: 0, unsentBytes: 9 },
    refused: { client: 3, bytes: 0, deadline: 0, length: 0, waiting: 0, unsent: 0 },
  };
  const gateway = {
    ...{ underWay: 4, waiting: 2, slowClients: 7, bodyBytes: 512, passedOn: 90 },
    refused: { length: 0, deadline: 0, bytes: 0, busy: 6, away: 5, died: 0, late: 0, malformed: 0 },
  };
  const inUse = () => ({ vehicles, console: gateway, handshakes: 8 });

  it("tells some of its metrics, if asked for them by name", async () => {
    const vehicleWorker = createVehicleWorkerFigures("vehicle-worker-1", { status: () => status, inUse });
    const some = await vehicleWorker.collect(["policy_answers_total", "process_start_time_seconds", "of_nobody"]);
    expect(some).toMatchObject([{ name: "policy_answers_total" }, { name: "process_start_time_seconds" }]);
  });

  it("tells answers to vehicles by environment and status, and those passed on by class", async () => {
    const lines = await linesOf({}, (worker) => {
      for (const milliseconds of [0.4, 0.5, 7, 6000])
        worker.observeVehicle({ environment: "production", status: 200, milliseconds, repair: null });
      for (const code of [200, 204, 404, null]) worker.observePassedOn(code, 30);
    });
    const production = 'environment="production",process="vehicle-worker-1"';
    expect(
      valueOf(lines, `policy_answers_total{environment="production",status="200",process="vehicle-worker-1"}`),
    ).toBe(4);
    const buckets = [0.0005, 0.005, 0.01, 5, "+Inf"].map((le) =>
      valueOf(lines, `policy_answer_seconds_bucket{le="${le}",${production}}`),
    );
    expect(buckets).toEqual([2, 2, 3, 3, 4]);
    expect(valueOf(lines, `policy_answer_seconds_count{${production}}`)).toBe(4);
    expect(valueOf(lines, `policy_answer_seconds_sum{${production}}`)).toBeCloseTo(6.0079);
    expect(lineOf(lines, "# TYPE policy_answer_seconds")).toBe("# TYPE policy_answer_seconds histogram");
    const passedOn = ["2xx", "4xx", "none"].map((of) =>
      valueOf(lines, `policy_passed_on_total{to="console",status="${of}",process="vehicle-worker-1"}`),
    );
    expect(passedOn).toEqual([2, 1, 1]);
    expect(valueOf(lines, 'policy_passed_on_seconds_sum{to="console",process="vehicle-worker-1"}')).toBeCloseTo(0.12);
  });

  it("tells its policy, with the confirmed age only where it is known", async () => {
    const lines = await linesOf();
    expect(lines).toContain('policy_revision{process="vehicle-worker-1"} 7');
    expect(lines).toContain('policy_current{process="vehicle-worker-1"} 1');
    expect(valueOf(lines, 'policy_age_seconds{process="vehicle-worker-1"}')).toBeGreaterThanOrEqual(60);
    expect(lineOf(lines, "policy_confirmed_age_seconds")).toBeUndefined();
    // A clock that was set back makes nothing younger than new.
    const confirmed = await linesOf({ status: () => ({ ...status, confirmedAt: Date.now() + 5000 }) });
    expect(valueOf(confirmed, 'policy_confirmed_age_seconds{process="vehicle-worker-1"}')).toBe(0);
  });

  it("tells what is in use and refused, its database and its log, where it is given them", async () => {
    const replaced = countReplacedConnection();
    expect(await linesOf({ inUse, isDatabaseConnected: () => false })).toEqual(
      expect.arrayContaining([
        'policy_bodies_receiving{process="vehicle-worker-1"} 2',
        'policy_body_bytes{process="vehicle-worker-1"} 4096',
        'policy_unsent_bytes{process="vehicle-worker-1"} 9',
        'policy_refused_total{reason="client",process="vehicle-worker-1"} 3',
        'policy_refused_total{reason="bytes",process="vehicle-worker-1"} 0',
        'policy_database_connected{process="vehicle-worker-1"} 0',
        `policy_database_connections_replaced_total{process="vehicle-worker-1"} ${replaced}`,
        `policy_log_lines_dropped_total{process="vehicle-worker-1"} ${droppedLines()}`,
      ]),
    );
    expect((await linesOf()).join("\n")).not.toMatch(/policy_(?:refused|database_connected)/);
  });

  it("tells what is in use on the way to the console, and what it answered in the console's place, by reason", async () =>
    expect(await linesOf({ inUse })).toEqual(
      expect.arrayContaining([
        'policy_passed_on_under_way{process="vehicle-worker-1"} 4',
        'policy_passed_on_waiting{process="vehicle-worker-1"} 2',
        'policy_passed_on_slow_clients{process="vehicle-worker-1"} 7',
        'policy_passed_on_body_bytes{process="vehicle-worker-1"} 512',
        'policy_passed_on_refused_total{reason="busy",process="vehicle-worker-1"} 6',
        'policy_passed_on_refused_total{reason="away",process="vehicle-worker-1"} 5',
        'policy_passed_on_refused_total{reason="late",process="vehicle-worker-1"} 0',
        "# TYPE policy_passed_on_refused_total counter",
        "# TYPE policy_passed_on_under_way gauge",
      ]),
    ));

  it("docs/metrics.md names each of its figures", async () => {
    const lines = await linesOf({ inUse, isDatabaseConnected: () => false });
    const names = lines.flatMap((line) => /^# TYPE (policy_\w+)/.exec(line)?.slice(1) ?? []);
    const documented = readFileSync("docs/metrics.md", "utf8");
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
  });
});

it("N6: main tells restarts by process and the vehicle workers it wants and has", async () => {
  const main = createMainFigures({
    restarts: () => ({ console: 2, "vehicle-worker-1": 0 }),
    vehicleWorkersWanted: () => 2,
    vehicleWorkersRunning: () => 1,
  });
  expect(await print({ main: await main.collect() })).toEqual(
    expect.arrayContaining([
      'policy_process_restarts_total{of="console",process="main"} 2',
      'policy_process_restarts_total{of="vehicle-worker-1",process="main"} 0',
      'policy_vehicle_workers_wanted{process="main"} 2',
      'policy_vehicle_workers_running{process="main"} 1',
      `policy_log_lines_dropped_total{process="main"} ${droppedLines()}`,
    ]),
  );
});

it("N6: the figures of all processes are printed together, each series once, and who has not answered is down", async () => {
  const figuresOf = async (name: string, revision: number) =>
    createVehicleWorkerFigures(name, { status: () => ({ ...status, revision }) }).collect();
  const lines = await print({
    "vehicle-worker-1": await figuresOf("vehicle-worker-1", 7),
    "vehicle-worker-2": await figuresOf("vehicle-worker-2", 6),
    console: [],
  });
  expect(lines).toEqual(
    expect.arrayContaining([
      'policy_revision{process="vehicle-worker-1"} 7',
      'policy_revision{process="vehicle-worker-2"} 6',
      'policy_process_up{process="vehicle-worker-1"} 1',
      'policy_process_up{process="vehicle-worker-2"} 1',
      'policy_process_up{process="console"} 0',
    ]),
  );
  expect(lines.filter((line) => line.startsWith("# TYPE policy_revision "))).toHaveLength(1);
  const series = lines
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.replace(/ [^ ]*$/, ""));
  expect(new Set(series).size).toBe(series.length);
});
