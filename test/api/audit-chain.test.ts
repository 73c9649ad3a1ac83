import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import * as exportRoute from "@/app/api/v1/audit/export/route";
import * as verifyRoute from "@/app/api/v1/audit/verify/route";
import { recordAuditEvent } from "@/lib/platform/audit/commands";
import type { AuditValue } from "@/lib/platform/db/audit";
import { forgetHead, writtenHead } from "@/lib/platform/db/audit-head";
import { hashEvent, sealEnds } from "@/lib/platform/db/audit-trail";
import { prepareDatabase } from "@/lib/platform/db/prepare";
import { keepTrailHead } from "@/lib/platform/db/prepare-trail";
import { inTransaction } from "@/lib/platform/db/transaction";
import { log } from "@/lib/platform/log";
import { removeOldRecords } from "@/lib/apps/retention/commands";
import { silentReport } from "@/lib/platform/process/task-report";
import { AuditEventModel } from "@/models/audit-event";
import { CounterModel } from "@/models/database/counter";
import { DatabaseFactsModel } from "@/models/database/database-facts";
import { RevisionModel } from "@/models/database/revision";
import { runCommand } from "@/test/support/command-line";
import { testContext, withEmptyDatabase } from "@/test/support/database";
import { aRequest, readAnswer } from "@/test/support/requests";
import { useSettings } from "@/test/support/settings";
import { temporaryFolder } from "@/test/support/temporary-folder";

/* The audit trail shows whether it was changed (`people.md` P14, P15). */

withEmptyDatabase();

const record = (target: string, after: AuditValue = null) =>
  recordAuditEvent(testContext, { action: "test.write", target, after });
const verify = async (query = "") =>
  (await readAnswer(await verifyRoute.GET(aRequest(`/api/v1/audit/verify${query}`)))).data;
const many = async (count: number) => {
  for (let index = 0; index < count; index += 1) await record(`thing:${index}`);
};

async function exportAndVerify(...more: string[]) {
  const text = await (await exportRoute.GET(aRequest("/api/v1/audit/export?format=ndjson"))).text();
  const file = path.join(temporaryFolder(), "events.ndjson");
  writeFileSync(file, text);
  writeFileSync(`${file}.key`, `${process.env.AUDIT_KEY}\n`);
  return runCommand(["audit-verify", file, "--key-file", `${file}.key`, ...more]);
}

it("P15: an empty trail is whole, and so is one of several events, in one transaction as well", async () => {
  expect(await verify()).toMatchObject({ is_whole: true, event_count: 0, broken_at: null });
  await many(3);
  await inTransaction(testContext, async (tx) => {
    for (const target of ["a", "b", "c"]) tx.record({ action: "test.write", target });
    return Promise.resolve();
  });
  expect(await verify()).toMatchObject({ is_whole: true, event_count: 6, broken_at: null });
});

it("P15: events of many writers at once stand in one chain", async () => {
  await Promise.all(Array.from({ length: 30 }, (_, index) => record(`thing:${index}`)));
  expect(await verify()).toMatchObject({ is_whole: true, event_count: 30, broken_at: null });
  expect(new Set((await AuditEventModel.find({}).lean()).map(({ previousHash }) => previousHash)).size).toBe(30);
});

it("P15: whatever an event holds comes back as it was hashed", async () => {
  const { value } = fc.letrec<{ value: AuditValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.string({ unit: "binary" }),
      fc.string().map((text) => `${text}\ud800`),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.maxSafeInteger(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tie("value"), { maxKeys: 3 }),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(value, (after) => record("thing", after)),
    { numRuns: 60 },
  );
  expect(await verify()).toMatchObject({ is_whole: true, event_count: 60, broken_at: null });
});

const set = (_id: number, values: object) =>
  AuditEventModel.collection.updateOne({ _id: _id as never }, { $set: values });
const counter = () => CounterModel.collection.findOne({ _id: "audit_events" as never });
const setCounter = async (values: object, trail: object = {}) =>
  CounterModel.collection.updateOne(
    { _id: "audit_events" as never },
    { $set: { ...values, trail: { ...(await counter())?.trail, ...trail } } },
  );

/** What somebody does who may write into the database and knows how events are hashed, but not the key. */
async function forge(key: string, from = 1): Promise<void> {
  const events = await AuditEventModel.find({ _id: { $gte: from } })
    .sort({ _id: 1 })
    .lean();
  let previousHash = (await AuditEventModel.findById(from - 1).lean())?.hash ?? null;
  for (const event of events) {
    const hash = hashEvent({ ...event, previousHash }, key);
    await set(event._id, { previousHash, hash });
    previousHash = hash;
  }
  const { value, trail } = (await CounterModel.findById("audit_events").lean())!;
  const ends = { first: trail?.first ?? 1, last: value, head: previousHash, brokenAt: null };
  await setCounter({}, { head: previousHash, seal: sealEnds(ends, key) });
}

describe("W11: finds what was changed", () => {
  const rows: readonly (readonly [what: string, brokenAt: number, change: () => Promise<unknown>])[] = [
    ["an event is changed", 3, () => set(3, { target: "other" })],
    ["somebody else is named", 3, () => set(3, { personId: "proxy|somebody" })],
    ["an event is removed", 3, () => AuditEventModel.deleteOne({ _id: 3 })],
    ["the trail is emptied", 1, () => AuditEventModel.deleteMany({})],
    ["its beginning is cut", 1, () => AuditEventModel.deleteMany({ _id: { $lt: 3 } })],
    [
      "its beginning is cut, and its ends say so",
      6,
      async () => {
        await AuditEventModel.deleteMany({ _id: { $lt: 3 } });
        await setCounter({}, { first: 3 });
      },
    ],
    ["its end is cut", 5, () => AuditEventModel.deleteOne({ _id: 5 })],
    [
      "its end is cut, and the counter is set back",
      5,
      async () => {
        const head = (await AuditEventModel.findById(4).lean())?.hash;
        await AuditEventModel.deleteOne({ _id: 5 });
        await setCounter({ value: 4 }, { head });
      },
    ],
    ["the hashes are removed", 1, () => AuditEventModel.collection.updateMany({}, { $unset: { hash: 1 } })],
    [
      "two events change places",
      2,
      async () => {
        const [two, three] = await Promise.all([2, 3].map((_id) => AuditEventModel.findById(_id).lean()));
        const { _id: _two, ...asTwo } = two!;
        const { _id: _three, ...asThree } = three!;
        await set(2, asThree);
        await set(3, asTwo);
      },
    ],
    [
      "an event is inserted",
      5,
      async () => {
        const five = await AuditEventModel.findById(5).lean();
        await set(5, { target: "inserted" });
        await AuditEventModel.collection.insertOne({ ...five, _id: 6 } as never);
        await setCounter({ value: 6 });
      },
    ],
    [
      "an event is changed, and everything is computed again without the key",
      1,
      async () => {
        await set(2, { target: "other" });
        await forge("");
      },
    ],
    ["all of it is made with another key", 1, () => forge("another key of at least 32 characters")],
    [
      "an event is changed, and what follows is made with another key",
      3,
      async () => {
        await set(3, { target: "other" });
        await forge("another key of at least 32 characters", 3);
      },
    ],
    [
      "what the server has noted of the ends is removed",
      6,
      () => CounterModel.collection.updateOne({ _id: "audit_events" as never }, { $unset: { trail: 1 } }),
    ],
  ];
  it.each(rows)("%s", async (_, brokenAt, change) => {
    await many(5);
    expect(await verify()).toMatchObject({ is_whole: true, broken_at: null });
    await change();
    expect(await verify()).toMatchObject({ is_whole: false, broken_at: brokenAt });
  });

  it("it stays broken, whatever is written afterwards", async () => {
    vi.spyOn(log, "error").mockImplementation(() => undefined);
    await many(5);
    const head = (await AuditEventModel.findById(4).lean())?.hash;
    await AuditEventModel.deleteOne({ _id: 5 });
    await setCounter({ value: 4 }, { head });
    await many(3);
    expect(await counter()).toMatchObject({ value: 7 });
    expect(await verify()).toMatchObject({ is_whole: false, broken_at: 5 });
    expect(log.error).toHaveBeenCalledWith({ event: 5 }, expect.stringContaining("does not end where"));
  });

  it("whoever has kept a hash learns whether the trail still holds it, even if an older state was put back whole", async () => {
    await many(3);
    const { head } = await verify();
    expect(head).toMatch(/^[0-9a-f]{64}$/);
    const older = await counter();
    await many(2);
    expect(await verify(`?head=${head}`)).toMatchObject({ is_whole: true, has_head: true });
    const { head: later } = await verify();
    await AuditEventModel.deleteMany({ _id: { $gt: 3 } });
    await CounterModel.collection.replaceOne({ _id: "audit_events" as never }, older!);
    expect(await verify()).toMatchObject({ is_whole: true });
    expect(await verify(`?head=${later}`)).toMatchObject({ is_whole: false, has_head: false });
  });
});

const facts = async () => (await DatabaseFactsModel.findById("database").lean())!;
const kept = () => {
  const dataDir = temporaryFolder();
  onTestFinished(async () => {
    forgetHead();
    await writtenHead();
  });
  const start = async () => {
    forgetHead();
    const { databaseId } = await facts();
    await keepTrailHead(dataDir, { databaseId, succeeds: [] });
    await prepareDatabase([]);
    await writtenHead();
  };
  return { dataDir, start };
};
const unseal = async () => {
  await AuditEventModel.collection.updateMany({}, { $unset: { hash: 1, previousHash: 1, personId: 1 } });
  await CounterModel.collection.updateOne({ _id: "audit_events" as never }, { $unset: { trail: 1 } });
  await DatabaseFactsModel.collection.updateMany({}, { $unset: { auditKeyId: 1 } });
};
const wipe = async () => {
  await AuditEventModel.deleteMany({});
  await CounterModel.deleteOne({ _id: "audit_events" });
};
const changeSomething = () =>
  inTransaction(testContext, (tx) => {
    tx.record({ action: "test.write", target: "thing" });
    return Promise.resolve();
  });

describe("W11a: a trail of a version that does not seal", () => {
  beforeEach(async () => {
    vi.spyOn(log, "warn").mockImplementation(() => undefined);
    await many(5);
    await unseal();
    await prepareDatabase([]);
  });

  it("is sealed as found at the first start, once, with an event that says so; an export of it is whole", async () => {
    await prepareDatabase([]);
    expect(await verify()).toMatchObject({ is_whole: true, event_count: 6, broken_at: null });
    const after = { reason: expect.stringContaining("does not seal"), event_count: 5, first_id: 1, last_id: 5 };
    expect(await AuditEventModel.findById(6).lean()).toMatchObject({ actor: "setup", action: "audit.seal", after });
    await many(1);
    expect(await verify()).toMatchObject({ is_whole: true, event_count: 7 });
    expect(await exportAndVerify()).toMatchObject({ code: 0 });
  });

  it("is sealed as found by a server that begins to keep its end beside the database", async () => {
    await unseal();
    await AuditEventModel.collection.updateMany({}, { $set: { hash: "0".repeat(64), previousHash: null } });
    const { start } = kept();
    await start();
    await start();
    expect(await verify()).toMatchObject({ is_whole: true, event_count: 7, broken_at: null });
  });

  it("seals what an instance of that version still writes beside this one, but not a day later, and nothing else", async () => {
    const writeUnsealed = async () => {
      const { value } = (await CounterModel.findOneAndUpdate({ _id: "audit_events" }, { $inc: { value: 1 } }).lean())!;
      const { _id, hash: _hash, ...event } = (await AuditEventModel.findById(1).lean())!;
      await AuditEventModel.collection.insertOne({ ...event, _id: value + 1 } as never);
    };
    await writeUnsealed();
    await many(1);
    expect(await verify()).toMatchObject({ is_whole: true, event_count: 9, broken_at: null });
    const after = { event_count: 1, first_id: 7, last_id: 7 };
    expect(await AuditEventModel.findById(8).lean()).toMatchObject({ action: "audit.seal", after });
    await writeUnsealed();
    vi.spyOn(log, "error").mockImplementation(() => undefined);
    vi.setSystemTime(Date.now() + 86_500_000);
    onTestFinished(() => void vi.useRealTimers());
    await many(1);
    expect(await verify()).toMatchObject({ is_whole: false, broken_at: 10 });
  });

  it.each<[string, number, () => Promise<unknown>]>([
    ["changed", 3, () => set(3, { target: "other" })],
    ["removed", 3, () => AuditEventModel.deleteOne({ _id: 3 })],
    ["cut off at the beginning", 1, () => AuditEventModel.deleteMany({ _id: { $lt: 6 } })],
    ["without hashes again", 1, () => AuditEventModel.collection.updateMany({}, { $unset: { hash: 1 } })],
    ["without the event that says so", 6, () => AuditEventModel.deleteOne({ _id: 6 })],
  ])("shows what is %s afterwards", async (_, brokenAt, change) => {
    await change();
    await prepareDatabase([]);
    expect(await verify()).toMatchObject({ is_whole: false, broken_at: brokenAt });
  });
});

describe("W11: a trail that was wiped is no new one", () => {
  beforeEach(
    () =>
      void vi
        .spyOn(log, "error")
        .mockClear()
        .mockImplementation(() => undefined),
  );

  it.each<[string, boolean, () => Promise<unknown>]>([
    ["beside the revision", false, wipe],
    [
      "with its counter set back",
      false,
      async () => (await wipe(), CounterModel.create({ _id: "audit_events", value: 0 })),
    ],
    [
      "with every trace of changes, beside the kept head",
      true,
      async () => (await wipe(), RevisionModel.deleteMany({})),
    ],
    ["with the id of its key, beside the kept head", true, async () => (await wipe(), unseal())],
    ["to what an earlier version leaves, beside the kept head", true, unseal],
  ])("%s", async (_, isKept, change) => {
    const { start } = kept();
    await start();
    await changeSomething();
    await writtenHead();
    if (!isKept) forgetHead();
    await change();
    expect(await verify()).toMatchObject({ is_whole: false });
    await (isKept ? start() : prepareDatabase([]));
    expect(log.error).toHaveBeenCalledWith(expect.stringContaining("not as this server has left it"));
    expect(await verify()).toMatchObject({ is_whole: false });
    await changeSomething();
    expect(await verify()).toMatchObject({ is_whole: false, broken_at: expect.any(Number) });
  });

  it("an older state put back whole is noticed by the kept head, also at the next start", async () => {
    const { start } = kept();
    await start();
    await many(3);
    const older = await counter();
    await many(2);
    await writtenHead();
    await AuditEventModel.deleteMany({ _id: { $gt: 3 } });
    await CounterModel.collection.replaceOne({ _id: "audit_events" as never }, older!);
    expect(await verify()).toMatchObject({ is_whole: false, broken_at: 4 });
    await start();
    await many(1);
    expect(await verify()).toMatchObject({ is_whole: false, broken_at: 4 });
  });

  it("what another instance writes and a restart change nothing; a file that somebody has made is not used", async () => {
    const { dataDir, start } = kept();
    await start();
    await many(2);
    await writtenHead();
    forgetHead();
    await many(2);
    await start();
    await many(1);
    expect(await verify()).toMatchObject({ is_whole: true, event_count: 5 });
    expect(log.error).not.toHaveBeenCalled();
    vi.spyOn(log, "warn").mockImplementation(() => undefined);
    await writtenHead();
    const file = path.join(dataDir, "audit-head");
    writeFileSync(file, readFileSync(file, "utf8").replace('"last":5', '"last":9'));
    await start();
    expect(await verify()).toMatchObject({ is_whole: true });
  });
});

it("W11a: a server with another key does not start; a lost key can be given up, which is an event", async () => {
  vi.spyOn(log, "warn").mockImplementation(() => undefined);
  await many(2);
  const before = await counter();
  const other = { AUDIT_KEY: "another key of at least 32 characters" };
  const { auditKeyId } = await facts();
  for (const isMarked of [true, false]) {
    if (!isMarked) await DatabaseFactsModel.collection.updateMany({}, { $unset: { auditKeyId: 1 } });
    useSettings(other);
    const lost = isMarked ? String(auditKeyId) : "unknown";
    await expect(prepareDatabase([])).rejects.toThrow(`another AUDIT_KEY`);
    await expect(prepareDatabase([])).rejects.toThrow(`ACCEPT_AUDIT_KEY=${lost}`);
    expect(await counter()).toEqual(before);
    useSettings({});
  }
  useSettings({ ...other, ACCEPT_AUDIT_KEY: "unknown" });
  await prepareDatabase([]);
  expect(await verify()).toMatchObject({ is_whole: true, event_count: 3 });
  expect(await AuditEventModel.findById(3).lean()).toMatchObject({ action: "audit.seal", after: { event_count: 2 } });
});

it("W11: a whole export is verified without a server, and what was changed in it is seen", async () => {
  await record('quoted "Ä"', { half: "a\ud800", list: [1, 0.5, null, { b: true }] });
  await many(3);
  const text = await (await exportRoute.GET(aRequest("/api/v1/audit/export?format=ndjson"))).text();
  const folder = temporaryFolder();
  const [file, keyFile] = [path.join(folder, "events.ndjson"), path.join(folder, "audit-key")];
  writeFileSync(keyFile, `${process.env.AUDIT_KEY}\n`);
  const verify = async (content: string, ...more: string[]) => {
    writeFileSync(file, content);
    return runCommand(["audit-verify", file, "--key-file", keyFile, ...more]);
  };
  const lines = text.trim().split("\n");
  const { hash } = JSON.parse(lines[0] ?? "");
  expect(await verify(text)).toMatchObject({ code: 0, out: expect.stringContaining("None was changed") });
  expect(await verify(text, "--head", hash)).toMatchObject({ code: 0 });
  expect(await verify(text, "--head", "0".repeat(64))).toMatchObject({ code: 1 });
  expect(await verify(lines.toSpliced(1, 1).join("\n"))).toMatchObject({
    code: 1,
    out: expect.stringContaining("Broken"),
  });
  expect(await verify(text.replace(/"target":"[^"]*"/, '"target":"other"'))).toMatchObject({ code: 1 });
  expect(await verify("no export")).toMatchObject({
    code: 1,
    err: expect.stringContaining("is not an activity export"),
  });
  writeFileSync(keyFile, "another key of at least 32 characters");
  expect(await verify(text)).toMatchObject({ code: 1 });
  expect(await runCommand(["audit-verify", file])).toMatchObject({
    code: 1,
    err: expect.stringContaining("AUDIT_KEY"),
  });
});

it("W12: old failures that follow one another become one event; the trail, an export and kept heads stay whole", async () => {
  const fail = (count: number) =>
    recordAuditEvent(
      { actor: "public", route: "login", requestId: null },
      ...Array.from({ length: count }, () => ({
        action: "login.fail",
        target: "login",
        after: { count: 2, since: "then" },
      })),
    );
  await CounterModel.updateOne({ _id: "retention_clock" }, { $set: { value: Date.now() } }, { upsert: true });
  await fail(3);
  const { head } = await verify();
  await many(1);
  await fail(2);
  const days = async (count: number) => {
    const now = new Date(Date.now() + count * 86_400_000);
    await CounterModel.updateOne({ _id: "retention_clock" }, { $set: { value: now.getTime() - 1_000 } });
    await removeOldRecords(testContext, silentReport, { auditRetentionDays: null, now });
  };
  await days(29);
  expect(await AuditEventModel.countDocuments({})).toBe(6);
  for (const later of [31, 32]) await days(later);
  const found = await AuditEventModel.find({}).sort({ _id: 1 }).lean();
  expect(found.map(({ _id, after }) => [_id, after?.count])).toEqual([
    [3, 6],
    [4, undefined],
    [6, 4],
  ]);
  expect(await verify(`?head=${head}`)).toMatchObject({ is_whole: true, has_head: true, event_count: 3 });
  const { hash } = (await AuditEventModel.findById(6).lean())!;
  expect(await verify(`?head=${found[0]?.summary?.hashes[0]}`)).toMatchObject({ is_whole: true, has_head: true });
  expect(await exportAndVerify("--head", String(hash))).toMatchObject({ code: 0 });
  expect(await exportAndVerify("--head", String(found[2]?.summary?.hashes[0]))).toMatchObject({ code: 0 });
  await fail(1);
  expect(await verify()).toMatchObject({ is_whole: true });
  await set(3, { after: { count: 1 } });
  expect(await verify()).toMatchObject({ is_whole: false, broken_at: 1 });
});

it("P14: what retention has removed breaks nothing, and is an event itself", async () => {
  await many(4);
  const old = { $set: { value: Date.now() - 86_400_000 } };
  await removeOldRecords(testContext, silentReport, { auditRetentionDays: 1 });
  await CounterModel.updateOne({ _id: "retention_clock" }, old);
  const later = new Date(Date.now() + 86_400_000 + 60_000);
  const { auditEvents } = await removeOldRecords(testContext, silentReport, { auditRetentionDays: 1, now: later });
  expect(auditEvents).toBe(4);
  const [event, ...others] = await AuditEventModel.find({}).lean();
  expect([event?.action, others]).toEqual(["retention.remove", []]);
  await many(2);
  expect(await verify()).toMatchObject({ is_whole: true, event_count: 3, broken_at: null });
});
