import { pathToFileURL } from "node:url";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { GET as getAbout } from "@/app/api/v1/about/route";
import { POST as postSync } from "@/app/api/v1/ui/sync/route";
import { withLock } from "@/lib/platform/db/lock";
import { directoryEndpoint, rpcSpecificationSource } from "@/lib/apps/directory/client/endpoint";
import { createDirectoryRuntime, type DirectoryRuntime, findDirectoryRuntime } from "@/lib/apps/directory/runtime";
import { lockOf } from "@/lib/jobs/task-names";
import { saveTask } from "@/lib/jobs/task-run";
import { loadSettings } from "@/lib/platform/settings";
import { farFromMidnight } from "@/test/support/directory-server";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { aRequest, readAnswer } from "@/test/support/requests";
import { generationEnv, useSettings } from "@/test/support/settings";
import { eventually } from "@/test/support/vehicle";

withDatabase();

let runtime: DirectoryRuntime | null = null;
function start(): DirectoryRuntime {
  runtime = createDirectoryRuntime(loadSettings());
  runtime.start();
  return runtime;
}
afterEach(async () => {
  await runtime?.stop();
  await emptyDatabase();
});
const about = async () => (await readAnswer(await getAbout(aRequest("/api/v1/about")))).data.directory;
const sync = () => postSync(aRequest("/api/v1/ui/sync", { method: "POST" }));

describe("the example directory", () => {
  it("runs on loopback while no directory is configured, with keys of its own, and ends with the rest", async () => {
    useSettings({ TZ: farFromMidnight() });
    const running = start();
    await eventually(() => Promise.resolve(running.client() !== null));
    const endpoint = directoryEndpoint(loadSettings());
    expect(endpoint?.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(rpcSpecificationSource(loadSettings())).toBe(`${endpoint?.baseUrl}/rpc-spec/MOBILE_API.xml`);
    expect(await running.client()?.applications([])).toEqual([]);
    expect((await running.client()?.categories())?.length).toBeGreaterThan(0);
    await running.stop();
    expect(directoryEndpoint(loadSettings())).toBeNull();
    expect(findDirectoryRuntime()).toBeNull();
  });

  it.each([
    ["http://127.0.0.1:9/spec.xml", { RPC_SPEC_URL: "http://127.0.0.1:9/spec.xml" }],
    [path.resolve("package.json"), { RPC_SPEC_URL: String(pathToFileURL("package.json")) }],
    [null, { RPC_SPEC_URL: "off" }],
  ])("3.7: its RPC specification gives way to %s, and without any there is no task for it", async (source, env) => {
    useSettings({ ...env, TZ: farFromMidnight() });
    const running = start();
    await eventually(() => Promise.resolve(running.client() !== null));
    expect(rpcSpecificationSource(loadSettings())).toBe(source);
    // Tasks that there are not have no figures, so no alert can wait for their first success.
    const names: string[] = (await about()).tasks.map(({ name }: { name: string }) => name);
    const both = names.filter((name) => ["languages", "rpc-specification"].includes(name));
    expect(both).toHaveLength(source === null ? 0 : 2);
  });
});

describe("2.4: about", () => {
  const caSettings = generationEnv("hush");

  it("shows what tasks do, the same on every instance, and no key", async () => {
    useSettings({ ...caSettings, SHAID_PUBLIC_KEY: "public-key", SHAID_SECRET_KEY: "secret-key" });
    const at = new Date("2026-03-09T14:05:11.000Z");
    await withLock(lockOf("app-certificates"), { ttlMs: 60_000, wait: false }, async () => {
      await saveTask("app-certificates", { state: "running", phase: "renewing", done: 3, total: 8, startedAt: at });
      const directory = await about();
      expect(directory).toMatchObject({ mode: "shaid", base_url: "https://shaid.smartdevicelink.com" });
      expect(directory.tasks).toContainEqual({
        ...{ name: "app-certificates", state: "running", phase: "renewing", done: 3, total: 8, counts: null },
        ...{ started_ts: at.toISOString(), finished_ts: null, succeeded_ts: null, next_run_ts: null, last_error: null },
      });
      expect(directory.tasks).toContainEqual(expect.objectContaining({ name: "module-certificate", state: "waiting" }));
      expect(JSON.stringify(directory)).not.toMatch(/public-key|secret-key|hush/);
    });
    // Nobody holds the lock any more: the process of that run has ended.
    const left = (await about()).tasks.find(({ name }: { name: string }) => name === "app-certificates");
    expect(left).toMatchObject({ state: "failed", last_error: expect.stringContaining("Interrupted") });
  });

  it("says when a task runs next, but not when it was to run", async () => {
    useSettings(caSettings);
    const [past, future] = [new Date(Date.now() - 1_000), new Date(Date.now() + 60_000)];
    await saveTask("app-certificates", { nextRunAt: past });
    await saveTask("module-certificate", { nextRunAt: future });
    const next = new Map((await about()).tasks.map((task: any) => [task.name, task.next_run_ts]));
    expect(next.get("app-certificates")).toBeNull();
    expect(next.get("module-certificate")).toBe(future.toISOString());
  });
});

it("sync now is refused without a directory, and 503 before the work has begun", async () => {
  useSettings({ EXAMPLE_DIRECTORY: "false" });
  expect((await sync()).status).toBe(400);
  useSettings();
  expect((await sync()).status).toBe(503);
  runtime = createDirectoryRuntime(loadSettings());
  expect((await sync()).status).toBe(503);
});
