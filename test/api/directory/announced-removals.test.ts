import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as webhook from "@/app/api/v1/webhook/route";
import { saveApproval } from "@/lib/apps/applications/approval";
import { saveAutoApproval, saveGroupGrant } from "@/lib/apps/applications/commands";
import { keptMs } from "@/lib/apps/applications/removed-apps";
import { actionBody } from "@/lib/apps/applications/schema";
import { startApplicationJobs } from "@/lib/apps/directory/apps/application-jobs";
import { setExampleEndpoint } from "@/lib/apps/directory/client/endpoint";
import { storeWorks } from "@/lib/apps/directory/apps/store-works";
import { readRecord } from "@/lib/apps/directory/client/read-record";
import { DirectoryReading } from "@/lib/apps/directory/client/reading";
import { log } from "@/lib/platform/log";
import { ApplicationModel } from "@/models/application";
import { AuditEventModel } from "@/models/audit-event";
import { FeedbackModel } from "@/models/directory/feedback";
import { RemovedApplicationModel } from "@/models/directory/removed-application";
import { WebhookJobModel } from "@/models/directory/webhook-job";
import { findFlags } from "@/test/support/applications";
import { testContext, withEmptyDatabase } from "@/test/support/database";
import { aRecord, plainProcessing, processNow, storeRecord } from "@/test/support/directory";
import { withFaultyDirectory } from "@/test/support/faulty-directory/with-directory";
import { aRequest } from "@/test/support/requests";
import { useSettings } from "@/test/support/settings";
import { eventually } from "@/test/support/vehicle";
import { store, storeGroup } from "@/test/support/stored-records";

withEmptyDatabase();
const directory = withFaultyDirectory(20);
const { uuidAt } = directory;
beforeEach(() => {
  useSettings();
  setExampleEndpoint(directory.endpoint);
});
afterEach(() => setExampleEndpoint(null));

function work(): void {
  const client = directory.client();
  directory.stopping(startApplicationJobs({ ...plainProcessing, client: () => client, pollMs: 20, delays: [50] }));
}
async function announce(action: string, uuid: string) {
  const body = { entity: "application", action, uuid };
  const headers = { public_key: directory.endpoint.publicKey };
  const response = await webhook.POST(aRequest("/api/v1/webhook", { body, headers }));
  const { meta } = (await response.json()) as { meta: { message: string | null } };
  return { status: response.status, message: meta.message };
}
const isQueueEmpty = async () => (await WebhookJobModel.countDocuments()) === 0;
const newest = async (uuid: string) => (await ApplicationModel.find({ uuid }).sort({ _id: -1 }).lean())[0];
async function accepted(record: Record<string, unknown>): Promise<string> {
  const id = await storeRecord(record);
  const uuid = String(record.uuid);
  await saveApproval(testContext, actionBody.parse({ id, approval_status: "ACCEPTED" }));
  await saveAutoApproval(testContext, uuid, true);
  return uuid;
}
const deleted = { deleted_ts: "2026-02-01T00:00:00.000Z" };

describe("finding B7: an announced DELETE or BLACKLIST", () => {
  it.each(["DELETE", "BLACKLIST"])("%s takes nothing away that the directory still has", async (action) => {
    const uuid = await accepted(directory.apps.at(1));
    const warning = vi.spyOn(log, "warn").mockImplementation(() => undefined);
    work();
    expect(await announce(action, uuid)).toEqual({ status: 200, message: null });
    expect(await newest(uuid)).toMatchObject({ approvalStatus: "ACCEPTED" });
    expect(await findFlags(uuid)).toMatchObject({ isBlacklisted: false, isAutoApprovedEnabled: true });
    expect(await isQueueEmpty()).toBe(true);
    expect(warning.mock.calls.some(([line]) => (line as { uuid?: string }).uuid === uuid)).toBe(action === "DELETE");
  });

  it("is applied before the answer when the directory confirms it", async () => {
    for (const id of [1, 2]) await accepted(directory.apps.at(id));
    directory.apps.delete(uuidAt(1));
    directory.apps.blacklist(uuidAt(2));
    work();
    expect(await announce("DELETE", uuidAt(1))).toEqual({ status: 200, message: null });
    expect(await announce("BLACKLIST", uuidAt(2))).toEqual({ status: 200, message: null });
    expect(await newest(uuidAt(1))).toBeUndefined();
    expect(await findFlags(uuidAt(2))).toMatchObject({ isBlacklisted: true, blacklistOrigin: "directory" });
  });

  it("waits while the directory cannot be reached, and is applied when it can", async () => {
    const uuid = await accepted(directory.apps.at(1));
    directory.apps.delete(uuid);
    directory.faults.set({ kind: "reset", path: "application" });
    work();
    expect(await announce("DELETE", uuid)).toMatchObject({ status: 200, message: expect.stringMatching(/^Queued/) });
    expect(await newest(uuid)).toBeDefined();
    directory.faults.clear();
    await eventually(async () => (await newest(uuid)) === undefined);
    await eventually(isQueueEmpty);
  });

  it("of an app that the directory no longer knows at all is confirmed; a BLACKLIST is not", async () => {
    for (const uuid of ["gone", "kept"]) await accepted(aRecord(uuid));
    work();
    await announce("BLACKLIST", "kept");
    await announce("DELETE", "gone");
    expect(await newest("gone")).toBeUndefined();
    expect(await newest("kept")).toMatchObject({ approvalStatus: "ACCEPTED" });
    expect(await findFlags("kept")).toMatchObject({ isBlacklisted: false });
  });

  it("is asked about in the spelling that is stored as well: another case makes no app unknown", async () => {
    const uuid = await accepted(directory.apps.at(1));
    work();
    await announce("DELETE", uuid.toUpperCase());
    expect(await newest(uuid)).toMatchObject({ approvalStatus: "ACCEPTED" });
    directory.apps.delete(uuid);
    await announce("DELETE", uuid.toUpperCase());
    expect(await newest(uuid)).toBeUndefined();
  });
});

describe("D1a: a deleted app that returns", () => {
  it("has its decision, its grants and its flags back when the version is the same", async () => {
    const id = await storeRecord(aRecord("a"));
    await store((tx) => storeGroup(tx, { name: "Oem", status: "PRODUCTION" }));
    await saveGroupGrant(testContext, { app_id: id, property_name: "Oem", is_selected: true });
    await saveApproval(testContext, actionBody.parse({ id, approval_status: "LIMITED", denial_message: "Too loud" }));
    await saveAutoApproval(testContext, "a", true);
    await processNow([aRecord("a", deleted)]);
    expect(await findFlags("a")).toMatchObject({ isAutoApprovedEnabled: false });

    expect(await processNow([aRecord("a")])).toMatchObject([{ kind: "stored", approvalStatus: "LIMITED" }]);
    const back = { approvalStatus: "LIMITED", denialMessage: "Too loud", groupGrants: ["Oem"] };
    expect(await newest("a")).toMatchObject(back);
    expect(await findFlags("a")).toMatchObject({ isAutoApprovedEnabled: true });
    expect(await FeedbackModel.findOne({ uuid: "a" }).lean()).toMatchObject({
      approvalStatus: "LIMITED",
      notes: "Too loud",
    });
    expect(await AuditEventModel.findOne({ action: "applications.return" }).lean()).toMatchObject({
      target: "app:a",
      after: { isAutoApprovedEnabled: true },
    });
  });

  it("has only its flags back when the version is a newer one, which is judged as any other", async () => {
    await accepted(aRecord("a"));
    await accepted(aRecord("b"));
    await saveAutoApproval(testContext, "b", false);
    await processNow([aRecord("a", deleted), aRecord("b", deleted)]);
    await processNow([aRecord("a", { version_id: 78 }), aRecord("b", { version_id: 78 })]);
    expect(await newest("a")).toMatchObject({ versionId: 78, approvalStatus: "ACCEPTED", groupGrants: [] });
    expect(await newest("b")).toMatchObject({ versionId: 78, approvalStatus: "PENDING" });
  });

  it("that was blacklisted meanwhile arrives as LIMITED", async () => {
    await accepted(aRecord("a"));
    await processNow([aRecord("a", deleted)]);
    await processNow([aRecord("a", { blacklisted_ts: "2026-02-01T00:00:00.000Z" })]);
    expect(await processNow([aRecord("a")])).toMatchObject([{ approvalStatus: "LIMITED" }]);
  });

  it("and is deleted again keeps what is known of all its versions", async () => {
    await accepted(aRecord("a"));
    await processNow([aRecord("a", deleted)]);
    await processNow([aRecord("a", { version_id: 78 })]);
    await saveAutoApproval(testContext, "a", false);
    await processNow([aRecord("a", deleted)]);
    await processNow([aRecord("a")]);
    expect(await newest("a")).toMatchObject({ versionId: 77, approvalStatus: "ACCEPTED" });
    expect(await findFlags("a")).toMatchObject({ isAutoApprovedEnabled: false });
  });

  it("after more than 30 days is new", async () => {
    await accepted(aRecord("a"));
    await processNow([aRecord("a", deleted)]);
    await RemovedApplicationModel.updateMany({}, { removedAt: new Date(Date.now() - keptMs - 60_000) });
    expect(await processNow([aRecord("a")])).toMatchObject([{ approvalStatus: "PENDING" }]);
    expect(await findFlags("a")).toMatchObject({ isAutoApprovedEnabled: false });
  });

  it("gets nothing back that was decided after its return", async () => {
    await accepted(aRecord("a"));
    await processNow([aRecord("a", deleted)]);
    await processNow([aRecord("a")]);
    await saveAutoApproval(testContext, "a", false);
    expect(await processNow([aRecord("a", { version_id: 78 })])).toMatchObject([{ approvalStatus: "PENDING" }]);
    expect(await findFlags("a")).toMatchObject({ isAutoApprovedEnabled: false });
  });
});

describe("finding G6: records of the directory", () => {
  it("with uuids in another case are about the same apps: no twins", async () => {
    const uuids = ["ab12-cd34", "ef56"];
    await processNow(uuids.map((uuid) => aRecord(uuid)));
    expect(await processNow(uuids.map((uuid) => aRecord(uuid.toUpperCase())))).toEqual(
      uuids.map((uuid) => ({ kind: "known", uuid })),
    );
    expect(await processNow([aRecord("AB12-CD34", { version_id: 78 })])).toMatchObject([{ kind: "stored" }]);
    expect(await ApplicationModel.distinct("uuid")).toEqual(uuids);
    expect(await ApplicationModel.countDocuments({ isLatest: true })).toBe(2);
    await processNow([aRecord("AB12-CD34", deleted)]);
    expect(await ApplicationModel.distinct("uuid")).toEqual(["ef56"]);
  });

  it("with one new app in two spellings store it once", async () => {
    const outcomes = await processNow([aRecord("NEW"), aRecord("new"), aRecord("New", { version_id: 78 })]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(["stored", "known", "stored"]);
    expect(await ApplicationModel.distinct("uuid")).toEqual(["NEW"]);
  });

  it("whose app was stored under another spelling meanwhile are read again", async () => {
    const reading = await DirectoryReading.begin();
    await processNow([aRecord("ab")]);
    const record = readRecord(aRecord("AB", { version_id: 78 }));
    if (typeof record === "string") throw new Error(record);
    const work = { uuid: "AB", plan: "store", record, bundle: null } as const;
    const outcomes = await storeWorks(testContext, [work], { ...plainProcessing, reading });
    expect([...outcomes.values()]).toEqual([{ kind: "overtaken", uuid: "AB" }]);
  });

  it.each(["77", 77.5, true, {}, Number.MAX_VALUE])(
    "with version_id %j are malformed, and are read again (D5)",
    async (version) => {
      const reason = version === Number.MAX_VALUE ? "version_id is too large" : "version_id must be an integer";
      expect(await processNow([aRecord("a", { version_id: version })])).toMatchObject([
        { kind: "malformed", uuid: "a", reason },
      ]);
      expect(await ApplicationModel.countDocuments()).toBe(0);
      await processNow([aRecord("b")]);
      expect(await processNow([aRecord("b", { version_id: version, ...deleted })])).toMatchObject([
        { kind: "deleted" },
      ]);
    },
  );
});
