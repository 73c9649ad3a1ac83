import mongoose from "mongoose";
import { beforeEach, describe, expect, it } from "vitest";
import * as webhook from "@/app/api/v1/webhook/route";
import type { Envelope } from "@/lib/platform/http/envelope";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";
import { WebhookJobModel } from "@/models/directory/webhook-job";
import { findFlags, raisesRevision, setFlags, storeApp } from "@/test/support/applications";
import { withEmptyDatabase } from "@/test/support/database";
import { aRequest } from "@/test/support/requests";
import { useSettings } from "@/test/support/settings";

withEmptyDatabase();
beforeEach(() => useSettings({ SHAID_PUBLIC_KEY: "public-key-1", SHAID_SECRET_KEY: "secret-key-1" }));

const path = "/api/v1/webhook";
const key = { public_key: "public-key-1" };
async function notify(body: unknown, headers: Record<string, string> = key): Promise<Envelope["meta"]> {
  const response = await webhook.POST(aRequest(path, { body, headers }));
  const { meta, data } = (await response.json()) as Envelope;
  expect(data).toEqual({});
  expect(meta.code).toBe(response.status);
  return meta;
}
const event = (action: string, uuid = "app-1") => ({ entity: "application", action, uuid });
const jobs = () => WebhookJobModel.find().lean();

describe("UPSERT", () => {
  it("is stored durably before the answer, which says so", async () => {
    const before = Date.now();
    expect(await notify(event("UPSERT"))).toMatchObject({ code: 200, message: expect.stringMatching(/queued/i) });
    const [job] = await jobs();
    expect(job).toMatchObject({ _id: "app-1", attempts: 0, lastError: null, deliveries: 1 });
    expect(job?.dueAt.getTime()).toBeGreaterThanOrEqual(before);
    expect(job?.dueAt.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it("is one element per uuid; a repeated one is due at once again (Q6)", async () => {
    await notify(event("UPSERT"));
    const later = new Date(Date.now() + 3_600_000);
    await WebhookJobModel.updateOne({ _id: "app-1" }, { attempts: 3, dueAt: later, lastError: "malformed" });
    await notify(event("UPSERT"));
    await notify(event("UPSERT", "app-2"));
    const [job, ...others] = await jobs();
    expect(job).toMatchObject({ _id: "app-1", attempts: 0, lastError: null, deliveries: 2 });
    expect(job?.dueAt.getTime()).toBeLessThanOrEqual(Date.now());
    expect(others).toHaveLength(1);
  });

  it("survives being sent many times at once", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => notify(event("UPSERT"))));
    expect(answers.every(({ code }) => code === 200)).toBe(true);
    expect(await jobs()).toMatchObject([{ _id: "app-1", deliveries: 20 }]);
  });

  it("does not raise the revision", async () =>
    expect(await raisesRevision(() => notify(event("UPSERT")))).toBe(false));
});

describe.each(["DELETE", "BLACKLIST"])("%s", (action) => {
  it("is a hint: it is stored durably, and by itself changes nothing", async () => {
    await storeApp("app-1", "ACCEPTED");
    await setFlags("app-1", { isAdministratorApp: true });
    const quiet = await raisesRevision(async () => {
      expect(await notify(event(action))).toMatchObject({ code: 200, message: expect.stringMatching(/queued/i) });
    });
    expect(quiet).toBe(false);
    expect(await ApplicationModel.countDocuments()).toBe(1);
    expect(await findFlags("app-1")).toMatchObject({ isAdministratorApp: true, isBlacklisted: false });
    expect(await jobs()).toMatchObject([{ _id: "app-1", attempts: 0, isDeletion: action === "DELETE" }]);
  });

  it("of an unknown app is queued as well, and stores nothing else", async () => {
    expect(await notify(event(action, "nobody"))).toMatchObject({ code: 200 });
    expect(await jobs()).toMatchObject([{ _id: "nobody" }]);
    expect(await ApplicationFlagsModel.countDocuments()).toBe(0);
  });
});

it("an announced deletion is remembered, whatever is announced after it", async () => {
  for (const action of ["UPSERT", "DELETE", "UPSERT", "BLACKLIST"]) await notify(event(action));
  expect(await jobs()).toMatchObject([{ _id: "app-1", isDeletion: true, deliveries: 4 }]);
});

describe("what is ignored", () => {
  it.each([
    {},
    { entity: "vendor", action: "DELETE", uuid: "app-1" },
    { action: "DELETE", uuid: "app-1" },
    { entity: "application", uuid: "app-1" },
    { entity: "application", action: "delete", uuid: "app-1" },
    { entity: "application", action: "PURGE", uuid: "app-1" },
    { entity: "application", action: { $ne: "" }, uuid: "app-1" },
    { entity: ["application"], action: "DELETE", uuid: "app-1" },
    { entity: "application", action: "DELETE" },
    { entity: "application", action: "UPSERT", uuid: "" },
    { entity: "application", action: "UPSERT", uuid: "x".repeat(37) },
    { entity: "application", action: "BLACKLIST", uuid: { $gt: "" } },
    { entity: "application", action: "DELETE", uuid: ["app-1"] },
  ])("%j changes nothing and is 200", async (body) => {
    await storeApp("app-1");
    expect(
      await raisesRevision(async () => expect(await notify(body)).toMatchObject({ code: 200, message: null })),
    ).toBe(false);
    expect(await ApplicationModel.countDocuments()).toBe(1);
    expect(await jobs()).toEqual([]);
  });

  it("a uuid may hold any character", async () => {
    const uuid = "$a.b\u0000[c]";
    expect(await notify(event("UPSERT", uuid))).toMatchObject({ code: 200 });
    expect(await jobs()).toMatchObject([{ _id: uuid }]);
    expect(await notify(event("DELETE", uuid))).toMatchObject({ code: 200 });
    expect(await jobs()).toMatchObject([{ _id: uuid, isDeletion: true }]);
  });
});

it("answers 503 with Retry-After while the database is away: not durable, to be sent again", async () => {
  // As Mongoose tells that the driver has no server any more.
  mongoose.connection.emit("disconnected");
  try {
    for (const action of ["UPSERT", "DELETE", "BLACKLIST"]) {
      const response = await webhook.POST(aRequest(path, { body: event(action), headers: key }));
      expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    }
  } finally {
    mongoose.connection.emit("connected");
  }
});
