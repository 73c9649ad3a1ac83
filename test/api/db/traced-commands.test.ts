import { randomUUID } from "node:crypto";
import mongoose from "mongoose";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect, disconnect } from "@/lib/platform/db/connection/connect";
import { runTaskOnce } from "@/lib/jobs/task-run";
import { currentSpan, inSpan } from "@/lib/platform/traces/traces";
import { collectTraces, spanNamed } from "@/test/support/collector";
import { databaseUri, freshDatabaseName } from "@/test/support/database";
import { endStubs } from "@/test/support/http-stub";

endStubs();

async function openDatabase() {
  const dbName = freshDatabaseName();
  await connect({ uri: databaseUri(), dbName });
  onTestFinished(async () => {
    await mongoose.connection.dropDatabase();
    await disconnect();
  });
  return { dbName, things: mongoose.connection.collection<{ _id: number; secret: string }>("things") };
}

describe("O4: commands to the database", () => {
  it("O4: are parts of the request they are sent for, with name and collection, and never a value", async () => {
    const { spans, text } = await collectTraces({ watchesDatabase: true });
    const { dbName, things } = await openDatabase();
    const secret = `open-sesame-${randomUUID()}`;
    await things.insertOne({ _id: 0, secret });
    await inSpan("request", { kind: "server" }, async () => {
      await things.insertMany([1, 2, 3, 4, 5].map((_id) => ({ _id, secret })));
      expect(await things.find({ secret }, { batchSize: 2 }).toArray()).toHaveLength(6);
    });
    await things.findOne({ secret });
    const delivered = await spans();
    const request = spanNamed(delivered, "request");
    const commands = delivered.filter((span) => span !== request);
    expect([...new Set(commands.map(({ name }) => name))].toSorted()).toEqual([
      "find things",
      "getMore things",
      "insert things",
    ]);
    for (const command of commands) {
      expect(command).toMatchObject({ kind: 3, traceId: request.traceId, parentSpanId: request.spanId });
      expect(command.duration).toBeGreaterThan(0);
      expect(command.attributes).toEqual({
        "db.system.name": "mongodb",
        "db.namespace": dbName,
        "db.operation.name": command.name.split(" ")[0],
        "db.collection.name": "things",
      });
    }
    expect(text()).not.toContain("open-sesame");
  });

  it("O4: each goes to its own request, also those of requests that wait for one connection", async () => {
    const { spans } = await collectTraces({ watchesDatabase: true });
    const { things } = await openDatabase();
    const names = Array.from({ length: 30 }, (_, at) => `request ${at}`);
    await Promise.all(
      names.map((name, at) =>
        inSpan(name, { kind: "server" }, async () => {
          for (let turn = 0; turn <= at % 3; turn++) await things.findOne({ _id: at });
        }),
      ),
    );
    const delivered = await spans();
    for (const [at, name] of names.entries()) {
      const { spanId } = spanNamed(delivered, name);
      expect(delivered.filter(({ parentSpanId }) => parentSpanId === spanId)).toHaveLength((at % 3) + 1);
    }
  });

  it("O4: one that fails says so by its kind, not by its values", async () => {
    const { spans, text } = await collectTraces({ watchesDatabase: true });
    await openDatabase();
    const wrong = () =>
      mongoose.connection.db?.command({ find: "things", filter: { $open_sesame: 1 } }) ??
      Promise.reject(new Error("no connection"));
    await expect(inSpan("request", { kind: "server" }, wrong)).rejects.toThrow("open_sesame");
    expect(spanNamed(await spans(), "find things")).toMatchObject({
      status: { code: 2 },
      attributes: { "error.type": "MongoServerError" },
    });
    expect(text()).not.toContain("open_sesame");
  });

  it("O4: those of a long work are counted beyond the first 500", async () => {
    const { spans } = await collectTraces({ watchesDatabase: true });
    const { things } = await openDatabase();
    await inSpan("task", { kind: "internal" }, async () => {
      for (let at = 0; at < 510; at++) await things.findOne({ _id: at });
    });
    const delivered = await spans();
    expect(delivered.filter(({ name }) => name === "find things")).toHaveLength(500);
    expect(spanNamed(delivered, "task").attributes).toEqual({ "policy.commands_left_out": 10 });
  });

  it("O4: a run of a directory task is a span, with the commands that it sends", async () => {
    const { spans } = await collectTraces({ watchesDatabase: true });
    const { things } = await openDatabase();
    const run = () => things.findOne({ _id: 1 }).then(() => ({ found: 0 }));
    const task = { name: "languages", at: { hour: 0, minute: 0 }, run } as const;
    expect(await runTaskOnce(task, new AbortController().signal)).toBe(true);
    const delivered = await spans();
    const { spanId, traceId } = spanNamed(delivered, "task languages");
    expect(spanNamed(delivered, "find things")).toMatchObject({ traceId, parentSpanId: spanId });
  });

  it("O4: without traces the driver tells nobody of its commands", async () => {
    await openDatabase();
    expect(mongoose.connection.getClient().options.monitorCommands).toBe(false);
    expect(mongoose.connection.getClient().listenerCount("commandStarted")).toBe(0);
    expect(currentSpan()).toBeNull();
  });
});
