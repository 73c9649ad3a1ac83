import mongoose from "mongoose";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connect, databaseState, disconnect, requireDatabase } from "@/lib/platform/db/connection/connect";
import { DatabaseRefused, DatabaseUnavailable } from "@/lib/platform/db/connection/errors";
import { prepareDatabase } from "@/lib/platform/db/prepare";
import { readRevision } from "@/lib/platform/db/revision";
import { inTransaction } from "@/lib/platform/db/transaction";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { databaseUri, freshDatabaseName, testContext } from "@/test/support/database";
import { DatabaseProxy } from "@/test/support/database-proxy";
import { impatient } from "@/test/support/server";
import { startStandaloneDatabase } from "@/test/support/standalone-database";

const proxy = new DatabaseProxy(databaseUri());
const patiently = { timeout: 60_000, interval: 50 };
const settings = () => ({ uri: impatient(proxy.uri), dbName: freshDatabaseName() });

beforeEach(() => proxy.reserve());
afterEach(async () => {
  await disconnect();
  await proxy.shut();
});

describe("a start without a database (rule B1)", () => {
  it("says so within the time that was set, and connects by itself once there is one", async () => {
    expect(databaseState().status).toBe("idle");
    await expect(connect(settings())).rejects.toThrow(DatabaseUnavailable);
    expect(databaseState().status).toBe("connecting");
    await expect(requireDatabase()).rejects.toThrow(DatabaseUnavailable);
    await proxy.open();
    await vi.waitFor(() => expect(databaseState().status).toBe("connected"), patiently);
    await expect(requireDatabase()).resolves.toBeUndefined();
  });

  it("finding C3: a connection string for readers of secondaries works, writes included (B7)", async () => {
    await proxy.open();
    const readers = "readPreference=secondaryPreferred&readPreferenceTags=dc:ny&maxStalenessSeconds=120";
    await connect({ ...settings(), uri: `${proxy.uri}&${readers}&readConcernLevel=linearizable&w=0` });
    await prepareDatabase();
    await inTransaction(testContext, async (tx) => {
      tx.record({ action: "test", target: "test" });
      await Promise.resolve();
    });
    expect(await readRevision()).toBe(1);
    expect((await createSnapshotLoader().load()).revision).toBe(1);
  });

  it("names neither host nor port in what it tells", async () => {
    expect(String(await connect(settings()).catch((reason: unknown) => reason))).not.toContain("127.0.0.1");
    expect(JSON.stringify(databaseState())).not.toContain("127.0.0.1");
  });
});

describe("a connected process", () => {
  it("connects once, however often it is asked to", async () => {
    await proxy.open();
    const chosen = settings();
    await Promise.all([connect(chosen), connect(chosen)]);
    const client = mongoose.connection.getClient();
    await connect(chosen);
    expect(mongoose.connection.getClient()).toBe(client);
  });

  it("takes the database name of the connection string when none is set", async () => {
    await proxy.open();
    await connect({ uri: proxy.uri.replace("/?", "/from_uri?") });
    expect(mongoose.connection.name).toBe("from_uri");
    await disconnect();
    await connect({ uri: proxy.uri });
    expect(mongoose.connection.name).toBe("policy_server");
  });

  it("does not try for minutes when the database goes away inside a transaction", async () => {
    await proxy.open();
    await connect({ ...settings(), uri: proxy.uri });
    await prepareDatabase();
    const writing = inTransaction(testContext, async (tx) => {
      await tx.nextId("languages");
      await proxy.shut();
      await tx.nextId("languages");
    });
    // The driver's own limit is two minutes; the queue behind a command would wait as long.
    const queued = inTransaction(testContext, () => Promise.resolve("queued"));
    await expect(writing).rejects.toThrow(DatabaseUnavailable);
    await expect(queued).rejects.toThrow(DatabaseUnavailable);

    await proxy.open();
    await vi.waitFor(() => expect(databaseState().status).toBe("connected"), patiently);
    await expect(inTransaction(testContext, () => Promise.resolve("written"))).resolves.toBe("written");
  });

  it("answers 'unavailable' while the database is away, and goes on by itself when it is back", async () => {
    await proxy.open();
    await connect({ ...settings(), uri: proxy.uri });
    await prepareDatabase();
    const loader = createSnapshotLoader();
    const before = await loader.load();
    const write = () => inTransaction(testContext, () => Promise.resolve("written"));

    await proxy.shut();
    await vi.waitFor(() => expect(databaseState().status).toBe("disconnected"), patiently);
    await expect(write()).rejects.toThrow(DatabaseUnavailable);
    await expect(loader.load()).rejects.toThrow(DatabaseUnavailable);

    await proxy.open();
    await vi.waitFor(() => expect(databaseState().status).toBe("connected"), patiently);
    await expect(write()).resolves.toBe("written");
    expect(await readRevision()).toBe(before.revision + 1);
    expect((await loader.load()).revision).toBe(before.revision + 1);
    await mongoose.connection.dropDatabase();
  });
});

it("a standalone server (rule B2) is refused with a sentence that says how to make it a replica set", async () => {
  const standalone = await startStandaloneDatabase();
  const error = await connect({ uri: standalone.uri }).catch((reason: unknown) => reason);
  await standalone.close();
  expect(error).toBeInstanceOf(DatabaseRefused);
  expect(String(error)).toMatch(/--replSet rs0.*rs\.initiate\(\).*replicaSet=rs0/);
  expect(databaseState().status).toBe("refused");
  await expect(requireDatabase()).rejects.toThrow(DatabaseRefused);
});
