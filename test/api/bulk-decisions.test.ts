import { describe, expect, it, vi } from "vitest";
import * as bulk from "@/app/api/v1/ui/applications/bulk/route";
import * as preview from "@/app/api/v1/ui/applications/bulk/preview/route";
import * as undo from "@/app/api/v1/ui/applications/bulk/undo/route";
import type { BulkAnswer, BulkAppJson, BulkPreviewAnswer } from "@/lib/apps/applications/bulk/answer-schema";
import * as flagCommands from "@/lib/apps/applications/store-version";
import { readRevision } from "@/lib/platform/db/revision";
import { DatabaseUnavailable } from "@/lib/platform/db/connection/errors";
import { log } from "@/lib/platform/log";
import { AuditEventModel } from "@/models/audit-event";
import { FeedbackModel } from "@/models/directory/feedback";
import { ApplicationModel } from "@/models/application";
import { findFlags, findVersion, raisesRevision, send, setFlags, storeApp } from "@/test/support/applications";
import { withEmptyDatabase } from "@/test/support/database";
import { behind, store, storeAppVersion, storeGroup } from "@/test/support/stored-records";

withEmptyDatabase();

async function foresee(body: unknown): Promise<BulkPreviewAnswer> {
  const answer = await send(preview.POST, body);
  expect(answer.message).toBeNull();
  return answer.data;
}
async function decide(body: unknown): Promise<BulkAnswer["results"]> {
  const answer = await send(bulk.POST, body);
  expect(answer.message).toBeNull();
  return answer.data.results;
}
const itemsOf = (apps: readonly BulkAppJson[]) => apps.map(({ id, seen }) => ({ id, seen }));
const pending = { approval_status: "PENDING", is_blacklisted: false, denial_message: null };
const accepted = { ...pending, approval_status: "ACCEPTED" };
const done = (id: number) => ({ id, outcome: "done", message: null });

describe("bulk: the effect first", () => {
  it("tells for each app, by name, what vehicles get, and what the decision is made in the light of", async () => {
    await storeApp("app-b", "ACCEPTED", { name: "Beta", developerVersion: "1.0" });
    const beta = await storeApp("app-b", "PENDING", { name: "Beta", developerVersion: "2.0" });
    const alpha = await storeApp("app-a", "STAGING", { name: "Alpha", developerVersion: "7", denialMessage: "old" });
    const { apps, excluded } = await foresee({ decision: "accept", uuids: ["app-b", "app-a"] });
    expect(excluded).toEqual([]);
    expect(apps).toEqual([
      {
        ...{ id: alpha, uuid: "app-a", name: "Alpha", version: "v7", state: "STAGING", is_grave: false },
        ...{ findings: [], notes: [], environment: "production", rights: null },
        effect: ["Production begins to serve v7.", "Staging keeps v7."],
        seen: { approval_status: "STAGING", is_blacklisted: false, denial_message: "old" },
      },
      {
        ...{ id: beta, uuid: "app-b", name: "Beta", version: "v2.0", state: "PENDING", is_grave: false },
        ...{ findings: [], notes: [], environment: "production", rights: null },
        effect: ["Production and staging go from v1.0 to v2.0."],
        seen: pending,
      },
    ]);
  });

  it("Q5: notes names that Android phones garble, and decides about their apps all the same", async () => {
    const id = await storeApp("app-1", "STAGING", {
      name: "Plain",
      displayNames: ["Plain", 'My "App"', "back\\slash"],
    });
    await storeApp("app-2", "STAGING", { name: "Größe", displayNames: ["Größe"] });
    const { apps } = await foresee({ decision: "accept", uuids: ["app-1", "app-2"] });
    expect(apps.map(({ uuid, notes }) => [uuid, notes])).toEqual([
      ["app-2", []],
      [
        "app-1",
        [expect.stringMatching(/^My "App", back\\slash: Android phones garble this name on its way to the server/)],
      ],
    ]);
    const items = itemsOf(apps.filter((app) => app.id === id));
    expect(await decide({ decision: "accept", items })).toMatchObject([done(id)]);
  });

  it("says when rights leave production, and of every block", async () => {
    await storeApp("app-1", "ACCEPTED");
    await storeApp("app-2", "LIMITED");
    const grave = async (decision: string) =>
      (await foresee({ decision, uuids: ["app-1", "app-2"] })).apps.map(({ uuid, is_grave }) => [uuid, is_grave]);
    expect(await grave("block")).toEqual([
      ["app-1", true],
      ["app-2", true],
    ]);
    expect(await grave("stage")).toEqual([
      ["app-1", true],
      ["app-2", false],
    ]);
  });

  it("excludes those for which the decision makes no sense, with the reason", async () => {
    const statuses = ["PENDING", "STAGING", "ACCEPTED", "LIMITED"] as const;
    for (const status of statuses) await storeApp(status, status, { name: status });
    await storeApp("BLOCKED", "LIMITED", { name: "XBLOCKED" });
    await setFlags("BLOCKED", { isBlacklisted: true });
    await setFlags("STAGING", { isAutoApprovedEnabled: true });
    const reasons = async (decision: string) => {
      const { apps, excluded } = await foresee({ decision, filter: { state: "all" } });
      expect(apps.length + excluded.length).toBe(5);
      return Object.fromEntries(excluded.map(({ uuid, reason }) => [uuid, reason]));
    };
    const first = "It is blocked: remove it from the blocked apps first.";
    expect(await reasons("stage")).toEqual({ STAGING: "It is in staging already.", BLOCKED: first });
    expect(await reasons("accept")).toEqual({ ACCEPTED: "It is accepted already.", BLOCKED: first });
    expect(await reasons("limit")).toEqual({ LIMITED: "It is limited already.", BLOCKED: first });
    expect(await reasons("block")).toEqual({ BLOCKED: "It is blocked already." });
    expect(await reasons("unblock")).toEqual(
      Object.fromEntries(statuses.map((status) => [status, "It is not blocked."])),
    );
    expect(await reasons("auto_on")).toEqual({
      STAGING: "Automatic approval is on already.",
      BLOCKED: "It is blocked: later versions are refused on arrival.",
    });
    expect(Object.keys(await reasons("auto_off")).sort()).toEqual(["ACCEPTED", "BLOCKED", "LIMITED", "PENDING"]);
  });

  it("tells of apps that are gone, and knows no app twice", async () => {
    await storeApp("app-1");
    const { apps, excluded } = await foresee({ decision: "accept", uuids: ["gone", "app-1", "app-1", "gone"] });
    expect(apps.map(({ uuid }) => uuid)).toEqual(["app-1"]);
    expect(excluded).toEqual([{ uuid: "gone", name: null, reason: "It is no longer stored." }]);
  });

  it("resolves the filters of the list, other pages included, to the newest versions", async () => {
    await store(async (tx) => {
      for (let at = 0; at < 30; at++) await storeAppVersion(tx, `app-${at}`, "PENDING", { platform: "IOS" });
    });
    await storeApp("other", "PENDING", { platform: "ANDROID" });
    const newest = await storeApp("app-3", "PENDING", { platform: "IOS" });
    const { apps } = await foresee({ decision: "accept", filter: { platform: "IOS" } });
    expect(apps).toHaveLength(30);
    expect(apps.find(({ uuid }) => uuid === "app-3")?.id).toBe(newest);
  });

  it("takes at most 500 apps", async () => {
    const one = await ApplicationModel.findById(await storeApp("app-0", "ACCEPTED")).lean();
    const copies = Array.from({ length: 500 }, (_, index) => ({ ...one, _id: 1000 + index, uuid: `copy-${index}` }));
    await behind(ApplicationModel).insertMany(copies);
    expect(await send(preview.POST, { decision: "limit", filter: { state: "accepted" } })).toMatchObject({
      status: 400,
      message: "At most 500 apps can be decided about in one go; these are 501",
    });
    await ApplicationModel.deleteOne({ uuid: "copy-0" });
    expect((await foresee({ decision: "limit", filter: { state: "accepted" } })).apps).toHaveLength(500);
  });

  it("stores nothing", async () => {
    await storeApp("app-1");
    expect(await raisesRevision(() => foresee({ decision: "block", uuids: ["app-1"] }))).toBe(false);
    expect(await AuditEventModel.countDocuments()).toBe(0);
  });
});

describe("bulk: decisions one after the other, as api.md 4.1 and 4.2 say", () => {
  it("stores each with its audit event and its report to the directory", async () => {
    const ids = [await storeApp("app-1"), await storeApp("app-2", "STAGING")];
    const { apps } = await foresee({ decision: "limit", uuids: ["app-1", "app-2"] });
    const results = await decide({ decision: "limit", reason: " Not now ", items: itemsOf(apps) });
    expect(results).toMatchObject(ids.map(done));
    for (const id of ids) {
      expect(await findVersion(id)).toMatchObject({ approvalStatus: "LIMITED", denialMessage: "Not now" });
      expect(await AuditEventModel.countDocuments({ action: "applications.action", target: `application:${id}` })).toBe(
        1,
      );
    }
    expect(await FeedbackModel.countDocuments({ approvalStatus: "LIMITED", notes: "Not now" })).toBe(2);
  });

  it.each([
    ["stage", { approvalStatus: "STAGING" }, false],
    ["accept", { approvalStatus: "ACCEPTED" }, false],
    ["limit", { approvalStatus: "LIMITED", denialMessage: "why" }, false],
    ["block", { approvalStatus: "LIMITED", denialMessage: "why" }, true],
  ])("%s", async (decision, stored, isBlacklisted) => {
    const id = await storeApp("app-1");
    await decide({ decision, reason: "why", items: [{ id, seen: pending }] });
    expect(await findVersion(id)).toMatchObject({ denialMessage: null, ...stored });
    expect((await findFlags("app-1"))?.isBlacklisted).toBe(isBlacklisted);
  });

  it("unblock", async () => {
    const id = await storeApp("app-1", "LIMITED");
    await setFlags("app-1", { isBlacklisted: true });
    const { apps } = await foresee({ decision: "unblock", uuids: ["app-1"] });
    expect(await decide({ decision: "unblock", items: itemsOf(apps) })).toMatchObject([done(id)]);
    expect(await findFlags("app-1")).toMatchObject({ isBlacklisted: false });
  });

  it("auto_on and auto_off, and back", async () => {
    const id = await storeApp("app-1");
    const turn = async (decision: string, was: boolean) =>
      decide({ decision, items: [{ id, seen: { is_auto_approved_enabled: was } }] });
    const [on] = await turn("auto_on", false);
    expect(await findFlags("app-1")).toMatchObject({ isAutoApprovedEnabled: true });
    expect(await AuditEventModel.countDocuments({ action: "applications.auto" })).toBe(1);
    expect(await turn("auto_off", false)).toMatchObject([
      { outcome: "failed", message: "Somebody has changed it in the meantime: it has automatic approval on now." },
    ]);
    expect((await send(undo.POST, { items: [on?.undo] })).data.results).toMatchObject([done(id)]);
    expect(await findFlags("app-1")).toMatchObject({ isAutoApprovedEnabled: false });
  });

  it("one failure leaves the others: moved, unknown, senseless", async () => {
    const [first, moved, last] = [await storeApp("app-1"), await storeApp("app-2", "STAGING"), await storeApp("app-3")];
    const blocked = await storeApp("app-4", "LIMITED");
    await setFlags("app-4", { isBlacklisted: true });
    const results = await decide({
      decision: "accept",
      items: [
        { id: first, seen: pending },
        { id: moved, seen: pending },
        { id: 999, seen: pending },
        { id: blocked, seen: { approval_status: "LIMITED", is_blacklisted: true, denial_message: null } },
        { id: last, seen: pending },
      ],
    });
    const none = { findings: [], undo: null };
    expect(results).toEqual([
      { ...done(first), findings: [], undo: { id: first, seen: accepted, target: pending } },
      {
        ...none,
        ...{ id: moved, outcome: "failed", message: "Somebody has changed it in the meantime: it is in staging now." },
      },
      { ...none, id: 999, outcome: "failed", message: "Unknown application" },
      {
        ...none,
        ...{ id: blocked, outcome: "excluded", message: "It is blocked: remove it from the blocked apps first." },
      },
      { ...done(last), findings: [], undo: { id: last, seen: accepted, target: pending } },
    ]);
    expect(await findVersion(moved)).toMatchObject({ approvalStatus: "STAGING" });
    expect(await findVersion(blocked)).toMatchObject({ approvalStatus: "LIMITED" });
  });

  it("an app that was blocked meanwhile fails as one whose status has moved", async () => {
    const id = await storeApp("app-1");
    await setFlags("app-1", { isBlacklisted: true });
    expect(await decide({ decision: "accept", items: [{ id, seen: pending }] })).toMatchObject([
      { outcome: "failed", message: "Somebody has changed it in the meantime: it is blocked now." },
    ]);
    expect(await findVersion(id)).toMatchObject({ approvalStatus: "PENDING" });
  });

  it("what head units would refuse is told before, fails, and is decided only for the item that is forced", async () => {
    await store(async (tx) => {
      const flags = { isDefault: true, isPreDataConsent: true, isDevice: true };
      await storeGroup(tx, { name: "Base", status: "PRODUCTION", ...flags, rpcs: [] });
      for (let index = 0; index < 256; index++) await storeGroup(tx, { name: `G${index}`, status: "PRODUCTION" });
    });
    const asksForShow = { permissions: [{ key: "Show", hmiLevel: "HMI_FULL" }] };
    const ids = [await storeApp("app-1", "PENDING", asksForShow), await storeApp("app-2", "PENDING", asksForShow)];
    const { apps } = await foresee({ decision: "accept", uuids: ["app-1", "app-2"] });
    const path = "app_policies.app-2.groups";
    expect(apps[1]?.findings).toMatchObject([
      { environment: "staging", path },
      { environment: "production", path },
    ]);
    const [forced, refused] = itemsOf(apps);
    expect(await decide({ decision: "accept", items: [{ ...forced, force: true }, refused] })).toMatchObject([
      done(ids[0] ?? 0),
      { outcome: "failed", message: expect.stringContaining("Head units would refuse"), findings: apps[1]?.findings },
    ]);
    expect(await findVersion(ids[1] ?? 0)).toMatchObject({ approvalStatus: "PENDING" });
  });

  it("an unforeseen failure is logged and says nothing; the others go on", async () => {
    const ids = [await storeApp("app-1"), await storeApp("app-2")];
    const logged = vi.spyOn(log, "error").mockImplementation(() => undefined);
    vi.spyOn(flagCommands, "saveApplicationFlags").mockRejectedValueOnce(new Error("a secret of the inside"));
    const results = await decide({ decision: "accept", items: ids.map((id) => ({ id, seen: pending })) });
    expect(results).toMatchObject([{ outcome: "failed", message: "Internal server error" }, done(ids[1] ?? 0)]);
    expect(logged).toHaveBeenCalledOnce();
    expect(await findVersion(ids[0] ?? 0)).toMatchObject({ approvalStatus: "PENDING" });
    vi.restoreAllMocks();
  });

  it("when the database goes away the rest is not tried, and what was done is still told", async () => {
    const ids = [await storeApp("app-1"), await storeApp("app-2"), await storeApp("app-3")];
    const real = flagCommands.saveApplicationFlags;
    const save = vi.spyOn(flagCommands, "saveApplicationFlags");
    save.mockImplementationOnce(real).mockRejectedValueOnce(new DatabaseUnavailable("gone"));
    expect(await decide({ decision: "stage", items: ids.map((id) => ({ id, seen: pending })) })).toMatchObject([
      done(ids[0] ?? 0),
      { outcome: "failed", message: "The database cannot be reached; try again soon" },
      { outcome: "failed", message: "Not tried: The database cannot be reached; try again soon" },
    ]);
    expect(save).toHaveBeenCalledTimes(2);
    vi.restoreAllMocks();
  });
});

describe("bulk: undo of a whole bulk", () => {
  it("gives each app its earlier status and reason", async () => {
    const ids = [
      await storeApp("app-1"),
      await storeApp("app-2", "STAGING"),
      await storeApp("app-3", "LIMITED", { denialMessage: "Too loud" }),
    ];
    const { apps } = await foresee({ decision: "block", uuids: ["app-1", "app-2", "app-3"] });
    const results = await decide({ decision: "block", reason: "Stop", items: itemsOf(apps) });
    expect((await findFlags("app-2"))?.isBlacklisted).toBe(true);
    const taken = await send(undo.POST, { items: results.map((one) => one.undo) });
    expect(taken.data.results).toMatchObject(apps.map(({ id }) => done(id)));
    const versions = await Promise.all(ids.map(findVersion));
    expect(versions.map((one) => [one?.approvalStatus, one?.denialMessage])).toEqual([
      ["PENDING", null],
      ["STAGING", null],
      ["LIMITED", "Too loud"],
    ]);
    expect((await findFlags("app-2"))?.isBlacklisted).toBe(false);
    // What takes the undo back is the decision again.
    expect(taken.data.results[0].undo).toMatchObject({ target: { is_blacklisted: true, denial_message: "Stop" } });
  });

  it("leaves alone what somebody has changed since, and says so", async () => {
    const ids = [await storeApp("app-1"), await storeApp("app-2")];
    const items = ids.map((id) => ({ id, seen: pending }));
    const results = await decide({ decision: "accept", items });
    await decide({ decision: "limit", items: [{ id: ids[0], seen: accepted }] });
    expect((await send(undo.POST, { items: results.map((one) => one.undo) })).data.results).toMatchObject([
      { outcome: "failed", message: "Somebody has changed it in the meantime: it is limited now." },
      done(ids[1] ?? 0),
    ]);
    expect(await findVersion(ids[0] ?? 0)).toMatchObject({ approvalStatus: "LIMITED" });
  });

  it("a second undo finds every app changed and writes nothing", async () => {
    const id = await storeApp("app-1");
    const [result] = await decide({ decision: "accept", items: [{ id, seen: pending }] });
    await send(undo.POST, { items: [result?.undo] });
    const revision = await readRevision();
    expect((await send(undo.POST, { items: [result?.undo] })).data.results).toMatchObject([{ outcome: "failed" }]);
    expect(await readRevision()).toBe(revision);
  });
});
