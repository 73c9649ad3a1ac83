import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import mongoose from "mongoose";
import * as webhook from "@/app/api/v1/webhook/route";
import { startApplicationJobs } from "@/lib/apps/directory/apps/application-jobs";
import { setExampleEndpoint } from "@/lib/apps/directory/client/endpoint";
import { ApplicationModel } from "@/models/application";
import { WebhookJobModel } from "@/models/directory/webhook-job";
import { withEmptyDatabase } from "@/test/support/database";
import { plainProcessing } from "@/test/support/directory";
import { storedApps } from "@/test/support/directory-state";
import { withFaultyDirectory } from "@/test/support/faulty-directory/with-directory";
import { aRequest } from "@/test/support/requests";
import { useSettings } from "@/test/support/settings";
import { eventually } from "@/test/support/vehicle";

withEmptyDatabase();
const directory = withFaultyDirectory(1_000);
const { uuidAt } = directory;
beforeEach(() => {
  useSettings();
  setExampleEndpoint(directory.endpoint);
  const client = directory.client();
  const times = { pollMs: 50, delays: [200], stopMs: 1_000 };
  directory.stopping(startApplicationJobs({ ...plainProcessing, client: () => client, ...times }));
});
afterEach(() => setExampleEndpoint(null));

async function notify(action: string, uuid: string, key = directory.endpoint.publicKey) {
  const start = performance.now();
  const request = aRequest("/api/v1/webhook", {
    body: { entity: "application", action, uuid },
    headers: { public_key: key },
  });
  const response = await webhook.POST(request);
  const { meta } = (await response.json()) as { meta: { message: string | null } };
  return { status: response.status, message: meta.message, ms: performance.now() - start };
}
const queuedMessage = expect.stringMatching(/^Queued/);

describe("UPSERT while the worker runs (section 8)", () => {
  it("is applied before the answer when the directory is quick", async () => {
    expect(await notify("UPSERT", uuidAt(1))).toMatchObject({ status: 200, message: null });
    expect(Object.keys(await storedApps())).toEqual([uuidAt(1)]);
    expect(await WebhookJobModel.countDocuments()).toBe(0);
    directory.apps.change(uuidAt(1), { name: "Renamed" });
    expect(await notify("UPSERT", uuidAt(1))).toMatchObject({ status: 200, message: null });
    expect(await storedApps()).toMatchObject({ [uuidAt(1)]: { name: "Renamed" } });
  });

  it("is answered after 3 s when the directory is slow, and applied afterwards", async () => {
    directory.faults.set({ kind: "slow", ms: 4_000, path: "application" });
    const answer = await notify("UPSERT", uuidAt(1));
    expect(answer).toMatchObject({ status: 200, message: queuedMessage });
    expect(answer.ms).toBeGreaterThanOrEqual(2_900);
    await eventually(async () => uuidAt(1) in (await storedApps()));
    await eventually(async () => (await WebhookJobModel.countDocuments()) === 0);
  });

  it("is answered 200 when the directory fails, kept, and applied afterwards", async () => {
    directory.faults.set({ kind: "status", path: "application", times: 2 });
    expect(await notify("UPSERT", uuidAt(1))).toMatchObject({ status: 200, message: queuedMessage });
    expect(await WebhookJobModel.countDocuments()).toBe(1);
    await eventually(async () => uuidAt(1) in (await storedApps()));
  });

  it("about an app that is malformed waits in the queue", async () => {
    directory.apps.change(uuidAt(1), { platform: 7 });
    expect(await notify("UPSERT", uuidAt(1))).toMatchObject({ status: 200, message: queuedMessage });
    expect(await WebhookJobModel.findById(uuidAt(1)).lean()).toMatchObject({ lastError: "platform must be a text" });
  });
});

it("the key of the example directory is accepted while it runs, and nothing else", async () => {
  expect(await notify("UPSERT", uuidAt(1), "another")).toMatchObject({ status: 401 });
  expect(await notify("UPSERT", uuidAt(1), "")).toMatchObject({ status: 401 });
  setExampleEndpoint(null);
  expect(await notify("UPSERT", uuidAt(1))).toMatchObject({ status: 401 });
});

describe("1,000 notifications at once", () => {
  it("are all taken in while the directory hangs, and applied when it is back", async () => {
    directory.faults.set({ kind: "hang", path: "application" });
    const answers = await Promise.all(Array.from({ length: 1_000 }, (_, id) => notify("UPSERT", uuidAt(id))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await WebhookJobModel.countDocuments()).toBe(1_000);
    // How long it takes is measured by the benchmark; here only that nobody waits for the directory.
    directory.faults.clear();
    directory.faults.release();
    await eventually(async () => (await ApplicationModel.countDocuments()) === 1_000);
    await eventually(async () => (await WebhookJobModel.countDocuments()) === 0);
  });

  it("of deletions are all applied when the directory confirms them", async () => {
    const uuids = Array.from({ length: 200 }, (_, id) => uuidAt(id));
    await Promise.all(uuids.map((uuid) => notify("UPSERT", uuid)));
    await eventually(async () => (await ApplicationModel.countDocuments()) === 200);
    for (const uuid of uuids) directory.apps.delete(uuid);
    const answers = await Promise.all([...uuids, ...uuids].map((uuid) => notify("DELETE", uuid)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await eventually(async () => (await ApplicationModel.countDocuments()) === 0);
  });
});

it("a database that does not answer is as good as none: 503 with Retry-After within the sender's 5 s", async () => {
  // It ends with the test: notifications that come later wait for it.
  const held = new Promise<never>((_, reject) => onTestFinished(() => reject(new Error("the test is over"))));
  vi.spyOn(mongoose.Model, "bulkWrite").mockReturnValue(held);
  const start = performance.now();
  const request = aRequest("/api/v1/webhook", {
    body: { entity: "application", action: "UPSERT", uuid: "a" },
    headers: { public_key: directory.endpoint.publicKey },
  });
  const response = await webhook.POST(request);
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
  // It gave up by itself: a fast failure would mean something else was tested.
  expect(performance.now() - start).toBeGreaterThan(3_500);
});
