import { gzipSync } from "node:zlib";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { findRoute } from "@/test/support/route-calls";
import { CountStore } from "@/lib/fleet/count-store";
import { noteWriteRefusal } from "@/lib/platform/db/connection/write-refusal";
import { inTransaction } from "@/lib/platform/db/transaction";
import { createMetrics, joinFigures } from "@/server/metrics";
import { createVehicleWorkerFigures } from "@/server/figures/worker-figures";
import type { VehicleWorkerUse } from "@/lib/vehicle-api/worker-server";
import { createMainFigures } from "@/server/main/supervisor";
import { listFindings, policyStatus } from "@/lib/policy/status";
import type { RuntimeStatus } from "@/lib/policy/runtime-status";
import type { onMain } from "@/lib/platform/process/channel";
import { followServed } from "@/lib/platform/process/served";
import { AppCertificateModel } from "@/models/app-certificate";
import { DirectoryTaskModel } from "@/models/directory/directory-task";
import { ModuleConfigModel } from "@/models/module-config";
import { RolloutModel } from "@/models/rollout";
import { WebhookJobModel } from "@/models/directory/webhook-job";
import { withApi } from "@/test/support/api";
import { testContext } from "@/test/support/database";
import { aRequest, readAnswer } from "@/test/support/requests";
import { sampleRequest } from "@/test/support/vehicle";
import { patiently as timeout } from "@/test/support/patience.mjs";

/** Ends a hang, judges nothing. */
withApi();
const ask = async (path: string) => (await findRoute(`GET ${path}`).handler(aRequest(path))).text();
const valueOf = (text: string, series: string) => {
  const line = text.split("\n").find((one) => one.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length + 1));
};
const status = (): RuntimeStatus => {
  const current = policyStatus();
  if (current === null) throw new Error("no runtime");
  return current;
};

describe("N6: GET /metrics of a process that is alone", () => {
  it("tells its policy, its queues, its tasks and its certificates", async () => {
    const [end, earlier] = [new Date("2031-01-01T00:00:00Z"), new Date("2030-01-01T00:00:00Z")];
    const done = new Date(Date.now() - 3_600_000);
    await DirectoryTaskModel.updateOne(
      { _id: "applications" },
      { $set: { state: "failed", succeededAt: done } },
      { upsert: true },
    );
    await DirectoryTaskModel.updateOne(
      { _id: "languages" },
      { $set: { state: "failed", succeededAt: null } },
      { upsert: true },
    );
    await ModuleConfigModel.updateOne({ status: "PRODUCTION" }, { $set: { expirationTs: end } });
    for (const [_id, expirationTs] of [
      ["one", end],
      ["two", earlier],
    ] as const)
      await AppCertificateModel.updateOne(
        { _id },
        { $set: { container: "x", expirationTs, createdAt: done } },
        { upsert: true },
      );
    const waiting = await WebhookJobModel.countDocuments();

    const text = await ask("/metrics");
    const of = (name: string, labels = "") => valueOf(text, `${name}{${labels}process="server"}`);
    expect(text).toContain('policy_process_up{process="server"} 1');
    expect(of("policy_revision")).toBe(status().revision);
    expect(of("policy_apps")).toBe(status().apps);
    expect(of("policy_database_connected")).toBe(1);
    expect(of("policy_database_writable")).toBe(1);
    expect(of("policy_queue_length", 'queue="webhooks",')).toBe(waiting);
    expect(of("policy_queue_length", 'queue="decisions",')).toBeGreaterThanOrEqual(0);
    expect(of("policy_queue_length", 'queue="mail",')).toBe(0);
    const age = of("policy_task_success_age_seconds", 'task="applications",');
    expect(age).toBeGreaterThanOrEqual(3600);
    expect(age).toBeLessThan(7200);
    expect(of("policy_task_success_age_seconds", 'task="languages",')).toBeNull();
    // O1: a task that never succeeded can be told from one that nobody asks for.
    const successOf = (task: string) => of("policy_task_success_timestamp_seconds", `task="${task}",`);
    expect(successOf("applications")).toBe(done.getTime() / 1000);
    expect(["languages", "retention", "no-such-task"].map(successOf)).toEqual([0, 0, null]);
    expect(text).toContain('policy_console_requests_total{kind="api",status="5xx",process="server"} 0');
    const ends = (certificate: string) =>
      of("policy_certificate_end_timestamp_seconds", `certificate="${certificate}",`);
    expect(ends("module_production")).toBe(Number(end) / 1000);
    expect(ends("apps")).toBeLessThanOrEqual(Number(earlier) / 1000);
    const first = await AppCertificateModel.findOne().sort({ expirationTs: 1 }).lean();
    expect(of("policy_certificate_start_timestamp_seconds", 'certificate="apps",')).toBe(
      Math.floor(Number(first?.createdAt) / 1000),
    );
    expect(of("policy_served_revision")).toBeNull();
    noteWriteRefusal("The disk of the database is full");
    expect(await ask("/metrics")).toContain('policy_database_writable{process="server"} 0');
    noteWriteRefusal(null);
  });

  it("O3: tells of a rollout that it goes on, was paused, or was paused by the server", async () => {
    const at = async () => {
      const text = await ask("/metrics");
      const state = ["running", "paused", "braked"].map((one) =>
        valueOf(text, `policy_rollout_state{state="${one}",process="server"}`),
      );
      return [...state, valueOf(text, 'policy_rollout_ratio{process="server"}')];
    };
    expect(await at()).toEqual([0, 0, 0, null]);
    const steps = [{ percent: 10, hours: null }];
    await RolloutModel.collection.insertOne({ _id: 1, slot: "alive", state: "running", steps, step: 0 } as object);
    expect(await at()).toEqual([1, 0, 0, 0.1]);
    await RolloutModel.updateOne({ slot: "alive" }, { state: "paused" });
    expect(await at()).toEqual([0, 1, 0, 0.1]);
    await RolloutModel.updateOne({ slot: "alive" }, { brake: "rejected" });
    expect(await at()).toEqual([0, 0, 1, 0.1]);
    await RolloutModel.deleteMany();
  });

  it("tells how many changes wait for their turn; the one at work does not wait", async () => {
    const waiting = async () => valueOf(await ask("/metrics"), 'policy_queue_length{queue="writers",process="server"}');
    let [begun, end] = [false, (): void => undefined];
    const ended = new Promise<void>((resolve) => (end = resolve));
    const write = () =>
      inTransaction(testContext, (transaction) => {
        transaction.keepRevision();
        begun = true;
        return ended;
      });
    expect(await waiting()).toBe(0);
    const first = write();
    await expect.poll(() => begun, timeout).toBe(true);
    expect(await waiting()).toBe(0);
    const others = [write(), write()];
    await expect.poll(waiting, timeout).toBe(2);
    end();
    await Promise.all([first, ...others]);
    expect(await waiting()).toBe(0);
  });

  it("docs/metrics.md names each of its figures", async () => {
    const names = [...(await ask("/metrics")).matchAll(/^# TYPE (policy_\w+)/gm)].map(([, name]) => name);
    const documented = readFileSync("docs/metrics.md", "utf8");
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
  });

  it("every name says its unit, every counter that it is one", async () => {
    const types = [...(await ask("/metrics")).matchAll(/^# TYPE (\w+) (\w+)$/gm)];
    expect(types.length).toBeGreaterThan(15);
    for (const [, name = "", type] of types) {
      expect(name).toMatch(/^(?:policy|process|nodejs)_[a-z\d_]+$/);
      expect([name, name.endsWith("_total")]).toEqual([name, type === "counter"]);
      if (type === "histogram") expect(name).toMatch(/_seconds$/);
    }
  });
});

it("O1, O3: alerts and dashboard ask for nothing but figures that the processes export", async () => {
  const inUse = () => ({
    vehicles: { receiving: 0, bodyBytes: 0, clients: 0, waiting: 0, unsentBytes: 0, refused: {} },
    console: { underWay: 0, waiting: 0, slowClients: 0, bodyBytes: 0, passedOn: 0, refused: {} },
  });
  const figure = () => 0;
  const sources = { status, isDatabaseConnected: () => true };
  const vehicleWorker = createVehicleWorkerFigures("vehicle-worker-1", {
    ...sources,
    inUse: inUse as unknown as () => VehicleWorkerUse,
  });
  const main = createMainFigures({
    ...{ restarts: () => ({}), vehicleWorkersWanted: figure, vehicleWorkersRunning: figure },
  });
  const { text } = await joinFigures({ "vehicle-worker-1": await vehicleWorker.collect(), main: await main.collect() });
  const joined = await createMetrics(status, listFindings, { adoption: new CountStore().adoption }).collect();
  const exported = new Map(
    [...`${text}${joined.text}${await ask("/metrics")}`.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [
      name,
      type,
    ]),
  );
  const expressions = [
    ...parse(readFileSync("deploy/prometheus/alerts.yml", "utf8"))
      .groups.flatMap(({ rules }: any) => rules)
      .map(({ expr }: any) => expr),
    ...JSON.parse(readFileSync("deploy/grafana/open-policy-server.json", "utf8")).panels.flatMap(
      ({ targets = [] }: any) => targets.map(({ expr }: any) => expr),
    ),
  ];
  const asked = expressions.flatMap((expr) => expr.match(/\b(?:policy|nodejs|process)_\w+/g) ?? []);
  expect(new Set(asked).size).toBeGreaterThan(30);
  const isExported = (name: string) =>
    exported.has(name) || exported.get(name.replace(/_(?:bucket|count|sum)$/, "")) === "histogram";
  expect([...new Set(asked)].filter((name) => !isExported(name))).toEqual([]);
});

it("N6: GET /metrics joins all processes, and who does not answer is down", async () => {
  const vehicleWorker = createVehicleWorkerFigures("vehicle-worker-1", { status });
  vehicleWorker.observeVehicle({ environment: "production", status: 200, milliseconds: 1, repair: "scan" });
  const others = async () => ({ "vehicle-worker-1": await vehicleWorker.collect(), "vehicle-worker-2": [] });
  const metrics = createMetrics(status, listFindings, { name: "console", others });
  metrics.observeRequest({ kind: "page", status: 304, milliseconds: 5 });
  metrics.observeServed(1_500);
  const { text } = await metrics.collect();
  const line = 'policy_answers_total{environment="production",status="200",process="vehicle-worker-1"}';
  expect(valueOf(text, line)).toBe(1);
  const served = ["1", "2", "+Inf"].map((le) =>
    valueOf(text, `policy_change_served_seconds_bucket{le="${le}",process="console"}`),
  );
  expect(served).toEqual([0, 1, 1]);
  const repaired = (how: string) =>
    `policy_requests_repaired_total{environment="production",how="${how}",process="vehicle-worker-1"}`;
  expect(["utf8", "scan"].map((how) => valueOf(text, repaired(how)))).toEqual([0, 1]);
  expect(valueOf(text, 'policy_console_requests_total{kind="page",status="3xx",process="console"}')).toBe(1);
  expect(valueOf(text, 'policy_queue_length{queue="writers",process="console"}')).toBe(0);
  const up = ["console", "vehicle-worker-1", "vehicle-worker-2"].map((name) =>
    valueOf(text, `policy_process_up{process="${name}"}`),
  );
  expect(up).toEqual([1, 1, 0]);
});

it("N6: a vehicle that the framework answers is counted as a vehicle worker counts its own", async () => {
  const path = "/api/v1/staging/policy";
  const labels = (status: number) => `{environment="staging",status="${status}",process="server"}`;
  const counts = async () => {
    const text = await ask("/metrics");
    return [
      ...[200, 400, 415].map((code) => valueOf(text, `policy_answers_total${labels(code)}`) ?? 0),
      valueOf(text, 'policy_answer_seconds_count{environment="staging",process="server"}') ?? 0,
    ];
  };
  const before = await counts();
  const body = sampleRequest("1-app");
  const statuses = [];
  for (const sent of [
    { body },
    { body: gzipSync(body), headers: { "Content-Encoding": "gzip" } },
    { body: "{}" },
    { body, headers: { "Content-Encoding": "zstd" } },
  ])
    statuses.push((await findRoute(`POST ${path}`).handler(aRequest(path, sent))).status);
  expect(statuses).toEqual([200, 200, 400, 415]);
  expect((await counts()).map((count, at) => count - (before[at] ?? 0))).toEqual([2, 1, 1, 4]);
  const vehicleWorker = createVehicleWorkerFigures("vehicle-worker-1", { status });
  vehicleWorker.observeVehicle({ environment: "staging", status: 415, milliseconds: 1, repair: null });
  const { text } = await createMetrics(status, listFindings, {
    others: async () => ({ "vehicle-worker-1": await vehicleWorker.collect() }),
  }).collect();
  expect(valueOf(text, `policy_answers_total${labels(415).replace("server", "vehicle-worker-1")}`)).toBe(1);
});

describe("N5: what all vehicle workers serve is shown", () => {
  let forget: () => void;
  let serve: (revision: number) => void = () => undefined;
  const on = ((_kind: string, listener: (message: { kind: "served"; revision: number }) => void) => {
    serve = (revision) => listener({ kind: "served", revision });
    return () => undefined;
  }) as unknown as typeof onMain;
  beforeEach(() => {
    forget = followServed(on);
  });
  afterEach(() => forget());

  it("in about and the figures", async () => {
    const shown = async () => {
      const { data } = await readAnswer(await findRoute("GET /api/v1/about").handler(aRequest("/api/v1/about")));
      return data.policy;
    };
    const { revision } = status();
    expect(await shown()).toMatchObject({ revision, served_revision: null });
    const behind = (revision ?? 0) - 1;
    serve(behind);
    expect(await shown()).toMatchObject({ revision, served_revision: behind });
    expect(valueOf(await ask("/metrics"), 'policy_served_revision{process="server"}')).toBe(behind);
  });
});
