import { describe, expect, it, vi } from "vitest";
import { applicationQueue, queueApplication } from "@/lib/apps/directory/queue/application-queue";
import { DirectoryFailed } from "@/lib/apps/directory/client/errors";
import { syncApplications, type SyncOptions } from "@/lib/apps/directory/apps/sync-applications";
import { silentReport, type TaskReport } from "@/lib/platform/process/task-report";
import { saveNotification } from "@/lib/apps/directory/queue/webhook-commands";
import { workOffBatch } from "@/lib/apps/directory/apps/work-off-batch";
import { log } from "@/lib/platform/log";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";
import { AuditEventModel } from "@/models/audit-event";
import { WebhookJobModel } from "@/models/directory/webhook-job";
import { raisesRevision } from "@/test/support/applications";
import { withEmptyDatabase } from "@/test/support/database";
import { aRecord, directoryContext, plainProcessing, processNow } from "@/test/support/directory";
import { blacklistedUuids, expectedApps, storedApps } from "@/test/support/directory-state";
import { withFaultyDirectory } from "@/test/support/faulty-directory/with-directory";
import { watchQueries } from "@/test/support/query-plans";

withEmptyDatabase();
const directory = withFaultyDirectory(120);
const { uuidAt } = directory;

function sync(options: Partial<SyncOptions> = {}, report: Partial<TaskReport> = {}) {
  const client = directory.client({ deadlineMs: 2_000 });
  const reports = { ...silentReport, ...report };
  return syncApplications(directoryContext, client, reports, { ...plainProcessing, ...options });
}
const syncPages = (pages: () => AsyncGenerator<readonly unknown[]>) =>
  syncApplications(directoryContext, { applicationPages: pages }, silentReport, plainProcessing);
const jobs = () => WebhookJobModel.find().sort({ _id: 1 }).lean();
async function workOffDeletion(uuid: string): Promise<void> {
  await saveNotification({ entity: "application", action: "DELETE", uuid });
  const batch = (await applicationQueue.claim(1, 60_000)) ?? { claim: "", jobs: [] };
  const gone = { applications: () => Promise.resolve([]) };
  await workOffBatch(directoryContext, gone, batch, { ...plainProcessing, delays: [0] });
}

describe("all apps", () => {
  it("are stored without e-mails, in few revisions; the deleted and blacklisted ones are noticed (4.1) [S2]", async () => {
    const progress: [number, number | null][] = [];
    const report = { progress: (done: number, total: number | null) => progress.push([done, total]) };
    const mail = vi.fn();
    // The options have no place for it; one that is there nevertheless would be a mistake here.
    const first = await sync({ mail } as Partial<SyncOptions>, report);
    expect(first).toEqual({ read: 120, stored: 120, deleted: 0, blacklisted: 0, malformed: 0 });
    expect(await storedApps()).toEqual(expectedApps(directory));
    expect(await ApplicationModel.countDocuments({ approvalStatus: "PENDING" })).toBe(120);
    expect(mail).not.toHaveBeenCalled();
    expect(progress.at(-1)).toEqual([120, null]);
    const events = await AuditEventModel.find().lean();
    expect(events).toHaveLength(120);
    expect(new Set(events.map(({ revision }) => revision)).size).toBe(1);
    expect(await ApplicationFlagsModel.distinct("revision")).toEqual([events[0]?.revision]);
    const queries = directory.received.all("application").map(({ query }) => query);
    expect(queries.every((query) => /include_deleted=true&include_blacklisted=true/.test(query))).toBe(true);

    directory.apps.delete(uuidAt(3));
    directory.apps.blacklist(uuidAt(4));
    directory.apps.change(uuidAt(5), { name: "Renamed" });
    directory.apps.add();
    expect(await sync()).toEqual({ read: 121, stored: 2, deleted: 1, blacklisted: 1, malformed: 0 });
    const expected = expectedApps(directory);
    // A version that was stored before the app was blacklisted stays.
    const kept = await ApplicationModel.findOne({ uuid: uuidAt(4) }).lean();
    expect(await storedApps()).toEqual({
      ...expected,
      [uuidAt(4)]: { versionId: kept?.versionId, name: kept?.name },
    });
    expect(await blacklistedUuids()).toEqual([uuidAt(4)]);
  });

  it("cost one look at the database for several pages when nothing changed, and no revision", async () => {
    await sync();
    const raised = await raisesRevision(async () => {
      const seen = await watchQueries(async () => {
        expect(await sync()).toEqual({ read: 120, stored: 0, deleted: 0, blacklisted: 0, malformed: 0 });
      });
      expect(seen.filter(({ collection }) => collection === "applications")).toHaveLength(1);
      expect(seen.map(({ collection }) => collection)).not.toContain("audit_events");
    });
    expect(raised).toBe(false);
  });
});

describe("malformed records", () => {
  it("get an element in the queue, logged, and keep it until they are fine (Q1, Q2, Q4, Q7)", async () => {
    const warn = vi.spyOn(log, "warn");
    const uuid = uuidAt(7);
    directory.apps.change(uuid, { default_hmi_level: "FULL" });
    const before = Date.now();
    expect(await sync()).toMatchObject({ read: 120, stored: 119, malformed: 1 });
    const [job, ...others] = await jobs();
    expect(others).toEqual([]);
    expect(job).toMatchObject({
      _id: uuid,
      attempts: 1,
      lastError: "default_hmi_level must be one of HMI_FULL, HMI_LIMITED, HMI_BACKGROUND, HMI_NONE",
    });
    const minutes = ((job?.dueAt.getTime() ?? 0) - before) / 60_000;
    expect(minutes).toBeGreaterThanOrEqual(5);
    expect(minutes).toBeLessThan(6);
    const lines = () => warn.mock.calls.map(([line]) => line).filter((line) => "uuid" in (line as object));
    expect(lines()).toEqual([{ uuid, reason: job?.lastError, minutes: 5 }]);

    // Found again: it keeps its place in time, and is no new entry.
    expect(await sync()).toMatchObject({ stored: 0, malformed: 1 });
    expect((await jobs())[0]?.dueAt).toEqual(job?.dueAt);
    expect(lines()).toHaveLength(1);

    directory.apps.change(uuid, { default_hmi_level: "HMI_NONE" });
    expect(await sync()).toMatchObject({ stored: 1, malformed: 0 });
    expect(await jobs()).toEqual([]);
  });

  it("are counted when they name no app, and do not stop the others", async () => {
    vi.spyOn(log, "warn").mockImplementation(() => undefined);
    // oxlint-disable-next-line typescript/require-await -- pages come asynchronously
    const result = await syncPages(async function* () {
      yield [null, aRecord("a"), { uuid: 7 }, aRecord("b", { vendor: null }), aRecord("c")];
    });
    expect(result).toMatchObject({ read: 5, stored: 2, malformed: 3 });
    expect(await jobs()).toMatchObject([{ _id: "b" }]);
  });
});

it("failures of the directory half-way leave what came before, and the next run does the rest (H6)", async () => {
  for (let more = 0; more < 280; more++) directory.apps.add();
  directory.faults.set({ kind: "status", path: "application", when: ({ query }) => query.get("offset") === "300" });
  await expect(sync()).rejects.toBeInstanceOf(DirectoryFailed);
  expect(await ApplicationModel.countDocuments()).toBe(300);
  directory.faults.clear();
  expect(await sync()).toMatchObject({ read: 400, stored: 100 });
  expect(await storedApps()).toEqual(expectedApps(directory));
  directory.apps.change(uuidAt(0), { name: "Renamed" });
  directory.faults.set({ kind: "truncated", path: "application" });
  expect(await raisesRevision(() => expect(sync()).rejects.toBeInstanceOf(DirectoryFailed))).toBe(false);
  expect(await ApplicationModel.countDocuments()).toBe(400);
});

describe("what happens while pages are on their way", () => {
  const nextPage = (...records: unknown[]) => records;

  it("a newer version that a notification brought is not followed by the older one", async () => {
    await processNow([aRecord("a", { version_id: 1 })]);
    await syncPages(async function* () {
      // The page was read when version 2 was the newest; the notification about version 3 is faster.
      await processNow([aRecord("a", { version_id: 3 })]);
      yield nextPage(aRecord("a", { version_id: 2 }));
    });
    expect(await storedApps()).toMatchObject({ a: { versionId: 3 } });
    // The directory is asked again, since the record may also have been the newer one.
    expect(await jobs()).toMatchObject([{ _id: "a", attempts: 0 }]);
  });

  it("an app that was deleted meanwhile is not stored again", async () => {
    await processNow([aRecord("a")]);
    await syncPages(async function* () {
      await processNow([aRecord("a", { deleted_ts: "2026-01-01T00:00:00Z" })]);
      yield nextPage(aRecord("a", { version_id: 2 }));
    });
    expect(await storedApps()).toEqual({});
  });

  it("an app that was never stored and is deleted meanwhile does not stay: everything is read once more", async () => {
    let passes = 0;
    await syncPages(async function* () {
      passes++;
      const isThere = passes === 1;
      if (isThere) await workOffDeletion("a");
      yield nextPage(aRecord("a", isThere ? {} : { deleted_ts: "2026-01-01T00:00:00Z" }));
    });
    expect(passes).toBe(2);
    expect(await storedApps()).toEqual({});
  });

  it("a notification that comes meanwhile keeps its element", async () => {
    await queueApplication("a");
    await syncPages(async function* () {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await queueApplication("a");
      yield nextPage(aRecord("a"));
    });
    expect(await storedApps()).toMatchObject({ a: { versionId: 77 } });
    expect(await jobs()).toMatchObject([{ _id: "a", deliveries: 2 }]);
  });

  it("an app of several pages ends with the version that came last", async () => {
    // oxlint-disable-next-line typescript/require-await -- pages come asynchronously
    await syncPages(async function* () {
      for (let page = 0; page < 6; page++) {
        const others = Array.from({ length: 49 }, (_, index) => aRecord(`p${page}-${index}`));
        yield nextPage(...others, aRecord("a", { version_id: page }));
      }
    });
    expect(await storedApps()).toMatchObject({ a: { versionId: 5 } });
    expect(await ApplicationModel.countDocuments()).toBe(6 * 49 + 6);
    expect(await ApplicationModel.countDocuments({ uuid: "a", isLatest: true })).toBe(1);
    expect(await jobs()).toEqual([]);
  });
});
