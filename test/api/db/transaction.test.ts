import { execFile } from "node:child_process";
import { promisify } from "node:util";
import mongoose from "mongoose";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { DatabaseUnavailable } from "@/lib/db/connection/errors";
import { inTransaction } from "@/lib/db/transaction";
import { onRevision, readRevision } from "@/lib/db/revision";
import { toAppError } from "@/lib/routes/to-app-error";
import { AuditEventModel } from "@/models/audit-event";
import { LanguageModel } from "@/models/language";
import { CounterModel } from "@/models/database/counter";
import { databaseUri, emptyDatabase, testContext, withDatabase } from "@/test/support/database";

const run = promisify(execFile);

withDatabase();
afterEach(emptyDatabase);

const addLanguage = (languageId: string) =>
  inTransaction(testContext, async (tx) => {
    const id = await tx.nextId("languages");
    await LanguageModel.insertMany([{ _id: id, languageId }], { session: tx.session });
    tx.record({ action: "languages.add", target: `language:${languageId}`, after: [id] });
    return { id, revision: tx.revision };
  });

describe("one transaction", () => {
  it("raises the revision by one, as it said it would (rule K3)", async () => {
    const before = await readRevision();
    const { revision } = await addLanguage("de-de");
    expect(revision).toBe(before + 1);
    expect(await readRevision()).toBe(revision);
  });

  it("writes one audit event with who, what, before and after", async () => {
    const { id, revision } = await addLanguage("fr-fr");
    const events = await AuditEventModel.find({ target: "language:fr-fr" }).lean();
    expect(events).toMatchObject([
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
