import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import mongoose from "mongoose";
import { describe, expect, it, vi } from "vitest";
import { writeBackupFile } from "@/lib/platform/backup/backup-file";
import { recordAuditEvent } from "@/lib/platform/audit/commands";
import { verifyAuditEvents } from "@/lib/platform/audit/verify";
import { findContent, findReplaced, requireRestorable, restoreDocuments } from "@/lib/platform/backup/restore";
import { readDatabaseFacts, requireKnownSchema } from "@/lib/platform/db/connection/database-facts";
import { prepareDatabase } from "@/lib/platform/db/prepare";
import { toAppError } from "@/app/_api/answer-request";
import { AccessTokenModel } from "@/models/access/access-token";
import { SignInModel } from "@/models/access/sign-in";
import { AuditEventModel } from "@/models/audit-event";
import { withBackupFile } from "@/test/support/backup-file";
import { content, firstData, withoutTrail } from "@/test/support/content";
import { elsewhere, emptyDatabase, testContext } from "@/test/support/database";
import { runs } from "@/test/support/extent";
import { randomStep } from "@/test/support/random-walk";
import { servedTables } from "@/test/support/served-tables";
import { take } from "@/test/support/take-step";

const { folder, file } = withBackupFile();

const restore = async () => restoreDocuments(file, await requireRestorable(file), nothing);
const nothing = { head: null, ids: [] };
const lines = () => gunzipSync(readFileSync(file)).toString("utf8").split("\n");
const rewrite = (change: (all: string[]) => string[]) => writeFileSync(file, gzipSync(change(lines()).join("\n")));

describe("X11: a backup", () => {
  it("brings any state back elsewhere: the same documents, and the same tables byte by byte", async () => {
    const property = fc.asyncProperty(fc.array(randomStep, { minLength: 1, maxLength: 25 }), async (steps) => {
      await emptyDatabase();
      await firstData();
      for (const step of steps) await take(step);
      const [before, tables] = [await content(), await servedTables()];
      rmSync(file, { force: true });
      await writeBackupFile(file);
      const restored = await elsewhere(async () => {
        await restore();
        return { content: await content(), tables: await servedTables() };
      });
      expect(withoutTrail(restored.content)).toEqual(withoutTrail(before));
      // The restore is an event itself, after all others.
      const { audit_events: events } = restored.content as { audit_events: readonly unknown[] };
      expect(events.slice(0, -1)).toEqual(before["audit_events"]);
      expect(restored.tables).toEqual(tables);
    });
    await fc.assert(property, { numRuns: runs(15), endOnFailure: true });
  });

  it("is a file of its owner that tells what it holds, and leaves no draft", async () => {
    await firstData();
    const outcome = await writeBackupFile(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(outcome.bytes).toBe(statSync(file).size);
    const header = await requireRestorable(file);
    expect(header.collections.functional_groups).toBeGreaterThan(10);
    expect(header.collections).not.toHaveProperty("locks");
    expect(header.collections).not.toHaveProperty(SignInModel.collection.collectionName);
    expect(Object.values(header.collections).reduce((sum, count) => sum + count, 0)).toBe(outcome.documents);
    expect(readdirSync(folder)).toEqual(["backup.gz"]);
    await expect(writeBackupFile(path.join(folder, "no/such/folder.gz"))).rejects.toThrow("ENOENT");
  });

  it("W13: lets no token of the backup in again; the first event afterwards tells of it, with both ends of the trail", async () => {
    await firstData();
    const token = {
      name: "CI",
      role: "admin",
      prefix: "12345678",
      hash: "0".repeat(64),
      createdAt: new Date(),
    } as const;
    await AccessTokenModel.insertMany([
      { _id: 1, ...token },
      { _id: 2, ...token, prefix: "23456789", expiresAt: new Date(Date.now() + 86_400_000) },
    ]);
    await recordAuditEvent(testContext, { action: "test.write", target: "thing" });
    const { head } = await verifyAuditEvents();
    await writeBackupFile(file);
    await elsewhere(async () => {
      await restoreDocuments(file, await requireRestorable(file), { head: "the head before", ids: ["replaced"] });
      const tokens = await AccessTokenModel.find({}).lean();
      expect(tokens.map(({ expiresAt }) => (expiresAt ?? new Date(8e15)) <= new Date())).toEqual([true, true]);
      const last = await AuditEventModel.findOne({}).sort({ _id: -1 }).lean();
      expect(last).toMatchObject({
        action: "backups.restore",
        after: { restored_head: head, replaced_head: "the head before" },
      });
      expect(await verifyAuditEvents()).toMatchObject({ is_whole: true, head: last?.hash });
    });
  });

  it("N15a: names the databases that the restored one replaces, itself a new one", async () => {
    await firstData();
    const { databaseId } = await readDatabaseFacts();
    await writeBackupFile(file);
    await elsewhere(async () => {
      const start = Date.now();
      await restoreDocuments(file, await requireRestorable(file), { head: null, ids: ["replaced", "before that"] });
      const restored = await readDatabaseFacts();
      expect(restored.succeeds).toEqual([databaseId, "replaced", "before that"]);
      expect(restored.databaseId).not.toBe(databaseId);
      expect(restored.madeAt).toBeGreaterThanOrEqual(start);
      expect((await findReplaced()).ids).toEqual([restored.databaseId, ...restored.succeeds]);
    });
  });

  it("signs nobody in: whoever was signed in where it is restored does so again", async () => {
    await firstData();
    await writeBackupFile(file);
    await elsewhere(async () => {
      await firstData();
      await SignInModel.collection.insertOne({ _id: "session" as never });
      await restore();
      expect(await SignInModel.collection.countDocuments()).toBe(0);
    });
  });

  it("F10: is a 503 with a sentence when the database loses what it was reading, and leaves no file", async () => {
    await firstData();
    const start = vi.spyOn(mongoose, "startSession");
    let isFirst = true;
    const told = () => {
      const session = start.mock.settledResults[0]?.value;
      // No database knows of a transaction with this number.
      if (isFirst && session instanceof mongoose.mongo.ClientSession) session.incrementTransactionNumber();
      isFirst = false;
    };
    const failure = toAppError(await writeBackupFile(file, told).catch((error: unknown) => error));
    start.mockRestore();
    expect([failure.status, failure.message]).toEqual([503, expect.stringMatching(/^The database broke off/)]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("shows one point in time, whatever is written meanwhile", async () => {
    await firstData();
    const before = await content();
    let isFirst = true;
    const write = mongoose.connection.collection("languages");
    const changes: Promise<unknown>[] = [];
    await writeBackupFile(file, () => {
      if (isFirst) changes.push(write.insertOne({ _id: 999 as never, languageId: "xx-xx" }));
      isFirst = false;
    });
    await Promise.all(changes);
    expect(await content()).not.toEqual(before);
    expect(withoutTrail(await elsewhere(async () => restore().then(content)))).toEqual(withoutTrail(before));
  });

  it("has nothing to back up in an empty database", async () => {
    await mongoose.connection.collection("database_facts").deleteMany({});
    await expect(writeBackupFile(file)).rejects.toThrow(
      "The database holds nothing of this server, or only what a version before 1.0 wrote",
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("X11: a file that is no whole backup changes nothing and says what is wrong with it", () => {
  const flip = (at: (size: number) => number) => () => {
    const bytes = readFileSync(file);
    const place = at(bytes.length);
    bytes[place] = (bytes[place] ?? 0) ^ 0x55;
    writeFileSync(file, bytes);
  };
  const spoiled: readonly (readonly [how: string, spoil: () => void, sentence: RegExp])[] = [
    ["cut off", () => writeFileSync(file, readFileSync(file).subarray(0, -2000)), /ends too early/],
    ["cut off at a line", () => rewrite((all) => all.slice(0, -3).concat("")), /ends too early/],
    ["without its last document", () => rewrite((all) => all.toSpliced(-3, 1)), /SHA-256|documents of/],
    ["garbled", flip((size) => size >> 1), /damaged|SHA-256|no document|ends too early/],
    ["of no gzip at all", () => writeFileSync(file, "hello"), /not compressed with gzip/],
    ["foreign", () => writeFileSync(file, gzipSync('{"format":"other"}\n')), /not a backup of this server/],
    ["of another kind of text", () => writeFileSync(file, gzipSync("a,b\n1,2\n")), /not a backup of this server/],
    ["empty", () => writeFileSync(file, gzipSync("")), /is empty/],
    [
      "of a later form",
      () => rewrite(([a = "", ...rest]) => [a.replace('"formatVersion":1', '"formatVersion":2'), ...rest]),
      /newer one/,
    ],
    [
      "changed in one value",
      () => rewrite((all) => all.map((line) => line.replace("Location-1", "Location-9"))),
      /SHA-256/,
    ],
    [
      "continued after its end",
      () => rewrite((all) => [...all.slice(0, -1), '{"_id":1}', ""]),
      /goes on after its end/,
    ],
    [
      "of a later schema",
      () => rewrite(([a = "", ...rest]) => [a.replace(/"schemaVersion":\d+/, '"schemaVersion":999'), ...rest]),
      /SHA-256|schema version is 999/,
    ],
  ];
  it(`is so of one that is ${spoiled.map(([how]) => how).join("; ")}`, async () => {
    await firstData();
    await writeBackupFile(file);
    const whole = readFileSync(file);
    const before = await content();
    for (const [how, spoil, sentence] of spoiled) {
      writeFileSync(file, whole);
      spoil();
      await expect(restore(), how).rejects.toThrow(sentence);
      expect(await content(), how).toEqual(before);
    }
  });

  it("any byte changed is noticed, but those that say nothing", async () => {
    await firstData();
    await writeBackupFile(file);
    const whole = readFileSync(file);
    const said = gunzipSync(whole);
    const property = fc.asyncProperty(
      fc.nat(whole.length - 1),
      fc.integer({ min: 1, max: 255 }),
      async (at, change) => {
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at] ?? 0) ^ change;
        writeFileSync(file, bytes);
        const failed = await requireRestorable(file).then(
          () => false,
          () => true,
        );
        // A time and a system in the header of gzip, for example, and the bits that fill up its last byte.
        expect(failed || gunzipSync(bytes).equals(said)).toBe(true);
      },
    );
    await fc.assert(property, { numRuns: runs(60) });
  });
});

it("X11: a restoring that is broken off leaves a database that every server refuses, until it is done again", async () => {
  await firstData();
  await writeBackupFile(file);
  const before = await content();
  const header = await requireRestorable(file);
  const whole = readFileSync(file);
  writeFileSync(file, whole.subarray(0, whole.length >> 1));
  await expect(restoreDocuments(file, header, nothing)).rejects.toThrow("ends too early");
  await expect(prepareDatabase()).rejects.toThrow("its restoring was broken off");
  await expect(requireKnownSchema()).rejects.toThrow("its restoring was broken off");
  expect((await findContent()).isHalf).toBe(true);
  writeFileSync(file, whole);
  await restore();
  await prepareDatabase();
  expect(withoutTrail(await content())).toEqual(withoutTrail(before));
});
