import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withLock } from "@/lib/platform/db/lock";
import { DirectoryFailed } from "@/lib/apps/directory/client/errors";
import { lockOf, type TaskName } from "@/lib/jobs/task-names";
import type { Task } from "@/lib/jobs/task-run";
import { TaskRunner, type TaskRunnerOptions } from "@/lib/jobs/task-runner";
import { log } from "@/lib/platform/log";
import { DirectoryTaskModel } from "@/models/directory/directory-task";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { eventually } from "@/test/support/vehicle";

withDatabase();

const midnight = { hour: 0, minute: 0 };
const runners: TaskRunner[] = [];
beforeEach(() => {
  for (const level of ["info", "warn", "error"] as const) vi.spyOn(log, level).mockImplementation(() => undefined);
});
afterEach(async () => {
  vi.useRealTimers();
  for (const runner of runners.splice(0)) await runner.stop(5_000);
  await emptyDatabase();
  vi.restoreAllMocks();
});

function aRunner(tasks: readonly Task[], options: Partial<TaskRunnerOptions> = {}): TaskRunner {
  const runner = new TaskRunner({ tasks, lookMs: 20, repeatAfterMs: 20, ...options });
  runners.push(runner);
  return runner;
}
const aTask = (name: TaskName, run: Task["run"], after: readonly TaskName[] = []): Task => ({
  ...{ name, at: midnight, after },
  run,
});
const record = (name: TaskName) => DirectoryTaskModel.findById(name).lean();
function gate() {
  let open = (_: undefined): void => undefined;
  const opened = new Promise<undefined>((resolve) => (open = resolve));
  return { run: () => opened, open: () => open(undefined) };
}
const longAgo = new Date(0);

describe("S1: start-up", () => {
  it("starts all together, apps only when the lists have ended, well or badly", async () => {
    const events: string[] = [];
    const lists = { permissions: gate(), services: gate() };
    const noted = (name: TaskName, run: Task["run"], after?: readonly TaskName[]) =>
      aTask(
        name,
        async (report, stop) => {
          events.push(`+${name}`);
          try {
            return await run(report, stop);
          } finally {
            events.push(`-${name}`);
          }
        },
        after,
      );
    const runner = aRunner(
      [
        noted("applications", () => Promise.resolve({ read: 3 }), ["permissions", "service-types", "categories"]),
        noted("permissions", lists.permissions.run),
        noted("service-types", lists.services.run),
        noted("categories", () => Promise.reject(new DirectoryFailed("The directory did not answer."))),
        noted("languages", () => Promise.resolve(undefined)),
      ],
      { repeatAfterMs: 60_000 },
    );
    runner.start(longAgo);
    await eventually(() => Promise.resolve(events.includes("-languages") && events.includes("-categories")));
    await eventually(async () => (await record("applications"))?.state === "waiting");
    expect((await record("applications"))?.phase).toBe("waiting for permissions, service-types, categories");
    lists.services.open();
    await eventually(() => Promise.resolve(events.includes("-service-types")));
    expect(events).not.toContain("+applications");
    lists.permissions.open();
    await eventually(async () => (await record("applications"))?.state === "succeeded");
    expect(events.slice(-3)).toEqual(["-permissions", "+applications", "-applications"]);
    expect(await record("categories")).toMatchObject({
      state: "failed",
      lastError: "The directory did not answer.",
      succeededAt: null,
    });
    expect(await record("applications")).toMatchObject({ counts: { read: 3 }, lastError: null });
  });

  it("repeats a failed task once after a while, and leaves it to the schedule then", async () => {
    const run = vi.fn(() => Promise.reject(new DirectoryFailed("No.")));
    const other = vi.fn(() => Promise.resolve(undefined));
    aRunner([aTask("permissions", run), aTask("service-types", other)]).start(longAgo);
    await eventually(() => Promise.resolve(run.mock.calls.length === 2));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([run.mock.calls.length, other.mock.calls.length]).toEqual([2, 1]);
  });
});

describe("4.2: never twice at the same time", () => {
  it("turns a second run away, in this process and in others", async () => {
    const { run, open } = gate();
    const work = vi.fn(run);
    const [one, other] = [aRunner([aTask("applications", work)]), aRunner([aTask("applications", work)])];
    const first = one.run("applications");
    await eventually(async () => (await record("applications"))?.state === "running");
    expect(await Promise.all([one.run("applications"), other.run("applications")])).toEqual(["busy", "busy"]);
    open();
    expect(await first).toBe("succeeded");
    expect(work).toHaveBeenCalledTimes(1);
    expect(await other.run("applications")).toBe("succeeded");
  });

  it("lets one of several that start together do it, and the others see that it is done", async () => {
    const work = vi.fn(() => Promise.resolve(undefined));
    const since = new Date();
    const starting = [1, 2, 3].map(() => aRunner([aTask("permissions", work)]));
    for (const runner of starting) runner.start(since);
    await eventually(async () => (await record("permissions"))?.state === "succeeded");
    for (const runner of starting) await runner.stop(5_000);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it("does not take the success of an earlier run for its own: changes made while the server was down count", async () => {
    const work = vi.fn(() => Promise.resolve(undefined));
    expect(await aRunner([aTask("applications", work)]).run("applications", new Date())).toBe("succeeded");
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await aRunner([aTask("applications", work)]).run("applications", new Date())).toBe("succeeded");
    expect(await aRunner([aTask("applications", work)]).run("applications", longAgo)).toBe("done");
  });

  it("finding G2: a success dated by a clock that ran ahead does not put a task off", async () => {
    const runner = aRunner([aTask("languages", () => Promise.resolve(undefined))]);
    expect(await runner.run("languages", new Date())).toBe("succeeded");
    expect(await runner.run("languages", new Date(0))).toBe("done");
    const ahead = new Date(Date.now() + 365 * 86_400_000);
    await DirectoryTaskModel.updateOne({ _id: "languages" }, { succeededFrom: ahead, succeededAt: ahead });
    expect(await runner.run("languages", new Date(0))).toBe("succeeded");
    expect(Number((await DirectoryTaskModel.findById("languages").lean())?.succeededFrom)).toBeLessThan(Number(ahead));
  });

  it("does at last what an instance that died had begun", async () => {
    const work = vi.fn(() => Promise.resolve(undefined));
    await withLock(lockOf("applications"), { wait: false }, async () => {
      aRunner([aTask("applications", work)]).start(longAgo);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(work).not.toHaveBeenCalled();
    });
    await eventually(() => Promise.resolve(work.mock.calls.length === 1));
  });

  it("lets go of the lock after a failure", async () => {
    const runner = aRunner([aTask("applications", () => Promise.reject(new TypeError("secret stored text")))]);
    expect(await runner.run("applications")).toBe("failed");
    expect((await record("applications"))?.lastError).toBe("Unexpected failure (TypeError); see the log");
    expect(await withLock(lockOf("applications"), { ttlMs: 1_000, wait: false }, () => Promise.resolve(1))).toEqual({
      result: 1,
    });
  });
});

it("progress: is stored while the task runs, seldom however often it is reported, and at its end", async () => {
  const { run, open } = gate();
  const writes = vi.spyOn(DirectoryTaskModel, "updateOne");
  const task = aTask("applications", async (report) => {
    report.phase("reading apps");
    for (let done = 0; done <= 5_000; done++) report.progress(done, 10_000);
    return run();
  });
  const running = aRunner([task], { pace: { storeEveryMs: 20, logEveryMs: 30 } }).run("applications");
  await eventually(async () => (await record("applications"))?.done === 5_000);
  expect(await record("applications")).toMatchObject({ state: "running", phase: "reading apps", total: 10_000 });
  await eventually(() => Promise.resolve(vi.mocked(log.info).mock.calls.some(([, line]) => line === "task under way")));
  open();
  await running;
  expect(writes.mock.calls.length).toBeLessThanOrEqual(4);
  writes.mockRestore();
  expect(await record("applications")).toMatchObject({ state: "succeeded", phase: null, done: 5_000, total: 10_000 });
  const messages = vi.mocked(log.info).mock.calls.map(([, line]) => line as string);
  expect([messages[0], messages.at(-1)]).toEqual(["task started", "task finished"]);
});

describe("4.2: schedule", () => {
  it("finding G2: is reckoned anew when the clock is set back", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 365 * 86_400_000 });
    const work = vi.fn(() => Promise.resolve(undefined));
    aRunner([aTask("languages", work)]).start(new Date());
    await eventually(async () => (await record("languages"))?.state === "succeeded");
    expect(Number((await record("languages"))?.nextRunAt)).toBeGreaterThan(Date.now());
    vi.useRealTimers();
    await eventually(async () => Number((await record("languages"))?.nextRunAt) < Date.now() + 2 * 86_400_000);
    await eventually(async () => Number((await record("languages"))?.succeededFrom) <= Date.now());
    expect(work).toHaveBeenCalledTimes(2);
  });

  it("says when each task runs next, in the given time zone, and runs it then, once", async () => {
    const work = vi.fn(() => Promise.resolve(undefined));
    const at = { hour: 0, minute: 30 };
    for (let instance = 0; instance < 2; instance++)
      aRunner([{ name: "applications", at, run: work }], { timeZone: "Asia/Tokyo" }).start(new Date());
    await eventually(async () => (await record("applications"))?.state === "succeeded");
    const next = await eventually(async () => (await record("applications"))?.nextRunAt);
    // Half past midnight in Tokyo, which knows no summer time.
    expect(next.toISOString()).toMatch(/T15:30:00\.000Z$/);
    expect(Number(next)).toBeGreaterThan(Date.now());

    vi.useFakeTimers({ now: Number(next) - 120_000, toFake: ["Date"] });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(work).toHaveBeenCalledTimes(1);
    vi.setSystemTime(Number(next) + 1_000);
    await eventually(async () => Number((await record("applications"))?.nextRunAt) > Number(next));
    await eventually(() => Promise.resolve(work.mock.calls.length === 2));
    await new Promise((resolve) => setTimeout(resolve, 100));
    vi.useRealTimers();
    expect(work).toHaveBeenCalledTimes(2);
  });

  it("does not repeat what it has done because its record cannot be stored", async () => {
    const work = vi.fn(() => Promise.resolve(undefined));
    const writes = vi.spyOn(DirectoryTaskModel, "updateOne").mockRejectedValue(new Error("the disk is full"));
    aRunner([aTask("languages", work)]).start(new Date());
    await eventually(() => Promise.resolve(work.mock.calls.length === 1));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(work).toHaveBeenCalledTimes(1);
    writes.mockRestore();
  });
});
