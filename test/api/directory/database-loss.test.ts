import mongoose from "mongoose";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { saveFeedbacks } from "@/lib/apps/applications/feedback";
import { connect, databaseState, disconnect } from "@/lib/platform/db/connection/connect";
import { DatabaseUnavailable } from "@/lib/platform/db/connection/errors";
import { prepareDatabase } from "@/lib/platform/db/prepare";
import { startApplicationJobs } from "@/lib/apps/directory/apps/application-jobs";
import { queueApplication } from "@/lib/apps/directory/queue/application-queue";
import type { DirectoryClient } from "@/lib/apps/directory/client/client";
import { startFeedbackSender } from "@/lib/apps/directory/queue/feedback-sender";
import { syncApplications } from "@/lib/apps/directory/apps/sync-applications";
import { silentReport } from "@/lib/platform/process/task-report";
import { log } from "@/lib/platform/log";
import { ApplicationModel } from "@/models/application";
import { FeedbackModel } from "@/models/directory/feedback";
import { WebhookJobModel } from "@/models/directory/webhook-job";
import { databaseUri, freshDatabaseName } from "@/test/support/database";
import { DatabaseProxy } from "@/test/support/database-proxy";
import { directoryContext, plainProcessing } from "@/test/support/directory";
import { expectedApps, storedApps } from "@/test/support/directory-state";
import { withFaultyDirectory } from "@/test/support/faulty-directory/with-directory";
import { withOption } from "@/test/support/server";
import { store } from "@/test/support/stored-records";
import { eventually } from "@/test/support/vehicle";

const proxy = new DatabaseProxy(databaseUri());
beforeEach(async () => {
  await proxy.reserve();
  await proxy.open();
  await connect({ uri: withOption(proxy.uri, "serverSelectionTimeoutMS=2000"), dbName: freshDatabaseName() });
  await prepareDatabase();
});
afterEach(async () => {
  await mongoose.connection.dropDatabase();
  await disconnect();
  await proxy.shut();
});
const directory = withFaultyDirectory(600);

const isUp = () => Promise.resolve(databaseState().status === "connected");
async function comeBack(): Promise<void> {
  await proxy.open();
  await eventually(isUp);
}
const client = () => directory.client({ deadlineMs: 2_000 });

describe("the database goes away", () => {
  it("in the middle of a synchronisation: it rejects, what is stored stays, the next one does the rest", async () => {
    // What was on its way to the database is known to nobody; the network is cut between two batches.
    const pages = client().applicationPages();
    let count = 0;
    const cutOff = async function* () {
      for await (const page of pages) {
        if (++count === 8) await proxy.shut();
        yield page;
      }
    };
    const sync = (reader: Pick<DirectoryClient, "applicationPages">) =>
      syncApplications(directoryContext, reader, silentReport, plainProcessing);
    await expect(sync({ applicationPages: cutOff })).rejects.toBeInstanceOf(DatabaseUnavailable);
    await comeBack();
    const stored = await eventually(() => ApplicationModel.countDocuments());
    expect(stored).toBe(250);
    expect(await sync(client())).toMatchObject({ read: 600, stored: 350 });
    expect(await storedApps()).toEqual(expectedApps(directory));
  });

  it("while notified apps are being worked off: nothing is lost, and one line says why they wait", async () => {
    const warn = vi.spyOn(log, "warn").mockImplementation(() => undefined);
    const waits = () => warn.mock.calls.filter(([line]) => "worker" in (line as object));
    const failure = vi.spyOn(log, "error").mockImplementation(() => undefined);
    for (let id = 0; id < 20; id++) await queueApplication(directory.uuidAt(id));
    directory.faults.set({ kind: "hang", path: "application", times: 1 });
    const reader = client();
    const options = { ...plainProcessing, client: () => reader, pollMs: 20, delays: [20], leaseMs: 1_000 };
    const jobs = directory.stopping(startApplicationJobs(options));
    await eventually(() => Promise.resolve(directory.faults.hanging === 1));
    await proxy.shut();
    directory.faults.release();
    await eventually(() => Promise.resolve(waits().length > 0));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await comeBack();
    await eventually(async () => (await ApplicationModel.countDocuments()) === 20);
    await eventually(async () => (await WebhookJobModel.countDocuments()) === 0);
    await jobs.stop();
    expect(waits()).toEqual([[{ worker: "application jobs" }, expect.stringContaining("waits for the database")]]);
    expect(failure).not.toHaveBeenCalled();
  });

  it("while decisions are being told: each is told", async () => {
    vi.spyOn(log, "warn").mockImplementation(() => undefined);
    await store(async (tx) => {
      for (let id = 0; id < 10; id++) {
        const { uuid, version_id: versionId } = directory.apps.at(id);
        await saveFeedbacks(tx, [{ uuid, versionId, approvalStatus: "ACCEPTED", notes: null, blacklist: false }]);
      }
      tx.keepRevision();
    });
    directory.faults.set({ kind: "slow", ms: 100, method: "PUT" });
    const reader = client();
    directory.stopping(startFeedbackSender({ client: () => reader, pollMs: 20, leaseMs: 1_000 }));
    await eventually(() => Promise.resolve(directory.approvals.all().length > 0));
    await proxy.shut();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await comeBack();
    await eventually(async () => (await FeedbackModel.countDocuments()) === 0);
    expect(directory.approvals.all()).toHaveLength(10);
  });
});
