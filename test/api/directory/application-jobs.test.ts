import { describe, expect, it, vi } from "vitest";
import {
  applicationJobs,
  applicationQueue,
  queueApplication,
  retryDelays,
} from "@/lib/apps/directory/queue/application-queue";
import { startApplicationJobs, type ApplicationJobsOptions } from "@/lib/apps/directory/apps/application-jobs";
import type { DirectoryClient } from "@/lib/apps/directory/client/client";
import { isAppliedSoon, saveNotification } from "@/lib/apps/directory/queue/webhook-commands";
import { retryDelay } from "@/lib/jobs/queue";
import { findWorker } from "@/lib/jobs/worker";
import { log } from "@/lib/platform/log";
import { AppCertificateModel } from "@/models/app-certificate";
import { ApplicationModel } from "@/models/application";
import { WebhookJobModel } from "@/models/directory/webhook-job";
import { withEmptyDatabase } from "@/test/support/database";
import { aRecord, plainProcessing, processNow } from "@/test/support/directory";
import { storedApps } from "@/test/support/directory-state";
import { withFaultyDirectory } from "@/test/support/faulty-directory/with-directory";
import { eventually } from "@/test/support/vehicle";

withEmptyDatabase();
const directory = withFaultyDirectory(60);
const { uuidAt } = directory;

const later = 3_600_000;
function start(options: Partial<ApplicationJobsOptions> = {}) {
  const client = directory.client({ deadlineMs: 1_000 });
  const shared = { client: () => client, pollMs: 20, delays: [later] };
  return directory.stopping(startApplicationJobs({ ...plainProcessing, ...shared, ...options }));
}
const soon = (uuid: string) => isAppliedSoon(uuid, performance.now());
const allJobs = () => WebhookJobModel.find().sort({ _id: 1 }).lean();
const isEmpty = async () => (await WebhookJobModel.countDocuments()) === 0;
const reads = () => directory.received.all("application").map(({ query }) => new URLSearchParams(query));
const answering = (applications: DirectoryClient["applications"]) => ({ client: () => ({ applications }) });

describe("Q3: a due element", () => {
  it("is read with both flags and processed, with e-mail; success removes it (Q4)", async () => {
    const uuid = uuidAt(2);
    const mail = vi.fn();
    await queueApplication(uuid);
    start({ mail });
    await eventually(isEmpty);
    expect(mail).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ name: directory.apps.at(2).name }));
    expect(await storedApps()).toMatchObject({ [uuid]: { versionId: directory.apps.at(2).version_id } });
    expect(Object.fromEntries(reads()[0] ?? [])).toMatchObject({
      uuid,
      include_deleted: "true",
      include_blacklisted: "true",
    });
  });

  it("goes with up to 50 others in one call", async () => {
    for (let id = 0; id < 60; id++) await queueApplication(uuidAt(id));
    start();
    await eventually(isEmpty);
    expect(reads().map((query) => query.get("uuid")?.split(",").length)).toEqual([50, 10]);
    expect(await ApplicationModel.countDocuments()).toBe(60);
  });

  it("is left alone before its time", async () => {
    await queueApplication(uuidAt(1));
    await WebhookJobModel.updateMany({}, { dueAt: new Date(Date.now() + 60_000) });
    start();
    expect(await soon(uuidAt(1))).toBe(false);
    expect(reads()).toEqual([]);
  });
});

describe("Q4: what ends it", () => {
  it.each(["delete", "blacklist"] as const)("%s in the directory", async (change) => {
    await processNow([aRecord(uuidAt(1), { version_id: 1 })]);
    directory.apps[change](uuidAt(1));
    await queueApplication(uuidAt(1));
    start();
    await eventually(isEmpty);
    expect(Object.keys(await storedApps())).toEqual(change === "delete" ? [] : [uuidAt(1)]);
  });

  it("an app that the directory does not know, logged", async () => {
    const info = vi.spyOn(log, "info");
    await queueApplication("nobody");
    start();
    await eventually(isEmpty);
    expect(info.mock.calls.map(([line]) => line)).toContainEqual({ uuid: "nobody" });
    expect(await ApplicationModel.countDocuments()).toBe(0);
  });

  it("nothing that was not asked for: other apps in the answer are ignored", async () => {
    await queueApplication("a");
    start(answering(() => Promise.resolve([aRecord("b"), null, 7, {}, { uuid: 7 }, aRecord("aa")])));
    await eventually(isEmpty);
    expect(await storedApps()).toEqual({});
  });
});

describe("Q2: a malformed record", () => {
  it("waits 5, 25, 125 and then always 240 minutes", () => {
    expect([1, 2, 3, 4, 5, 99].map((attempts) => retryDelay(attempts, retryDelays) / 60_000)).toEqual([
      5, 25, 125, 240, 240, 240,
    ]);
    expect(retryDelays).toHaveLength(4);
  });

  it("raises the delay with every attempt and says why (Q1, Q7)", async () => {
    const warn = vi.spyOn(log, "warn");
    const uuid = uuidAt(3);
    directory.apps.change(uuid, { name: "" });
    await queueApplication(uuid);
    start({ delays: [60_000, 120_000, 240_000] });
    for (const [attempts, minutes] of [
      [1, 1],
      [2, 2],
      [3, 4],
      [4, 4],
    ] as const) {
      const job = await eventually(() => WebhookJobModel.findOne({ _id: uuid, attempts }).lean());
      expect(job).toMatchObject({ lastError: "name must not be empty", claim: null });
      expect(warn.mock.lastCall?.[0]).toEqual({ uuid, reason: "name must not be empty", minutes });
      expect(job.dueAt.getTime() - Date.now()).toBeGreaterThan((minutes - 0.5) * 60_000);
      await WebhookJobModel.updateOne({ _id: uuid }, { dueAt: new Date() });
    }
  });

  it("does not keep the others of its batch, and is stored as soon as it is fine", async () => {
    directory.apps.change(uuidAt(3), { name: "" });
    for (const id of [2, 3, 4]) await queueApplication(uuidAt(id));
    start({ delays: [30] });
    await eventually(async () => (await allJobs()).some(({ attempts }) => attempts > 1));
    expect(Object.keys(await storedApps())).toEqual([uuidAt(2), uuidAt(4)].toSorted());
    directory.apps.change(uuidAt(3), { name: "Good" });
    await eventually(isEmpty);
    expect(await storedApps()).toMatchObject({ [uuidAt(3)]: { name: "Good" } });
  });
});

describe("Q5: a failure of the network", () => {
  it.each(["status", "hang"] as const)("(%s) keeps the delay as it is, and the element", async (kind) => {
    await queueApplication(uuidAt(1));
    await WebhookJobModel.updateMany({}, { attempts: 2 });
    directory.faults.set({ kind, path: "application" });
    const before = Date.now();
    start({ delays: [1_000, 60_000, 900_000] });
    const job = await eventually(() => WebhookJobModel.findOne({ lastError: { $ne: null } }).lean());
    expect(job).toMatchObject({ attempts: 2, claim: null });
    expect(job.dueAt.getTime() - before).toBeGreaterThanOrEqual(60_000);
    expect(job.dueAt.getTime() - before).toBeLessThan(120_000);
    expect(JSON.stringify(job)).not.toContain(directory.endpoint.secretKey);
  });

  it("holds up nobody who waits, and is over when the directory is back", async () => {
    for (let id = 0; id < 5; id++) await queueApplication(uuidAt(id));
    const heal = directory.faults.set({ kind: "status", path: "application" });
    start({ delays: [50] });
    expect(await soon(uuidAt(1))).toBe(false);
    await eventually(() => WebhookJobModel.findOne({ lastError: { $ne: null } }).lean());
    heal();
    await eventually(isEmpty);
    expect(await ApplicationModel.countDocuments()).toBe(5);
  });

  it("is not meant by a refusal, which raises the delay", async () => {
    await queueApplication(uuidAt(1));
    directory.faults.set({ kind: "status", status: 403, message: "no access", path: "application" });
    start();
    const job = await eventually(() => WebhookJobModel.findOne({ attempts: 1 }).lean());
    expect(job.lastError).toContain("no access");
  });

  it("an app whose query is refused does not keep the others", async () => {
    directory.faults.set({
      kind: "status",
      status: 400,
      when: ({ query }) => query.get("uuid")?.includes("bad") === true,
    });
    for (const uuid of ["bad", uuidAt(1), uuidAt(2)]) await queueApplication(uuid);
    start();
    // The three are due at once, and may be worked off in any order.
    await eventually(async () => Object.keys(await storedApps()).length === 2);
    await eventually(() => WebhookJobModel.findOne({ _id: "bad", attempts: 1 }).lean());
    await eventually(async () => (await allJobs()).length === 1);
    expect(await allJobs()).toMatchObject([{ _id: "bad", attempts: 1 }]);
    expect(Object.keys(await storedApps())).toEqual([uuidAt(1), uuidAt(2)].toSorted());
  });
});

describe("Q6: a notification for a waiting app", () => {
  it("has it processed at once and replaces the element", async () => {
    const uuid = uuidAt(3);
    directory.apps.change(uuid, { name: "" });
    await queueApplication(uuid);
    start();
    await eventually(() => WebhookJobModel.findOne({ attempts: 1 }).lean());
    directory.apps.change(uuid, { name: "Good" });
    await saveNotification({ entity: "application", action: "UPSERT", uuid });
    expect(await soon(uuid)).toBe(true);
    expect(await allJobs()).toEqual([]);
    expect(await storedApps()).toMatchObject({ [uuid]: { name: "Good" } });
  });

  it("that comes while the app is being read leads to another reading, whose answer counts", async () => {
    let finish: (records: readonly unknown[]) => void = () => undefined;
    const answers = [new Promise<readonly unknown[]>((resolve) => (finish = resolve))];
    const applications = vi.fn(() => answers.shift() ?? Promise.resolve([aRecord("a", { version_id: 2 })]));
    await queueApplication("a");
    const jobs = start(answering(applications));
    await eventually(() => Promise.resolve(applications.mock.calls.length === 1));
    await queueApplication("a");
    await eventually(isEmpty);
    // The first answer is late and old by now: were it stored, version 1 would count as the latest.
    finish([aRecord("a", { version_id: 1 })]);
    await eventually(() => Promise.resolve(applications.mock.calls.length >= 2));
    await jobs.stop();
    expect(await storedApps()).toMatchObject({ a: { versionId: 2 } });
    expect(await ApplicationModel.countDocuments()).toBe(1);
  });

  it("that announces a deletion while the app is being read wins", async () => {
    let finish: (records: readonly unknown[]) => void = () => undefined;
    const answers = [new Promise<readonly unknown[]>((resolve) => (finish = resolve))];
    await queueApplication("a");
    start(answering(() => answers.shift() ?? Promise.resolve([])));
    const end = soon("a");
    await eventually(async () => (await allJobs())[0]?.claim);
    await saveNotification({ entity: "application", action: "DELETE", uuid: "a" });
    finish([aRecord("a")]);
    await end;
    await eventually(isEmpty);
    expect(await storedApps()).toEqual({});
  });
});

describe("several workers on one queue", () => {
  it("work every element off once", async () => {
    const asked: string[] = [];
    const applications = async (uuids: readonly string[]) => {
      asked.push(...uuids);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return uuids.map((uuid) => aRecord(uuid));
    };
    const uuids = Array.from({ length: 130 }, (_, index) => `app-${String(index).padStart(3, "0")}`);
    for (const uuid of uuids) await queueApplication(uuid);
    for (let worker = 0; worker < 3; worker++) start(answering(applications));
    await eventually(isEmpty);
    expect(asked.toSorted()).toEqual(uuids);
    expect(await ApplicationModel.countDocuments()).toBe(130);
  });

  it("a dead worker's elements are free when its lease ends", async () => {
    await queueApplication(uuidAt(1));
    expect(await applicationQueue.claim(50, 300)).toMatchObject({ jobs: [{ _id: uuidAt(1) }] });
    expect(await applicationQueue.claim(50, 300)).toBeNull();
    start();
    await eventually(isEmpty);
    expect(Object.keys(await storedApps())).toEqual([uuidAt(1)]);
  });

  it("a slow one keeps its elements", async () => {
    const applications = vi.fn(async (uuids: readonly string[]) => {
      await new Promise((resolve) => setTimeout(resolve, 4_500));
      return uuids.map((uuid) => aRecord(uuid));
    });
    await queueApplication("a");
    for (let worker = 0; worker < 2; worker++) start({ ...answering(applications), leaseMs: 3_000 });
    await eventually(isEmpty);
    expect(applications).toHaveBeenCalledTimes(1);
  });
});

describe("soon", () => {
  it("resolves when the app is stored, without waiting for the next look", async () => {
    const jobs = start({ pollMs: 600_000 });
    expect(findWorker(applicationJobs)).toBe(jobs);
    await queueApplication(uuidAt(1));
    expect(await soon(uuidAt(1))).toBe(true);
    expect(Object.keys(await storedApps())).toEqual([uuidAt(1)]);
  });

  it("does not wait while there is no directory", async () => {
    await queueApplication(uuidAt(1));
    start({ client: () => null });
    const before = performance.now();
    expect(await soon(uuidAt(1))).toBe(false);
    expect(performance.now() - before).toBeLessThan(1_000);
  });

  it("sees what another instance has stored", async () => {
    start();
    await queueApplication(uuidAt(1));
    const other = await applicationQueue.claim(1, 60_000);
    const end = soon(uuidAt(1));
    await applicationQueue.finish(other?.claim ?? "", other?.jobs ?? []);
    expect(await end).toBe(true);
  });

  it("keeps only so many callers waiting", async () => {
    directory.faults.set({ kind: "hang", path: "application" });
    for (let id = 0; id < 60; id++) await queueApplication(uuidAt(id));
    start();
    let ended = 0;
    const ends = Array.from({ length: 110 }, (_, index) => soon(uuidAt(index % 60)).finally(() => ended++));
    expect(await Promise.all(ends.slice(100))).toEqual(Array.from({ length: 10 }, () => false));
    expect(ended).toBe(10);
    await Promise.all(ends);
  });

  it("a batch that hangs does not keep the next ones", async () => {
    directory.faults.set({ kind: "hang", path: "application", times: 1 });
    start();
    await queueApplication(uuidAt(1));
    const hanging = soon(uuidAt(1));
    await eventually(() => Promise.resolve(directory.faults.hanging === 1));
    await queueApplication(uuidAt(2));
    expect(await soon(uuidAt(2))).toBe(true);
    directory.faults.release();
    expect(await hanging).toBe(true);
  });
});

it("D13: a new app's certificate: is issued after storing, when it has none; a failure is logged and undoes nothing", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => undefined);
  const times = { expirationTs: new Date(), createdAt: new Date() };
  await AppCertificateModel.create({ _id: uuidAt(2), container: "AAAA", ...times });
  const issued: string[] = [];
  const issueCertificate = (uuid: string) => {
    issued.push(uuid);
    return uuid === uuidAt(1) ? Promise.reject(new Error("the authority is gone")) : Promise.resolve();
  };
  for (const id of [1, 2, 3]) await queueApplication(uuidAt(id));
  start({ issueCertificate });
  await eventually(() => Promise.resolve(issued.length === 2));
  expect(issued.toSorted()).toEqual([uuidAt(1), uuidAt(3)].toSorted());
  expect(await ApplicationModel.countDocuments()).toBe(3);
  await eventually(() => Promise.resolve(warn.mock.calls.some(([line]) => "uuid" in (line as object))));
  expect(await allJobs()).toEqual([]);
});

it("stop: does not wait for ever for what hangs, and leaves the element", async () => {
  directory.faults.set({ kind: "hang", path: "application" });
  await queueApplication(uuidAt(1));
  const jobs = start({ stopMs: 50 });
  await eventually(() => Promise.resolve(directory.faults.hanging > 0));
  const end = soon(uuidAt(1));
  await jobs.stop();
  expect(findWorker(applicationJobs)).toBeNull();
  expect(await WebhookJobModel.countDocuments()).toBe(1);
  expect(await soon(uuidAt(1))).toBe(false);
  directory.faults.release("drop");
  expect(await end).toBe(false);
});
