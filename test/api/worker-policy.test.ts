/** The policy of a vehicle worker on a database that others write (`processes.md` N2). */
import { readdirSync } from "node:fs";
import mongoose from "mongoose";
import { afterAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { containerKey } from "@/lib/certificates/module/module-containers";
import { verifyAuditEvents } from "@/lib/platform/audit/verify";
import { forgetHead } from "@/lib/platform/db/audit-head";
import { connect, disconnect } from "@/lib/platform/db/connection/connect";
import { raiseSchemaVersion, readDatabaseFacts, schemaVersion } from "@/lib/platform/db/connection/database-facts";
import { noteUnexpectedDatabase } from "@/lib/platform/db/connection/unexpected-database";
import { readRevision } from "@/lib/platform/db/revision";
import { inTransaction } from "@/lib/platform/db/transaction";
import { openVehicleWorkerDatabase } from "@/lib/vehicle-api/worker-database";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { saveSnapshotFile } from "@/lib/policy/saved/snapshot-file";
import { createConsolePolicy } from "@/server/install-services";
import { createDatabaseSource } from "@/server/database-source";
import { loadSettings } from "@/lib/platform/settings";
import { AppIndex } from "@/lib/policy/snapshot/app-index";
import { aBaseGroup, aSnapshot, inBothViews } from "@/test/support/builders";
import { databaseUri, emptyDatabase, freshDatabaseName, testContext } from "@/test/support/database";
import { timeout, seenOf, withResolvers } from "@/test/support/fake-policy-source";
import { aVehicleWorker } from "@/test/support/worker-policy";
import { mainTells, playMain, toldMain } from "@/test/support/main-process";
import { forgetSettings, generationEnv, useSettings } from "@/test/support/settings";
import { store, storeAppVersion, storeFlags, storeGroup, storeModuleConfig } from "@/test/support/stored-records";
import { temporaryFolder } from "@/test/support/temporary-folder";

playMain();
forgetSettings();

const dbName = freshDatabaseName();
const connectTest = () => connect({ uri: databaseUri(), dbName });
let dataDir = "";
beforeEach(async () => {
  // A vehicle worker closes the connection of its process when it stops.
  await connectTest();
  await emptyDatabase();
  dataDir = temporaryFolder();
  useSettings({ DATA_DIR: dataDir });
});
// A worker may still be writing there.
afterAll(async () => {
  await connectTest();
  await mongoose.connection.dropDatabase();
  await disconnect();
});

const storeUnfinished = () => store((tx) => storeModuleConfig(tx, "PRODUCTION"));
const storeFirst = async () => {
  await storeUnfinished();
  await raiseSchemaVersion();
};
const storeAnother = (name: string) => store((tx) => storeGroup(tx, { name, status: "PRODUCTION", isDefault: true }));
const wholeDatabase = async () => {
  const names = (await mongoose.connection.listCollections()).map(({ name }) => name).toSorted();
  const contents = names.map((name) => mongoose.connection.collection(name).find().sort({ _id: 1 }).toArray());
  return JSON.stringify([names, await Promise.all(contents)]);
};

it("N2: follows what the console commits, and writes nothing anywhere", async () => {
  await storeFirst();
  const vehicleWorker = aVehicleWorker(Promise.resolve(databaseUri()));
  await vehicleWorker.reaches("ready", 1);
  await storeAnother("Second");
  const before = await wholeDatabase();
  mainTells({ kind: "committed", revision: 2 });
  await vehicleWorker.reaches("ready", 2);
  expect(vehicleWorker.answer()).toContain('"Second"');
  expect(toldMain("serving").map(({ revision }) => revision)).toEqual([1, 2]);
  expect(await wholeDatabase()).toBe(before);
  await vehicleWorker.stop();
  expect(readdirSync(dataDir)).toEqual([]);
});

it("F4: opens its port with the first data", async () => {
  const vehicleWorker = aVehicleWorker(Promise.resolve(databaseUri()));
  let isAnswerable = false;
  const answerable = vehicleWorker.answerable().then(() => (isAnswerable = true));
  await expect.poll(() => vehicleWorker.runtime.status().lastError, timeout).toContain("DatabaseNotPrepared");
  expect(isAnswerable).toBe(false);
  await storeFirst();
  await answerable;
  expect(vehicleWorker.answer()).not.toBeNull();
});

it("N2: waits for the first data, which are the console's", async () => {
  const vehicleWorker = aVehicleWorker(Promise.resolve(databaseUri()));
  await expect.poll(() => vehicleWorker.runtime.status().lastError, timeout).toContain("DatabaseNotPrepared");
  expect(vehicleWorker.runtime.status().state).toBe("starting");
  await storeFirst();
  await vehicleWorker.reaches("ready", 1);
});

it("N2: takes unfinished first data while nobody can store the rest", async () => {
  await storeUnfinished();
  useSettings({ DATA_DIR: dataDir, MONGODB_URI: databaseUri(dbName) });
  const open = (takesUnfinished: boolean) =>
    openVehicleWorkerDatabase(loadSettings(), databaseUri(), null, takesUnfinished);
  await expect(open(false)).rejects.toMatchObject({ name: "DatabaseNotPrepared" });
  const database = await open(true);
  expect((await database.load()).revision).toBe(1);
  await database.close();
});

it("N2: apps of the database that are equal to those on disk stay the same, and with them what was compiled", async () => {
  const uuids = ["11111111-aaaa-4bbb-8ccc-000000000001", "22222222-aaaa-4bbb-8ccc-000000000002"];
  await storeFirst();
  await store(async (tx) => {
    for (const uuid of uuids) {
      await storeFlags(tx, uuid, {});
      await storeAppVersion(tx, uuid, "ACCEPTED");
    }
  });
  await saveSnapshotFile(dataDir, await createSnapshotLoader().load());
  await store((tx) => storeFlags(tx, uuids[1]!, { isAdministratorApp: true }));
  const { promise, resolve } = withResolvers();
  const vehicleWorker = aVehicleWorker(promise.then(() => databaseUri()));
  await vehicleWorker.reaches("degraded", 2);
  const [same, changed] = uuids.map((uuid) => vehicleWorker.runtime.snapshot?.apps.byUuid(uuid));
  const entry = vehicleWorker.runtime.policy("production")?.entryOf(uuids[0]!, true);
  resolve();
  await vehicleWorker.reaches("ready", 3);
  const { apps } = vehicleWorker.runtime.snapshot!;
  expect(same).toBeDefined();
  expect(apps.byUuid(uuids[0]!)).toBe(same);
  expect(apps.byUuid(uuids[1]!)).not.toBe(changed);
  expect(apps.byUuid(uuids[1]!)?.isAdministratorApp).toBe(true);
  expect(vehicleWorker.runtime.policy("production")?.entryOf(uuids[0]!, true)).toBe(entry);
});

const keepForeign = async () => {
  const groups = inBothViews(aBaseGroup({ name: "Foreign" }));
  const foreign = aSnapshot({ revision: 1, groups, apps: new AppIndex() });
  await saveSnapshotFile(dataDir, foreign, { databaseId: "another", confirmedAt: 1 });
};

it("F2, N15a: a policy on disk of another database stays in service, until the operator gives it up", async () => {
  await storeFirst();
  await keepForeign();
  const vehicleWorker = aVehicleWorker(Promise.resolve(databaseUri()));
  await expect
    .poll(() => vehicleWorker.runtime.status().unexpectedDatabase, timeout)
    .toContain("last served from database another");
  expect(vehicleWorker.runtime.status()).toMatchObject({ state: "degraded", revision: 1 });
  expect(vehicleWorker.answer()).toContain('"Foreign"');
  await vehicleWorker.stop();
  await connectTest();
  useSettings({ DATA_DIR: dataDir, ACCEPT_EMPTY_DATABASE: "another:1" });
  const next = aVehicleWorker(Promise.resolve(databaseUri()));
  await next.reaches("ready", 1);
  expect(next.answer()).not.toContain('"Foreign"');
});

it("F2, N15a: a console stores nothing in an empty database, for nobody, until the operator gives the policy up", async () => {
  onTestFinished(() => noteUnexpectedDatabase(false));
  await mongoose.connection.dropDatabase();
  await keepForeign();
  const aConsole = () => {
    const settings = loadSettings();
    const source = createDatabaseSource(settings, Promise.resolve(databaseUri()));
    const runtime = createConsolePolicy({ settings, source });
    onTestFinished(() => runtime.stop());
    runtime.start();
    return { runtime, ...seenOf(runtime) };
  };
  const first = aConsole();
  await expect.poll(() => first.runtime.status().unexpectedDatabase, timeout).toContain("The database is empty");
  const saving = inTransaction(testContext, () => Promise.resolve());
  await expect(saving).rejects.toMatchObject({ name: "DatabaseUnavailable", sentence: expect.stringContaining("log") });
  expect(first.answer()).toContain('"Foreign"');
  expect(await mongoose.connection.listCollections()).toEqual([]);
  await first.runtime.stop();
  useSettings({ DATA_DIR: dataDir, ACCEPT_EMPTY_DATABASE: "another:1", EXAMPLE_DIRECTORY: "false" });
  const second = aConsole();
  await expect.poll(() => second.runtime.status().state, timeout).toBe("ready");
  expect(second.answer()).toContain('"Base-4"');
});

it("W11: a running server keeps the end of the trail of a restored database that has taken the place of its own", async () => {
  await mongoose.connection.dropDatabase();
  onTestFinished(forgetHead);
  const settings = loadSettings();
  const source = createDatabaseSource(settings, Promise.resolve(databaseUri()));
  const runtime = createConsolePolicy({ settings, source });
  onTestFinished(() => runtime.stop());
  runtime.start();
  await expect.poll(() => runtime.status().state, timeout).toBe("ready");
  const note = (action: string) =>
    inTransaction(testContext, (tx) => {
      tx.record({ action, target: "thing" });
      return Promise.resolve();
    });
  const collection = (name: string) => mongoose.connection.collection<any>(name);
  const counter = { _id: "audit_events" };
  await note("backups.restore");
  const [events, end] = await Promise.all([
    collection("audit_events").find().toArray(),
    collection("counters").findOne(counter),
  ]);
  await note("test.lost");
  const { databaseId } = await readDatabaseFacts();
  await collection("audit_events").deleteMany({});
  await collection("audit_events").insertMany(events);
  await collection("counters").replaceOne(counter, end);
  await collection("database_facts").updateOne({}, { $set: { databaseId: "restored", succeeds: [databaseId] } });
  const revision = (await readRevision()) + 1;
  await collection("revision").updateOne({}, { $set: { value: revision } });
  await expect.poll(() => runtime.status().revision, timeout).toBe(revision);
  await note("test.write");
  expect(await verifyAuditEvents()).toMatchObject({ is_whole: true, broken_at: null });
});

it("N2: a database that a newer version has changed is left alone; the state on disk stays in service", async () => {
  await storeFirst();
  await raiseSchemaVersion(schemaVersion + 1);
  await saveSnapshotFile(dataDir, aSnapshot({ revision: 7, apps: new AppIndex() }));
  const vehicleWorker = aVehicleWorker(Promise.resolve(databaseUri()));
  await expect.poll(() => vehicleWorker.runtime.status().lastError, timeout).toContain("DatabaseRefused");
  expect(vehicleWorker.runtime.status()).toMatchObject({ state: "degraded", revision: 7 });
});

it("N2, G6: a revision whose container is not packed yet waits; one that could not be packed is renewed", async () => {
  const passphrase = "a passphrase of the tests";
  useSettings({ DATA_DIR: dataDir, ...generationEnv(passphrase), MODULE_CONFIG_ENCRYPT_CERT_BUNDLE: "true" });
  await storeFirst();
  const vehicleWorker = aVehicleWorker(Promise.resolve(databaseUri()));
  await vehicleWorker.reaches("ready", 1);
  const before = vehicleWorker.answer();
  const [certificate, privateKey] = ["CERT", "KEY"];
  await store((tx) => storeModuleConfig(tx, "PRODUCTION", { certificate, privateKey }));
  mainTells({ kind: "committed", revision: 2 });
  await vehicleWorker.reaches("degraded", 1);
  expect(vehicleWorker.runtime.status().lastError).toContain("ContainerAwaited");
  expect(vehicleWorker.answer()).toBe(before);
  const key = containerKey({ certificate, privateKey, passphrase });
  mainTells({ kind: "containers", containers: { [key]: null } });
  await vehicleWorker.reaches("ready", 2);
  expect(vehicleWorker.answer()).not.toContain("certificate");
  mainTells({ kind: "containers", containers: { [key]: "PACKED" } });
  await expect.poll(() => vehicleWorker.answer(), timeout).toContain('"certificate":"PACKED"');
  await vehicleWorker.reaches("ready", 2);
});

it("finding C2: is degraded while main says that the database takes no writes", async () => {
  await storeFirst();
  const vehicleWorker = aVehicleWorker(Promise.resolve(databaseUri()));
  await vehicleWorker.reaches("ready", 1);
  mainTells({ kind: "writes", refusal: "The disk is full." });
  await vehicleWorker.reaches("degraded", 1);
  expect(vehicleWorker.runtime.status().lastError).toBe("The disk is full.");
  mainTells({ kind: "writes", refusal: null });
  await vehicleWorker.reaches("ready", 1);
});
