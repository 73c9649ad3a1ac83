import { describe, expect, it, vi } from "vitest";
import { saveApproval } from "@/lib/apps/applications/approval";
import { actionBody } from "@/lib/apps/applications/schema";
import type { DirectoryApproval } from "@/lib/apps/directory/client/client";
import { DirectoryFailed } from "@/lib/apps/directory/client/errors";
import {
  feedbackDelays,
  startFeedbackSender,
  type FeedbackSenderOptions,
} from "@/lib/apps/directory/queue/feedback-sender";
import { feedbackQueue } from "@/lib/apps/applications/feedback";
import { log } from "@/lib/platform/log";
import type { ApprovalStatus } from "@/lib/vocabulary/terms";
import { ApplicationModel } from "@/models/application";
import { FeedbackModel } from "@/models/directory/feedback";
import { setFlags } from "@/test/support/applications";
import { testContext, withEmptyDatabase } from "@/test/support/database";
import { aRecord, processNow, storeRecord } from "@/test/support/directory";
import { withFaultyDirectory } from "@/test/support/faulty-directory/with-directory";
import { eventually } from "@/test/support/vehicle";

withEmptyDatabase();
const directory = withFaultyDirectory(10);
const { uuidAt, versionAt } = directory;

const later = 3_600_000;
function start(options: Partial<FeedbackSenderOptions> = {}) {
  const client = directory.client({ deadlineMs: 1_000 });
  const shared = { client: () => client, pollMs: 20, delays: [later, later, later] };
  return directory.stopping(startFeedbackSender({ ...shared, ...options }));
}
const startWith = (sendApproval: (approval: DirectoryApproval) => Promise<void>) =>
  start({ client: () => ({ sendApproval, applications: () => Promise.resolve([]) }) });
const decideAt = async (id: number, status: ApprovalStatus) => decide(await storeFromDirectory(id), status);
const storeFromDirectory = (place: number) => storeRecord({ ...directory.apps.at(place) });
function decide(id: number, approval_status: ApprovalStatus, more: Record<string, unknown> = {}): Promise<void> {
  return saveApproval(testContext, actionBody.parse({ id, approval_status, ...more }));
}
const puts = () => directory.received.all("application/approval/vendor").map(({ body }) => JSON.parse(body ?? ""));
const isEmpty = async () => (await FeedbackModel.countDocuments()) === 0;
const toldAt = (id: number) => directory.approvals.find(versionAt(id));

describe("P1, P2: what is sent", () => {
  it("after a version was stored: one element with all members, notes null", async () => {
    await setFlags(uuidAt(1), { isAutoApprovedEnabled: true });
    await storeFromDirectory(1);
    start();
    await eventually(isEmpty);
    const sent = {
      uuid: uuidAt(1),
      version_id: versionAt(1),
      approval_status: "ACCEPTED",
      notes: null,
      blacklist: false,
    };
    expect(puts()).toEqual([{ applications: [sent] }]);
  });

  it("after a decision: notes are the denial message, blacklist is the flag", async () => {
    const id = await storeFromDirectory(1);
    // It is told at once after the commit, without waiting for the next look.
    start({ pollMs: 600_000 });
    await decide(id, "LIMITED", { denial_message: "Too many rights", blacklist: true });
    await eventually(() => Promise.resolve(toldAt(1)));
    expect(toldAt(1)).toMatchObject({ status: "LIMITED", notes: "Too many rights", blacklist: true });
  });

  it("says whether the app is blacklisted when it is sent, not when it was decided", async () => {
    await decide(await storeFromDirectory(1), "LIMITED");
    await processNow([{ ...directory.apps.at(1), blacklisted_ts: "2026-02-01T00:00:00.000Z" }]);
    start();
    await eventually(isEmpty);
    expect(toldAt(1)).toMatchObject({ blacklist: true });
  });
});

describe("P4: the queue", () => {
  it("finding G6: tries after 1 min, 10 min and then every 60 min until the directory has confirmed it", async () => {
    const failure = vi.spyOn(log, "error").mockImplementation(() => undefined);
    await decideAt(1, "ACCEPTED");
    directory.faults.set({ kind: "status", message: "out of order", method: "PUT" });
    const sender = start({ delays: feedbackDelays });
    for (const [attempts, minutes] of [
      [1, 1],
      [2, 10],
      [3, 60],
      [4, 60],
      [5, 60],
    ] as const) {
      const waiting = await eventually(() => FeedbackModel.findOne({ attempts }).lean());
      const left = (waiting.dueAt.getTime() - Date.now()) / 60_000;
      expect(left).toBeGreaterThan(minutes - 0.5);
      expect(left).toBeLessThanOrEqual(minutes);
      expect(waiting.lastError).toContain("500");
      await FeedbackModel.updateMany({}, { dueAt: new Date() });
      if (attempts === 5) directory.faults.clear();
      sender.wake();
    }
    await eventually(isEmpty);
    expect(toldAt(1)).toMatchObject({ status: "ACCEPTED" });
    expect(failure).not.toHaveBeenCalled();
  });

  it("finding G2: an element that a clock running ahead has dated is not put off until then", async () => {
    await decideAt(1, "ACCEPTED");
    await FeedbackModel.updateMany({}, { dueAt: new Date(Date.now() + 365 * 86_400_000) });
    start();
    await eventually(isEmpty);
    expect(toldAt(1)).toMatchObject({ status: "ACCEPTED" });
  });

  it("sends an element of a sender that died when its lease ends (at least once)", async () => {
    await decideAt(1, "ACCEPTED");
    expect((await feedbackQueue.claim(10, 300))?.jobs).toHaveLength(1);
    start();
    await eventually(isEmpty);
    expect(puts()).toHaveLength(1);
  });

  it("is sent once by several senders, a few elements at a time", async () => {
    for (let id = 0; id < 10; id++) await decideAt(id, "ACCEPTED");
    let now = 0;
    let max = 0;
    const sent: DirectoryApproval[] = [];
    const sendApproval = async (approval: DirectoryApproval) => {
      max = Math.max(max, ++now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      sent.push(approval);
      now--;
    };
    const alone = startWith(sendApproval);
    await eventually(isEmpty);
    await alone.stop();
    expect(max).toBeLessThanOrEqual(4);
    expect(sent.map(({ uuid }) => uuid).toSorted()).toEqual(
      Array.from({ length: 10 }, (_, id) => uuidAt(id)).toSorted(),
    );

    for (const version of await ApplicationModel.find().lean()) await decide(version._id, "LIMITED");
    sent.length = 0;
    for (let sender = 0; sender < 3; sender++) startWith(sendApproval);
    await eventually(isEmpty);
    expect(sent).toHaveLength(10);
  });

  it("tells the later decision last, though it was made while the earlier one was on its way", async () => {
    const id = await storeFromDirectory(1);
    let finish = (): void => undefined;
    const first = new Promise<void>((resolve) => (finish = resolve));
    const told: string[] = [];
    const sendApproval = async ({ approval_status }: DirectoryApproval) => {
      if (told.length === 0) {
        told.push("on its way");
        await first;
        told.length = 0;
      }
      told.push(approval_status);
    };
    startWith(sendApproval);
    await decide(id, "ACCEPTED");
    await eventually(() => Promise.resolve(told.length > 0));
    await decide(id, "LIMITED");
    const [other] = (await feedbackQueue.claim(10, 60_000))?.jobs ?? [];
    expect(other).toMatchObject({ approvalStatus: "LIMITED" });
    await FeedbackModel.deleteOne({ _id: other?._id ?? "" });
    finish();
    await eventually(() => Promise.resolve(told.at(-1) === "LIMITED"));
    await eventually(isEmpty);
    expect(told).toEqual(["ACCEPTED", "LIMITED"]);
  });

  it("leaves no report about an app that is deleted", async () => {
    await decideAt(1, "ACCEPTED");
    await processNow([{ ...directory.apps.at(1), deleted_ts: "2026-02-01T00:00:00.000Z" }]);
    expect(await isEmpty()).toBe(true);
  });
});

describe("P5: a refusal", () => {
  it("finding G6: about a version that the directory has is tried again, and seen", async () => {
    await decideAt(1, "ACCEPTED");
    directory.faults.set({ kind: "status", status: 403, message: "no", method: "PUT", times: 2 });
    const sender = start();
    await eventually(() => FeedbackModel.findOne({ attempts: 1 }).lean());
    const stuck = { uuid: uuidAt(1), lastError: expect.stringContaining("no") };
    expect(await FeedbackModel.find().lean()).toMatchObject([stuck]);
    for (const attempts of [2, 3]) {
      await FeedbackModel.updateMany({}, { dueAt: new Date() });
      sender.wake();
      if (attempts === 2) await eventually(() => FeedbackModel.findOne({ attempts }).lean());
    }
    await eventually(isEmpty);
    expect(toldAt(1)).toMatchObject({ status: "ACCEPTED" });
  });

  it("(400) about a version that the directory does not have any more ends it, with an error in the log", async () => {
    const failure = vi.spyOn(log, "error").mockImplementation(() => undefined);
    await decideAt(1, "ACCEPTED");
    directory.apps.delete(uuidAt(1));
    directory.faults.set({ kind: "status", status: 400, message: "no", method: "PUT" });
    start();
    await eventually(isEmpty);
    expect(puts()).toHaveLength(1);
    expect(failure).toHaveBeenCalledOnce();
  });

  it("concerns this element alone", async () => {
    vi.spyOn(log, "error").mockImplementation(() => undefined);
    await processNow([aRecord("nobody", { version_id: 5 })], {
      settings: { autoApproveAllApps: true, encryptionRequired: false },
    });
    await decideAt(1, "ACCEPTED");
    start();
    await eventually(isEmpty);
    expect(directory.approvals.all().map(({ uuid }) => uuid)).toEqual([uuidAt(1)]);
  });
});

it("P6: who causes it: does not wait for it: a directory that hangs delays no decision", async () => {
  const id = await storeFromDirectory(1);
  directory.faults.set({ kind: "hang", method: "PUT" });
  start();
  await decide(id, "ACCEPTED");
  await eventually(() => Promise.resolve(directory.faults.hanging === 1));
  await decide(id, "LIMITED");
  expect(await FeedbackModel.findOne({ versionId: versionAt(1) }).lean()).toMatchObject({
    approvalStatus: "LIMITED",
    attempts: 0,
  });
});

it("what waits is visible: with counts, reasons and times", async () => {
  expect(await feedbackQueue.summarize()).toEqual({ waiting: 0, failing: 0, nextDueAt: null, lastError: null });
  await decideAt(1, "ACCEPTED");
  await decideAt(2, "LIMITED");
  expect(await feedbackQueue.summarize()).toMatchObject({ waiting: 2, failing: 0, lastError: null });
  startWith(() => Promise.reject(new DirectoryFailed("The app directory does not answer")));
  await eventually(async () => (await feedbackQueue.summarize()).failing === 2);
  expect(await feedbackQueue.summarize()).toMatchObject({
    waiting: 2,
    lastError: "The app directory does not answer",
  });
  const stuck = await FeedbackModel.find().sort({ uuid: 1 }).lean();
  expect(stuck.map(({ uuid }) => uuid)).toEqual([uuidAt(1), uuidAt(2)].toSorted());
  expect(stuck[0]).toMatchObject({ attempts: 1, lastError: "The app directory does not answer" });
});

it("everything stays in the queue while there is no directory, and after a stop", async () => {
  start({ client: () => null });
  const id = await storeFromDirectory(1);
  await start().stop();
  await decide(id, "ACCEPTED");
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await FeedbackModel.find().lean()).toMatchObject([{ attempts: 0, claim: null }]);
  expect(puts()).toEqual([]);
});

it("a first reading of all apps: telling decisions gives way to it, a batch with every look, and is done afterwards", async () => {
  // The directory knows none of these apps, which is told as an error each.
  vi.spyOn(log, "error").mockReturnValue(undefined);
  let isReading = true;
  const template = { approvalStatus: "ACCEPTED", attempts: 0, blacklist: false, revision: 1, dueAt: new Date() };
  await FeedbackModel.insertMany(
    Array.from({ length: 65 }, (_, number) => {
      return { ...template, _id: `app-${number}:1`, uuid: `app-${number}`, versionId: 1 };
    }),
  );
  const sender = start({ pollMs: later, isReading: () => isReading });
  await eventually(() => Promise.resolve(puts().length === 20));
  // A commit does not have it look again at once.
  await decideAt(1, "STAGING");
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(puts()).toHaveLength(20);
  sender.wake();
  await eventually(() => Promise.resolve(puts().length === 40));
  isReading = false;
  sender.wake();
  await eventually(isEmpty);
  expect(puts()).toHaveLength(65);
});
