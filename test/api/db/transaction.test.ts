import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import mongoose from "mongoose";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { realClock } from "@/lib/platform/db/clock";
import { DatabaseUnavailable } from "@/lib/platform/db/connection/errors";
import { processIdentity } from "@/lib/platform/db/connection/process-identity";
import { withLock } from "@/lib/platform/db/lock";
import { inTransaction, type WriteContext } from "@/lib/platform/db/transaction";
import { onRevision, readRevision } from "@/lib/platform/db/revision";
import { beginAttempts, watchDeadWriters } from "@/lib/platform/db/writers";
import { toAppError } from "@/app/_api/answer-request";
import { AuditEventModel } from "@/models/audit-event";
import { LanguageModel } from "@/models/language";
import { CounterModel } from "@/models/database/counter";
import { LockModel } from "@/models/database/lock";
import { type SentCommand, watchCommands } from "@/test/support/database-commands";
import { patiently as timeout } from "@/test/support/patience.mjs";
import { stopProcess } from "@/test/support/processes";
import { databaseUri, testContext, withEmptyDatabase } from "@/test/support/database";

const run = promisify(execFile);

withEmptyDatabase();

const addLanguage = (languageId: string, attempt: () => void = () => undefined) =>
  inTransaction(testContext, async (tx) => {
    attempt();
    const id = await tx.nextId("languages");
    await LanguageModel.insertMany([{ _id: id, languageId }], { session: tx.session });
    tx.record({ action: "languages.add", target: `language:${languageId}`, after: [id] });
    return { id, revision: tx.revision };
  });

describe("one transaction", () => {
  it("raises the revision by one, as it said it would (rule K3), with one event: who, what, before and after", async () => {
    const before = await readRevision();
    const { id, revision } = await addLanguage("fr-fr");
    expect([revision, await readRevision()]).toEqual([before + 1, before + 1]);
    expect(await AuditEventModel.find({ target: "language:fr-fr" }).lean()).toMatchObject([
      { actor: "admin", route: "test", action: "languages.add", before: null, after: [id], revision },
    ]);
  });

  it("leaves the revision alone when nothing was changed", async () => {
    const before = await readRevision();
    const heard: number[] = [];
    const stop = onRevision((revision) => heard.push(revision));
    await inTransaction(testContext, (tx) => {
      tx.keepRevision();
      return Promise.resolve();
    });
    stop();
    expect(await readRevision()).toBe(before);
    expect(heard).toEqual([]);
  });

  it("leaves nothing behind when the work fails (rule 0.9.3)", async () => {
    const before = await readRevision();
    const work = inTransaction(testContext, async (tx) => {
      const id = await tx.nextId("languages");
      await LanguageModel.insertMany([{ _id: id, languageId: "it-it" }], { session: tx.session });
      tx.record({ action: "languages.add", target: "language:it-it" });
      throw new Error("changed my mind");
    });
    await expect(work).rejects.toThrow("changed my mind");
    expect(await LanguageModel.countDocuments()).toBe(0);
    expect(await AuditEventModel.countDocuments()).toBe(0);
    expect(await CounterModel.findById("languages").lean()).toMatchObject({ value: 0 });
    expect(await readRevision()).toBe(before);
  });

  it("tells this process after the commit, and only until it is told to stop", async () => {
    const heard: number[] = [];
    const stop = onRevision((revision) => heard.push(revision));
    const { revision } = await addLanguage("sv-se");
    stop();
    await addLanguage("pl-pl");
    expect(heard).toEqual([revision]);
  });

  it("goes on with the next command after one that failed", async () => {
    const failing = inTransaction(testContext, () => Promise.reject(new Error("no")));
    const following = addLanguage("tr-tr");
    await expect(failing).rejects.toThrow("no");
    await expect(following).resolves.toMatchObject({ id: 1 });
  });
});

describe("many at once", () => {
  it("loses none of 100 concurrent commands and gives each its own id and revision", async () => {
    const before = await readRevision();
    const results = await Promise.all(Array.from({ length: 100 }, (_, index) => addLanguage(`l${index}`)));
    const ids = results.map((result) => result.id).toSorted((a, b) => a - b);
    expect(ids).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(new Set(results.map((result) => result.revision)).size).toBe(100);
    expect(await readRevision()).toBe(before + 100);
    expect(await LanguageModel.countDocuments()).toBe(100);
  });

  it("loses none of the commands of several processes that write at once (rule B3)", async () => {
    const before = await readRevision();
    const processes = Array.from({ length: 4 }, async () => {
      const writer = ["--import", "tsx", "test/support/writer-process.ts"];
      const { stdout } = await run(process.execPath, [...writer, databaseUri(), mongoose.connection.name, "25"]);
      return z.array(z.int()).parse(JSON.parse(stdout));
    });
    const ids = (await Promise.all(processes)).flat().toSorted((a, b) => a - b);
    expect(ids).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(await readRevision()).toBe(before + 100);
    expect(await LanguageModel.countDocuments()).toBe(100);
    const events = await AuditEventModel.find({}).sort({ _id: 1 }).lean();
    expect(events.map(({ revision }) => revision)).toEqual(Array.from({ length: 100 }, (_, n) => before + n + 1));
  });
});

describe("F1: a process that is killed in the middle of a transaction", () => {
  it("holds up nobody: the next command is stored at once, and nothing of the killed one is", async () => {
    const args = ["--import", "tsx", "test/support/writer-process.ts", databaseUri(), mongoose.connection.name];
    const child = spawn(process.execPath, [...args, "1", "stand"], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    const owner = processIdentity.replace(/\d+$/, String(child.pid));
    expect(await LockModel.find({ owner }).lean()).toMatchObject([{ sessions: [expect.any(String)] }]);
    await stopProcess(child, "SIGKILL");
    const attempt = vi.fn();
    const { id } = await addLanguage("en-gb", attempt);
    // By itself the database would end the transaction after 60 s, in which there are some 240.
    expect(attempt.mock.calls.length).toBeLessThan(12);
    expect(await LanguageModel.find({}).lean()).toMatchObject([{ _id: id, languageId: "en-gb" }]);
  });

  it("N20: gives its signs of life without waiting for the disk, behind which a save would stand", async () => {
    const concerns: unknown[] = [];
    const note = ({ command }: SentCommand) => {
      if (command.findAndModify === "locks") concerns.push(command.writeConcern);
    };
    const every = (_ms: number, beat: () => void) => (beat(), () => undefined);
    await watchCommands(note, async () => {
      beginAttempts({ ...realClock, every });
      await vi.waitFor(() => expect(concerns).toEqual([{ w: 1, j: false }]), timeout);
    });
  });

  async function holdCounter(work: (session: mongoose.ClientSession) => Promise<void>) {
    const session = await mongoose.startSession();
    session.startTransaction();
    await CounterModel.updateOne({ _id: "languages" }, { $inc: { value: 1 } }, { session });
    const sessions = [String(session.id?.id.toUUID())];
    const expiresAt = new Date(Date.now() + 3_600_000);
    await LockModel.insertMany([{ _id: "writer;elsewhere;1;2", owner: "elsewhere;1;2", expiresAt, sessions, beat: 1 }]);
    await work(session);
    await session.endSession();
  }

  it("elsewhere is dead after 1.5 s without a sign of life, not before; whoever was only silent starts again", async () => {
    let passed = 0;
    const look = watchDeadWriters({ ...realClock, elapsed: () => passed });
    const lookAfter = (ms: number) => {
      passed += ms;
      return look();
    };
    await holdCounter(async (session) => {
      await look();
      await lookAfter(1_499);
      await LockModel.updateOne({ owner: "elsewhere;1;2" }, { $inc: { beat: 1 } });
      await lookAfter(1);
      await lookAfter(1_499);
      await CounterModel.findOne({ _id: "languages" }, null, { session });
      await lookAfter(1);
      await expect(session.commitTransaction()).rejects.toMatchObject({ errorLabels: ["TransientTransactionError"] });
    });
    expect(await LockModel.countDocuments({ owner: "elsewhere;1;2" })).toBe(1);
    expect(await CounterModel.findById("languages").lean()).toMatchObject({ value: 0 });
  });

  it("gives no sign of life: a command that it blocks gets through by itself", () =>
    holdCounter(async () => {
      const attempt = vi.fn();
      expect(await addLanguage("nl-nl", attempt)).toMatchObject({ id: 1 });
      expect(attempt.mock.calls.length).toBeLessThan(60);
    }));

  it("and whose lock is taken over stores nothing any more of what it did under it", () =>
    holdCounter(async (session) => {
      await LockModel.insertMany([{ _id: "task", owner: "elsewhere;1;2/3", expiresAt: new Date(0) }]);
      expect(await withLock("task", { wait: false }, () => Promise.resolve("mine"))).toEqual({ result: "mine" });
      await expect(session.commitTransaction()).rejects.toMatchObject({ errorLabels: ["TransientTransactionError"] });
    }));

  it("gives signs of life while its transaction goes on", async () => {
    const beat = async () => (await LockModel.findOne({ owner: processIdentity }).lean())?.beat ?? 0;
    await inTransaction(testContext, async (tx) => {
      tx.keepRevision();
      const before = await beat();
      await expect.poll(beat).toBeGreaterThan(before);
    });
  });
});

it("N4, F9: changes of callers go before those of tasks, which are not held up for ever", async () => {
  const order: string[] = [];
  const note = (name: string, writer: WriteContext) =>
    inTransaction(writer, (tx) => {
      tx.keepRevision();
      order.push(name);
      return Promise.resolve();
    });
  const caller = { ...testContext, role: "admin" } as const;
  const task = { actor: "schedule", route: "test", requestId: null };
  const asked = ["task 0", "task 1", "task 2", ...Array.from({ length: 6 }, (_, at) => `caller ${at}`)];
  await Promise.all(asked.map((name) => note(name, name.startsWith("task") ? task : caller)));
  expect(order).toEqual([
    ...["task 0", "caller 0", "caller 1", "caller 2", "caller 3", "task 1", "caller 4", "caller 5", "task 2"],
  ]);
});

it("N4: 100 writers wait for their turn; the next one is answered 503 with Retry-After at once", async () => {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const write = () => inTransaction(testContext, () => gate);
  const waiting = Array.from({ length: 101 }, write);
  // All of them are in the queue, which begins with a look at the connection.
  await new Promise((resolve) => setImmediate(resolve));
  const refusal = await write().catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(DatabaseUnavailable);
  const told = toAppError(refusal);
  expect([told.status, told.headers["Retry-After"]]).toEqual([503, "5"]);
  expect(told.message).toMatch(/too many changes/i);
  open();
  await Promise.all(waiting);
  await expect(write()).resolves.toBeUndefined();
});
