import { describe, expect, it } from "vitest";
import { readRevision } from "@/lib/platform/db/revision";
import { silentReport } from "@/lib/platform/process/task-report";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { removeOldRecords } from "@/lib/apps/retention/commands";
import { ApplicationModel } from "@/models/application";
import { AuditEventModel } from "@/models/audit-event";
import { RemovedApplicationModel } from "@/models/directory/removed-application";
import { testContext, withEmptyDatabase } from "@/test/support/database";
import { ReleaseModel } from "@/models/release";
import { aRecord, processNow } from "@/test/support/directory";
import { behind } from "@/test/support/stored-records";

withEmptyDatabase();

const day = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * day);
const clean = (auditRetentionDays: number | null = null, now = new Date()) =>
  removeOldRecords(testContext, silentReport, { auditRetentionDays, now });
const nothing = { versions: 0, decisions: 0, auditEvents: 0 };
async function storeVersions(uuid: string, count: number): Promise<void> {
  for (let version = 1; version <= count; version++) await processNow([aRecord(uuid, { version_id: version })]);
}

describe("finding G7: the daily removal of old records (O6)", () => {
  it("only notes the time at its first run", async () => {
    await storeVersions("a", 12);
    await ApplicationModel.updateMany({}, { storedAt: daysAgo(200) });
    expect(await clean()).toEqual(nothing);
    expect(await clean()).toEqual({ ...nothing, versions: 2 });
  });

  it("removes superseded versions, and vehicles and lists notice nothing", async () => {
    await storeVersions("a", 13);
    await storeVersions("b", 3);
    await ApplicationModel.updateMany({}, { storedAt: daysAgo(200) });
    await behind(ApplicationModel).updateOne({ uuid: "a", versionId: 2 }, { $set: { approvalStatus: "ACCEPTED" } });
    const [loader, before, revision] = [
      createSnapshotLoader(),
      await createSnapshotLoader().load(),
      await readRevision(),
    ];
    await loader.load();
    await clean();
    expect(await clean()).toEqual({ ...nothing, versions: 2 });
    const left = await ApplicationModel.find({ uuid: "a" }).sort({ _id: 1 }).lean();
    expect(left.map(({ versionId }) => versionId)).toEqual([2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    expect(left.filter(({ isLatest }) => isLatest).map(({ versionId }) => versionId)).toEqual([13]);
    expect(await ApplicationModel.countDocuments({ uuid: "b" })).toBe(3);
    expect(await readRevision()).toBe(revision);
    expect((await createSnapshotLoader().load()).apps.byUuid("a")).toEqual(before.apps.byUuid("a"));
    expect(await clean()).toEqual(nothing);
  });

  it("O6: keeps superseded versions that a release shows, before or after it", async () => {
    await storeVersions("a", 14);
    await ApplicationModel.updateMany({}, { storedAt: daysAgo(200) });
    const versions = await ApplicationModel.find({ uuid: "a" }).sort({ _id: 1 }).lean();
    const [first, second] = versions.map(({ _id }) => _id);
    const item = { family: "app", key: "a", beforeId: first, afterId: second, change: "change" };
    await ReleaseModel.insertMany([{ _id: 1, kind: "release", at: daysAgo(100), revision: 1, items: [item] }]);
    await clean();
    expect(await clean()).toEqual({ ...nothing, versions: 2 });
    const left = await ApplicationModel.find({ uuid: "a" }).sort({ _id: 1 }).lean();
    expect(left.map(({ versionId }) => versionId)).toEqual([1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
  });

  it("is an audit event with the counts when something was removed, and only then", async () => {
    await clean();
    await clean();
    const events = () => AuditEventModel.find({ action: "retention.remove" }).lean();
    expect(await events()).toEqual([]);
    await processNow([aRecord("a")]);
    await processNow([aRecord("a", { deleted_ts: "2026-01-01T00:00:00Z" })]);
    await RemovedApplicationModel.updateMany({}, { removedAt: daysAgo(31) });
    expect(await clean()).toEqual({ ...nothing, decisions: 1 });
    expect(await events()).toMatchObject([
      { target: "retention", after: { versions: 0, decisions: 1, audit_events: 0 } },
    ]);
  });

  it("removes audit events only when a time is set for them (P14), in any number", async () => {
    const event = { actor: "admin", route: "test", revision: 1, action: "x", target: "y" };
    const ids = Array.from({ length: 450 }, (_, index) => index + 1);
    await AuditEventModel.insertMany(ids.map((_id) => ({ ...event, _id, at: daysAgo(_id <= 420 ? 40 : 5) })));
    await clean();
    expect(await clean()).toEqual(nothing);
    expect(await clean(30)).toEqual({ ...nothing, auditEvents: 420 });
    expect(await AuditEventModel.countDocuments({ action: "x" })).toBe(30);
  });

  it("finding G2: deletes no year when the clock is a year ahead", async () => {
    const event = { actor: "admin", route: "test", revision: 1, action: "x", target: "y" };
    await AuditEventModel.insertMany([1, 2].map((_id) => ({ ...event, _id, at: daysAgo(10 * _id) })).toReversed());
    await clean();
    expect(await clean(30, new Date(Date.now() + 365 * day))).toEqual(nothing);
    expect(await AuditEventModel.countDocuments({ action: "x" })).toBe(2);
  });
});
