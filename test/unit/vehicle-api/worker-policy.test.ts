import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { containerKey, type Containers } from "@/lib/certificates/module/module-containers";
import { openVehicleWorkerDatabase } from "@/lib/vehicle-api/worker-database";
import { AppIndex } from "@/lib/policy/snapshot/app-index";
import { saveSnapshotFile } from "@/lib/policy/saved/snapshot-file";
import { aBaseGroup, aModuleConfig, aSnapshot, inBothViews } from "@/test/support/builders";
import { timeout } from "@/test/support/fake-policy-source";
import { aVehicleWorker } from "@/test/support/worker-policy";
import { mainTells, playMain, toldMain } from "@/test/support/main-process";
import { forgetSettings, generationEnv, useSettings } from "@/test/support/settings";
import { temporaryFolder } from "@/test/support/temporary-folder";

playMain();
forgetSettings();
vi.mock("@/lib/vehicle-api/worker-database", () => ({ openVehicleWorkerDatabase: vi.fn() }));
const open = vi.mocked(openVehicleWorkerDatabase);

const passphrase = "a passphrase of the tests";
const pair = { certificate: "CERT", privateKey: "KEY" };
const key = containerKey({ ...pair, passphrase });
const never = new Promise<string>(() => undefined);
const confirmedAt = Date.UTC(2026, 0, 2);
let dataDir = "";

beforeEach(() => {
  dataDir = temporaryFolder();
  useSettings({ DATA_DIR: dataDir, ...generationEnv(passphrase), MODULE_CONFIG_ENCRYPT_CERT_BUNDLE: "true" });
});

const snapshot = () =>
  aSnapshot({
    revision: 7,
    groups: inBothViews(aBaseGroup()),
    moduleConfigs: inBothViews(aModuleConfig(pair)),
    apps: new AppIndex(),
  });
const keep = (containers: Containers) =>
  saveSnapshotFile(dataDir, snapshot(), { databaseId: "db", confirmedAt }, containers);

describe("N2: a vehicle worker without the database", () => {
  it("serves what the console has kept on disk, tells main, and writes nothing", async () => {
    await keep({ [key]: "CONTAINER" });
    const before = readdirSync(dataDir).map((name) => [name, statSync(path.join(dataDir, name)).mtimeMs]);
    const vehicleWorker = aVehicleWorker(never);
    await vehicleWorker.reaches("degraded", 7);
    expect(vehicleWorker.answer()).toContain('"certificate":"CONTAINER"');
    expect(toldMain("serving")).toEqual([{ kind: "serving", revision: 7 }]);
    await vehicleWorker.stop();
    expect(readdirSync(dataDir).map((name) => [name, statSync(path.join(dataDir, name)).mtimeMs])).toEqual(before);
  });

  it("N15: the age of what it serves counts over restarts", async () => {
    await keep({ [key]: "CONTAINER" });
    const vehicleWorker = aVehicleWorker(never);
    await vehicleWorker.reaches("degraded", 7);
    expect(vehicleWorker.runtime.status().confirmedAt).toBe(confirmedAt);
  });

  it("waits where nothing is kept, and stops while it waits", async () => {
    const vehicleWorker = aVehicleWorker(never);
    await vehicleWorker.stop();
    expect(vehicleWorker.runtime.status()).toMatchObject({ state: "starting", lastError: null });
    expect(toldMain("serving")).toEqual([]);
  });
});

it("F4: is told to be answerable with its policy, and not before; without one, when nothing can be stored", async () => {
  const outcome = async (vehicleWorker: ReturnType<typeof aVehicleWorker>) => {
    let isAnswerable = false;
    void vehicleWorker.answerable().then(() => (isAnswerable = true));
    await vehicleWorker.runtime.savedTried;
    return () => isAnswerable;
  };
  const empty = await outcome(aVehicleWorker(never));
  await keep({});
  const incomplete = await outcome(aVehicleWorker(never));
  await new Promise((done) => setTimeout(done, 50));
  expect([empty(), incomplete()]).toEqual([false, false]);
  mainTells({ kind: "containers", containers: { [key]: "PACKED" } });
  await expect.poll(incomplete, timeout).toBe(true);
  expect(empty()).toBe(false);
  mainTells({ kind: "writes", refusal: "The disk is full" });
  await expect.poll(empty, timeout).toBe(true);
});

it("F4: opens its port without a policy when the database could not be reached several times, not while it has no data", async () => {
  const error = Object.assign(new Error("no"), { name: "DatabaseNotPrepared" });
  let tries = 0;
  open.mockImplementation(() => {
    tries += 1;
    if (tries > 4) error.name = "DatabaseUnavailable";
    return Promise.reject(error);
  });
  const vehicleWorker = aVehicleWorker(Promise.resolve("mongodb://nowhere/"));
  await vehicleWorker.answerable();
  expect([tries, vehicleWorker.runtime.status().state]).toEqual([7, "starting"]);
});

describe("N2, G6: containers of module certificates", () => {
  it("come from main when the file lacks them; until then the policy is not in service", async () => {
    await keep({});
    const vehicleWorker = aVehicleWorker(never);
    const lastError = "the policy kept on disk cannot be used (ContainerAwaited)";
    await expect.poll(() => vehicleWorker.runtime.status().lastError, timeout).toBe(lastError);
    mainTells({ kind: "containers", containers: { other: "X" } });
    expect(vehicleWorker.answer()).toBeNull();
    mainTells({ kind: "containers", containers: { other: "X", [key]: "PACKED" } });
    await vehicleWorker.reaches("degraded", 7);
    expect(vehicleWorker.answer()).toContain('"certificate":"PACKED"');
  });

  it("are left out when the console cannot pack them", async () => {
    await keep({ [key]: null });
    const vehicleWorker = aVehicleWorker(never);
    await vehicleWorker.reaches("degraded", 7);
    expect(vehicleWorker.answer()).not.toContain("certificate");
  });

  it("are those of the file for every vehicle worker, whatever is told later", async () => {
    await keep({ [key]: "CONTAINER" });
    const first = aVehicleWorker(never);
    await first.reaches("degraded", 7);
    mainTells({ kind: "containers", containers: { [key]: "ANOTHER" } });
    const second = aVehicleWorker(never);
    await second.reaches("degraded", 7);
    expect(second.answer()).toBe(first.answer());
    expect(first.answer()).toContain('"certificate":"CONTAINER"');
  });
});
