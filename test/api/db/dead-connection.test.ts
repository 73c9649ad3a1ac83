import { Socket } from "node:net";
import { Duplex } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import mongoose from "mongoose";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { buildClientOptions } from "@/lib/platform/db/connection/client-options";
import { connect, databaseState, disconnect } from "@/lib/platform/db/connection/connect";
import { watchConnection } from "@/lib/platform/db/connection/dead-connection";
import { DatabaseUnavailable } from "@/lib/platform/db/connection/errors";
import { requestLifeSign } from "@/lib/platform/db/connection/life-sign";
import { prepareDatabase } from "@/lib/platform/db/prepare";
import { whileReachable } from "@/lib/platform/db/connection/reachable";
import { replacedConnections } from "@/lib/platform/db/connection/replaced-connections";
import { readRevision } from "@/lib/platform/db/revision";
import { inTransaction } from "@/lib/platform/db/transaction";
import { DatabaseProxy } from "@/test/support/database-proxy";
import { runs } from "@/test/support/extent";
import { databaseUri, freshDatabaseName, testContext } from "@/test/support/database";
import { withOption } from "@/test/support/server";
import { hangMs } from "@/test/support/patience.mjs";

const proxy = new DatabaseProxy(databaseUri());
const patiently = { timeout: hangMs(120), interval: 50 };
let settings: { readonly uri: string; readonly dbName: string };
let endWatch = (): void => undefined;

const connectThrough = async (options = "") => {
  await proxy.open();
  settings = {
    uri: withOption(`${proxy.uri}${options}`, "serverSelectionTimeoutMS=2000"),
    dbName: freshDatabaseName(),
  };
  await connect(settings);
  await prepareDatabase();
};
const write = () => inTransaction(testContext, () => Promise.resolve("written"));

/** Servers that stream what they have to say are not asked, and so leave nothing to wait for. */
const polling = "&serverMonitoringMode=poll";

/** The driver's monitor from now on waits for ever, while its server counts as gone. */
async function stickMonitor(): Promise<void> {
  interface Monitored {
    readonly monitor: { readonly connection: { writeCommand: () => Promise<never> } | null; reset: () => void };
  }
  const { topology } = mongoose.connection.getClient() as unknown as {
    readonly topology: { readonly s: { readonly servers: ReadonlyMap<string, Monitored> } };
  };
  for (const { monitor } of topology.s.servers.values()) {
    if (monitor.connection === null) throw new Error("the driver's monitor is not connected");
    monitor.connection.writeCommand = () => new Promise<never>(() => undefined);
    // With servers that tell the version of their topology, as MongoDB does, the driver would start it anew.
    monitor.reset = () => undefined;
  }
  await wait(600);
  // One command fails, the server counts as gone, and nobody looks whether it is back.
  proxy.finish();
  await mongoose.connection.db
    ?.admin()
    .ping()
    .catch(() => undefined);
}

beforeEach(() => proxy.reserve());
afterEach(async () => {
  endWatch();
  endWatch = () => undefined;
  await disconnect();
  await proxy.shut();
});

describe("a connection that the driver does not mend", () => {
  it("N4: is replaced as soon as a new one works, and models go on with it in the same database", async () => {
    await connectThrough(polling);
    await write();
    endWatch = watchConnection({ settings, replaceAfterMs: 1_500, everyMs: 100 });
    const [before, client] = [replacedConnections(), mongoose.connection.getClient()];
    await stickMonitor();
    await vi.waitFor(() => expect(replacedConnections()).toBe(before + 1), patiently);
    expect(mongoose.connection.getClient()).not.toBe(client);
    expect(mongoose.connection.name).toBe(settings.dbName);
    expect(databaseState().status).toBe("connected");
    expect(await readRevision()).toBe(1);
    await expect(write()).resolves.toBe("written");
    expect(await readRevision()).toBe(2);
  });

  it("N4: its process is told when it shall end instead", async () => {
    await connectThrough(polling);
    let calls = 0;
    const before = replacedConnections();
    const onDead = () => {
      calls += 1;
    };
    endWatch = watchConnection({ settings, replaceAfterMs: 1_500, giveUpAfterMs: 1_500, onDead, everyMs: 100 });
    await stickMonitor();
    await vi.waitFor(() => expect(calls).toBeGreaterThan(0), patiently);
    expect(replacedConnections()).toBe(before);
  });

  it("N4: one that only waits for its database is left alone", async () => {
    await connectThrough();
    const before = replacedConnections();
    endWatch = watchConnection({ settings, replaceAfterMs: 4_000, everyMs: 100 });
    await proxy.shut();
    await vi.waitFor(() => expect(databaseState().status).toBe("disconnected"), patiently);
    await wait(5_000);
    await proxy.open();
    await vi.waitFor(() => expect(databaseState().status).toBe("connected"), patiently);
    // The first write may find a machine so busy that nothing answers in time.
    await expect.poll(() => write().catch(String), patiently).toBe("written");
    expect(replacedConnections()).toBe(before);
  });
});

it("N4: when a database flaps nothing stays stuck, whatever way connections end", async () => {
  await connectThrough();
  endWatch = watchConnection({ settings, replaceAfterMs: 3_000, everyMs: 100 });
  const work = new AbortController();
  const ends: Promise<unknown>[] = [];
  const working = (async () => {
    while (!work.signal.aborted) {
      ends.push(...[readRevision(), whileReachable(readRevision()), write()].map((one) => one.catch(String)));
      await wait(10);
    }
  })();
  const ways: (() => unknown)[] = [
    () => proxy.finish(),
    () => proxy.reset(),
    () => proxy.shut(),
    () => proxy.silence(),
  ];
  for (let round = 0; round < runs(40, ways.length); round++) {
    await ways[round % ways.length]?.();
    await wait((round * 37) % 250);
    proxy.speak();
    await proxy.open();
    await wait((round * 53) % 250);
  }
  work.abort();
  await working;
  await Promise.all(ends);
  await vi.waitFor(() => expect(databaseState().status).toBe("connected"), patiently);
  await vi.waitFor(() => expect(write()).resolves.toBe("written"), patiently);
});

describe("a process that is busy itself", () => {
  const workFor = (ms: number) => {
    const end = performance.now() + ms;
    while (performance.now() < end);
  };

  it("N4: does not take its own business for silence of the database", async () => {
    await connectThrough();
    const busy = inTransaction(testContext, async (tx) => {
      await wait(400);
      requestLifeSign();
      // Longer than the database may be silent; its answer is there all the while.
      workFor(2_500);
      await wait(400);
      return tx.revision;
    });
    await expect(busy).resolves.toBe(1);
  });

  it("N4: is told of a silent database all the same", async () => {
    await connectThrough();
    const asked = inTransaction(testContext, async () => {
      proxy.silence();
      await wait(400);
      workFor(2_500);
      await wait(10_000);
    });
    await expect(asked).rejects.toThrow(DatabaseUnavailable);
    proxy.speak();
  });
});

it("N4: a connection that ends while it is written to ends the command, though its socket says no more", async () => {
  await connectThrough();
  const writing = vi.spyOn(Socket.prototype, "write").mockImplementation(function (this: Socket, ...chunk: unknown[]) {
    if (this.remotePort !== proxy.port) return Duplex.prototype.write.apply(this, chunk as [string, BufferEncoding]);
    // As one that is lost: nobody hears "drain".
    this.destroy();
    return false;
  });
  await expect(write()).rejects.toBeInstanceOf(DatabaseUnavailable);
  writing.mockRestore();
  await vi.waitFor(() => expect(write()).resolves.toBe("written"), patiently);
});

it("N4: a process that was busy, or stopped, does not take its database for lost", async () => {
  await connectThrough();
  const now = Date.now();
  const clock = vi.spyOn(Date, "now").mockReturnValue(now + 60_000);
  expect(databaseState()).toEqual({ status: "connected", error: null });
  await expect(write()).resolves.toBe("written");
  clock.mockRestore();
});

describe("a silent network", () => {
  // The driver itself would find out after a minute.
  const slowDriver = "&connectTimeoutMS=60000";

  it("N4: reads and transactions end soon, before the driver knows", async () => {
    await connectThrough(slowDriver);
    proxy.silence();
    for (const outcome of await Promise.allSettled([whileReachable(readRevision()), write()])) {
      expect(outcome.status === "rejected" && outcome.reason).toBeInstanceOf(DatabaseUnavailable);
      expect(String(outcome.status === "rejected" && outcome.reason)).toContain("does not answer");
    }
    proxy.speak();
    await vi.waitFor(() => expect(write()).resolves.toBe("written"), patiently);
  });

  it("N4: is noticed by the driver within heartbeat and time to connect", async () => {
    await connectThrough();
    expect(buildClientOptions({ uri: "mongodb://h/" })).toMatchObject({
      connectTimeoutMS: 3_000,
      heartbeatFrequencyMS: 2_000,
    });
    const lost = new Promise((resolve) => mongoose.connection.once("disconnected", resolve));
    proxy.silence();
    await lost;
    expect(databaseState().status).toBe("disconnected");
    proxy.speak();
    await vi.waitFor(() => expect(databaseState().status).toBe("connected"), patiently);
  });
});
