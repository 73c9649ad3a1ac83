import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import * as verifyRoute from "@/app/api/v1/audit/verify/route";
import { recordAuditEvent } from "@/lib/audit/commands";
import type { AuditValue } from "@/lib/db/audit";
import { inTransaction } from "@/lib/db/transaction";
import { removeOldRecords } from "@/lib/retention/commands";
import { silentReport } from "@/lib/process/task-report";
import { AuditEventModel } from "@/models/audit-event";
import { emptyDatabase, testContext, withDatabase } from "@/test/support/database";
import { aRequest, readAnswer } from "@/test/support/requests";
import { forgetSettings } from "@/test/support/settings";

/* The audit trail shows whether it was changed (`people.md` P14, P15). */

withDatabase();
forgetSettings();
beforeEach(emptyDatabase);

const record = (target: string, after: AuditValue = null) =>
  recordAuditEvent(testContext, { action: "test.write", target, after });
const verify = async () => (await readAnswer(await verifyRoute.GET(aRequest("/api/v1/audit/verify")))).data;
const many = async (count: number) => {
  for (let index = 0; index < count; index += 1) await record(`thing:${index}`);
};

it("P15: an empty trail is whole, and so is one of several events, in one transaction as well", async () => {
  expect(await verify()).toEqual({ is_whole: true, event_count: 0, broken_at: null });
  await many(3);
  await inTransaction(testContext, async (tx) => {
    for (const target of ["a", "b", "c"]) tx.record({ action: "test.write", target });
    return Promise.resolve();
  });
  expect(await verify()).toEqual({ is_whole: true, event_count: 6, broken_at: null });
});

it("P15: events of many writers at once stand in one chain", async () => {
  await Promise.all(Array.from({ length: 30 }, (_, index) => record(`thing:${index}`)));
  expect(await verify()).toEqual({ is_whole: true, event_count: 30, broken_at: null });
  const hashes = (await AuditEventModel.find({}).lean()).map(({ previousHash }) => previousHash);
  expect(new Set(hashes).size).toBe(30);
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
    fc.asyncProperty(value, async (after) => {
      await record("thing", after);
    }),
    { numRuns: 60 },
  );
  expect(await verify()).toEqual({ is_whole: true, event_count: 60, broken_at: null });
});

describe("P15: finds what was changed", () => {
  const rows: readonly (readonly [what: string, brokenAt: number, change: () => Promise<unknown>])[] = [
    ["an event", 3, () => AuditEventModel.collection.updateOne({ _id: 3 as never }, { $set: { target: "other" } })],
    ["who it was", 3, () => AuditEventModel.collection.updateOne({ _id: 3 as never }, { $set: { displayName: "B" } })],
    ["an event that is gone", 4, () => AuditEventModel.deleteOne({ _id: 3 })],
    ["the last one that is gone", 5, () => AuditEventModel.deleteOne({ _id: 5 })],
    [
      "a hash that is gone",
      3,
      () => AuditEventModel.collection.updateOne({ _id: 3 as never }, { $unset: { hash: 1 } }),
    ],
  ];
  it.each(rows)("%s", async (_, brokenAt, change) => {
    await many(5);
    await change();
    expect(await verify()).toMatchObject({ is_whole: false, broken_at: brokenAt });
  });
});

it("P15: the chain begins behind the events of an earlier version", async () => {
  await many(2);
  await AuditEventModel.collection.updateMany({}, { $unset: { hash: 1, previousHash: 1 } });
  await many(2);
  expect(await verify()).toEqual({ is_whole: true, event_count: 4, broken_at: null });
});

it("P14: what retention has removed breaks nothing, and is an event itself", async () => {
  await many(4);
  const old = { $set: { value: Date.now() - 86_400_000 } };
  await removeOldRecords(testContext, silentReport, { auditRetentionDays: 1 });
  const { CounterModel } = await import("@/models/database/counter");
  await CounterModel.updateOne({ _id: "retention_clock" }, old);
  const later = new Date(Date.now() + 86_400_000 + 60_000);
  const { auditEvents } = await removeOldRecords(testContext, silentReport, { auditRetentionDays: 1, now: later });
  expect(auditEvents).toBe(4);
  const [event, ...others] = await AuditEventModel.find({}).lean();
  expect([event?.action, others]).toEqual(["retention.remove", []]);
  await many(2);
  expect(await verify()).toEqual({ is_whole: true, event_count: 3, broken_at: null });
});
