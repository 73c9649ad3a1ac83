import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { saveGroup } from "@/lib/records/groups/commands";
import { saveGroupBody } from "@/lib/records/groups/schema";
import { listHistory } from "@/lib/releases/items/history";
import { publishedAnswer } from "@/lib/releases/answer-schema";
import { AuditEventModel } from "@/models/audit-event";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ReleaseModel } from "@/models/release";
import * as action from "@/app/api/v1/applications/action/route";
import * as report from "@/app/api/v1/releases/[n]/report/route";
import { findVersion, send, storeApp } from "@/test/support/applications";
import { testContext } from "@/test/support/database";
import {
  publish,
  publishAll,
  review,
  reviewed,
  rpcBody,
  stageBaseGroup,
  stageGroup,
  stageMessage,
  stageVehicleData,
  withFirstRelease,
} from "@/test/support/releases";
import { aRequest } from "@/test/support/requests";
import { callRoute } from "@/test/support/route-calls";

withFirstRelease();

const returnTo = (n: number, body: object = {}) =>
  callRoute("POST /api/v1/releases/{n}/return", { params: { n: `${n}` }, body });
const appsOf = async (n: number, query = "") =>
  (await callRoute("GET /api/v1/releases/{n}/apps", { params: { n: `${n}` }, query })).data;
const appOf = async (n: number, uuid: string, query = "") =>
  (await callRoute("GET /api/v1/releases/{n}/apps/{uuid}", { params: { n: `${n}`, uuid }, query })).data;

const production = async () => {
  const records = await FunctionalGroupModel.find({ status: "PRODUCTION" }).sort({ _id: 1 }).lean();
  return [...new Map(records.map((record) => [record.name, record])).values()]
    .filter(({ isDeleted }) => !isDeleted)
    .map(({ name, rpcs }) => [name, rpcs.map((rpc) => rpc.name)]);
};

it("L12: production becomes item by item what it was, as a new release", async () => {
  const before = await production();
  await stageBaseGroup(rpcBody("Show", ["FULL"]));
  await stageMessage("Seats");
  await stageGroup("Seats", { user_consent_prompt: "Seats" });
  await stageVehicleData("scent", { is_deleted: true });
  await publishAll();
  expect(await production()).not.toEqual(before);
  const { status, data } = await returnTo(1, { name: "Back", note: "again" });
  expect(status).toBe(200);
  const { release } = publishedAnswer.parse(data);
  expect(release).toMatchObject({ number: 3, kind: "return", name: "Back", note: "again", returned_to: 1 });
  expect(release.items.map(({ family, key, change }) => [family, key, change])).toEqual([
    ["message", "Seats", "delete"],
    ["vehicle_data", "scent", "add"],
    ["group", "Base", "change"],
    ["group", "Seats", "delete"],
  ]);
  expect(await production()).toEqual(before);
  expect((await review()).items).toEqual([]);
});

it("L12: edits that wait in staging keep waiting, as those of who made them; the history tells it (L13)", async () => {
  await stageBaseGroup(rpcBody("Show", ["FULL"]));
  await publishAll();
  const ann = { ...testContext, displayName: "Ann" };
  await saveGroup(saveGroupBody.parse({ name: "Base", is_default: true, rpcs: [rpcBody("Alert", ["FULL"])] }), ann);
  const [waiting] = (await review()).items;
  await stageGroup("New", { rpcs: [rpcBody("Show", ["FULL"])] });
  expect((await returnTo(1)).status).toBe(200);
  const { items } = await review();
  expect(items).toMatchObject([
    { key: "Base", author: { display_name: "Ann" }, at: waiting?.at },
    { key: "New", change: "add" },
  ]);
  expect(items[0]?.id).toBeGreaterThan(waiting?.id ?? 0);
  const staged = await FunctionalGroupModel.findById(items[0]?.id).lean();
  expect(staged).toMatchObject({ status: "STAGING", rpcs: [{ name: "Alert", levels: ["FULL"] }] });
  const [kept] = await AuditEventModel.find({ action: "groups.keep" }).lean();
  expect(kept).toMatchObject({ target: "group:Base", before: { id: waiting?.id }, after: items[0]?.id });
  const { versions } = await listHistory({ family: "group", key: "Base" }, { limit: 3 });
  expect(versions).toMatchObject([
    { status: "STAGING", author: { display_name: "Ann" }, at: waiting?.at },
    { status: "PRODUCTION", release: 3, author: { display_name: null } },
    { status: "STAGING", author: { display_name: "Ann" }, at: waiting?.at },
  ]);
});

it("L12: is refused with a sentence when production is so already, also after a return", async () => {
  expect(await returnTo(1)).toMatchObject({
    status: 409,
    message: "Production is already what it was as of release 1",
  });
  await stageGroup("Seats");
  await publishAll();
  expect((await returnTo(1)).status).toBe(200);
  expect((await returnTo(1)).message).toBe("Production is already what it was as of release 1");
  expect((await returnTo(2)).status).toBe(200);
  expect(await ReleaseModel.countDocuments({})).toBe(4);
});

it("L4, L12: apps stay as they are decided today", async () => {
  const id = await storeApp("11111111-aaaa-4bbb-8ccc-000000000001", "STAGING");
  await stageGroup("Seats");
  await publish({ items: await reviewed() });
  const { data } = await returnTo(1, { dry_run: true });
  const kept = [{ uuid: "11111111-aaaa-4bbb-8ccc-000000000001", name: expect.any(String), id }];
  expect(publishedAnswer.parse(data).apps_kept).toEqual(kept);
  expect((await returnTo(1)).status).toBe(200);
  expect((await findVersion(id))?.approvalStatus).toBe("ACCEPTED");
});

it("L4, L12: a release of apps alone is not taken back as if nothing had changed: the apps are named", async () => {
  const uuid = "11111111-aaaa-4bbb-8ccc-000000000002";
  const id = await storeApp(uuid, "STAGING", { name: "Podcat" });
  await publishAll();
  const named = [{ uuid, name: "Podcat", id }];
  const refused = await returnTo(1);
  expect(refused).toMatchObject({ status: 409, data: { apps_kept: named } });
  expect(refused.message).toMatch(/^Only apps differ from release 1, .* decide about Podcat$/);
  await send(action.POST, { id, approval_status: "STAGING" });
  expect((await returnTo(1)).message).toBe("Production is already what it was as of release 1");
});

it("L12: a blocked app is not among those that stay: moving it back would unblock it", async () => {
  const uuid = "11111111-aaaa-4bbb-8ccc-000000000003";
  const id = await storeApp(uuid, "STAGING");
  await publishAll();
  await send(action.POST, { id, approval_status: "ACCEPTED", blacklist: true });
  expect((await returnTo(1)).message).toBe("Production is already what it was as of release 1");
});

it("L10, L12: a dry run tells the diff, the checks and the effect, and stores nothing", async () => {
  await stageGroup("Seats", { is_default: true });
  await publishAll();
  const { data } = await returnTo(1, { dry_run: true });
  const { release, checks, effect } = publishedAnswer.parse(data);
  expect(release.items).toMatchObject([{ key: "Seats", change: "delete" }]);
  expect(checks).toEqual([]);
  expect(effect?.bytes.plain.after).toBeLessThan(effect?.bytes.plain.before ?? 0);
  expect(await ReleaseModel.countDocuments({})).toBe(2);
});

it("L6, L12: findings need force and a reason here, too", async () => {
  await stageGroup("Base", { is_default: true, rpcs: [rpcBody("Show", ["FULL"])] });
  await publish({ items: "all", force: true, reason: "trying" });
  await stageGroup("Base", { is_default: true, rpcs: [rpcBody("RegisterAppInterface", ["NONE"])] });
  await publish({ items: "all", force: true, reason: "trying" });
  const refused = await returnTo(2);
  expect([refused.status, refused.data.checks[0]]).toMatchObject([
    409,
    { level: "finding", family: "group", key: "Base" },
  ]);
  const { data } = await returnTo(2, { force: true, reason: "as the fleet had it" });
  expect(publishedAnswer.parse(data).release).toMatchObject({ reason: "as the fleet had it" });
});

it("L7: of an old release, and of rolling back to it, every app is told of, and each in detail", async () => {
  const asking = { permissions: [{ key: "Alert", hmiLevel: "HMI_FULL" as const }] };
  const uuids = Array.from({ length: 3 }, () => randomUUID());
  for (const uuid of uuids) await storeApp(uuid, "ACCEPTED", asking);
  await stageGroup("Alerts", { rpcs: [rpcBody("Alert", ["FULL"])] });
  await publishAll();
  await stageGroup("Alerts", { rpcs: [rpcBody("Alert", ["FULL", "LIMITED"])] });
  await publishAll();
  const [then, now] = [2, 3];
  const [first, rest] = [await appsOf(then), await appsOf(then, "from=1")];
  expect([first.apps_changed, first.apps.length]).toEqual([3, 3]);
  expect(rest.apps).toEqual(first.apps.slice(1));
  expect(first.apps[0].areas).toMatchObject([{ kind: "gained" }]);
  const [uuid = ""] = uuids;
  expect(await appOf(then, uuid)).toMatchObject({
    ...{ uuid, groups_gained: ["Alerts"], groups_lost: [] },
    rights: [{ rpc: "Alert", kind: "gained", levels: ["FULL"] }],
  });
  expect(await appOf(now, uuid)).toMatchObject({ rights: [{ rpc: "Alert", kind: "gained", levels: ["LIMITED"] }] });
  const back = await appsOf(then, "of=return");
  expect(back).toMatchObject({ apps_changed: 3 });
  const { effect: planned } = (await returnTo(then, { dry_run: true })).data;
  expect([planned.apps_changed, planned.apps]).toEqual([3, back.apps]);
  expect(await appOf(then, uuid, "of=return")).toMatchObject({
    rights: [{ rpc: "Alert", kind: "lost", levels: ["LIMITED"] }],
  });
});

it("L1a: the report of a release tells its items and every app that it changed", async () => {
  const asking = { permissions: [{ key: "Alert", hmiLevel: "HMI_FULL" as const }] };
  for (let count = 0; count < 101; count++) await storeApp(randomUUID(), "ACCEPTED", asking);
  await stageGroup("Alerts", { rpcs: [rpcBody("Alert", ["FULL"])] });
  await publish({ items: await reviewed(), name: "Summer" });
  const response = await report.GET(aRequest("/api/v1/releases/2/report"), { params: Promise.resolve({ n: "2" }) });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/markdown; charset=utf-8"]);
  const text = await response.text();
  expect(text).toMatch(/^# Release #2 Summer\n/);
  expect(text).toContain("### Added: functional group Alerts");
  expect(text).toContain("- `rpcs.Alert.hmi_levels`: none → FULL");
  expect(text.match(/: gains /g)).toHaveLength(101);
});
