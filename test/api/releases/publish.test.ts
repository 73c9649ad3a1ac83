import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import * as contents from "@/app/api/v1/releases/changes/items/route";
import * as changes from "@/app/api/v1/releases/changes/route";
import { findTableRisks } from "@/lib/releases/review/risks";
import { readRevision } from "@/lib/platform/db/revision";
import { changesAnswer, itemContentsAnswer, publishedAnswer } from "@/lib/releases/answer-schema";
import { AuditEventModel } from "@/models/audit-event";
import { FeedbackModel } from "@/models/directory/feedback";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ReleaseModel } from "@/models/release";
import { fetchQuery, findVersion, send, storeApp } from "@/test/support/applications";
import { callRoute } from "@/test/support/route-calls";
import { store, storeAppVersion, storeGroup } from "@/test/support/stored-records";
import {
  publish,
  review,
  reviewed,
  rpcBody,
  stageBaseGroup,
  stageGroup,
  stageMessage,
  stageVehicleData,
  withFirstRelease,
} from "@/test/support/releases";

vi.mock("@/lib/releases/review/risks", { spy: true });
withFirstRelease();

const uuid = "11111111-aaaa-4bbb-8ccc-000000000001";
const count = () => ReleaseModel.countDocuments({});

describe("publishing", () => {
  it("L1, L9: families and apps go in one step, as one revision and one release", async () => {
    const id = await storeApp(uuid, "STAGING");
    await stageMessage("Seats");
    await stageVehicleData("seatHeat");
    await stageGroup("Seats", { user_consent_prompt: "Seats", rpcs: [rpcBody("Show", ["FULL"])] });
    const items = await reviewed();
    expect(items.map(({ family }) => family)).toEqual(["message", "vehicle_data", "group", "app"]);
    const before = await readRevision();
    const { status, data } = await publish({ items, name: " Winter ", note: "" });
    expect(status).toBe(200);
    const { release } = publishedAnswer.parse(data);
    expect(release).toMatchObject({ number: 2, kind: "release", name: "Winter", note: null, revision: before + 1 });
    expect(release.items.map(({ family, key, change }) => [family, key, change])).toEqual([
      ["message", "Seats", "add"],
      ["vehicle_data", "seatHeat", "add"],
      ["group", "Seats", "add"],
      ["app", uuid, "add"],
    ]);
    expect(await readRevision()).toBe(before + 1);
    expect((await review()).items).toEqual([]);
    expect((await findVersion(id))?.approvalStatus).toBe("ACCEPTED");
    expect(await FeedbackModel.find({}).lean()).toMatchObject([{ uuid, versionId: id, approvalStatus: "ACCEPTED" }]);
    expect((await AuditEventModel.find({ revision: before + 1 }).lean()).map(({ action }) => action).sort()).toEqual([
      "applications.action",
      "groups.promote",
      "messages.promote",
      "releases.publish",
      "vehicle-data.promote",
    ]);
  });

  it("L8: a head that moved stops everything, and says whose it is", async () => {
    await stageGroup("Seats");
    await stageMessage("Doors");
    const items = await reviewed();
    await stageGroup("Seats", { rpcs: [rpcBody("Show", ["FULL"])] });
    const before = await readRevision();
    const { status, data } = await publish({ items });
    expect(status).toBe(409);
    const [head] = await reviewed("group:Seats");
    expect(data.moved).toEqual([
      {
        family: "group",
        key: "Seats",
        id: head?.id,
        author: expect.objectContaining({ actor: "admin" }),
        at: expect.any(String),
      },
    ]);
    expect([await count(), await readRevision()]).toEqual([1, before]);
  });

  it("L8: one key with two ids is refused, whichever comes last", async () => {
    await stageGroup("Seats");
    const [first] = await reviewed();
    await stageGroup("Seats", { rpcs: [rpcBody("Show", ["FULL"])] });
    const [second] = await reviewed();
    for (const items of [
      [first, second],
      [second, first],
    ]) {
      expect(await publish({ items })).toMatchObject({ status: 409, data: { moved: [{ key: "Seats" }] } });
    }
    expect((await publish({ items: [second, second] })).status).toBe(200);
  });

  it("L7: says whether apps without an entry of their own change, which are not counted", async () => {
    await storeApp(uuid);
    await stageBaseGroup(rpcBody("Show", ["FULL"]));
    expect((await review()).effect).toMatchObject({ apps_changed: 0, default_changed: true });
    expect((await publish({ items: "all" })).status).toBe(200);
    await stageGroup("Seats");
    expect((await review()).effect).toMatchObject({ apps_changed: 0, default_changed: false });
  });

  it("L8: of an app whose version was withdrawn nothing is published", async () => {
    const id = await storeApp(uuid, "STAGING");
    await storeApp(uuid, "STAGING");
    const { status, data } = await publish({ items: [{ family: "app", key: uuid, id }] });
    expect([status, data.moved]).toEqual([409, [expect.objectContaining({ family: "app", key: uuid, id: id + 1 })]]);
  });

  it("L6: what is blocked is refused whatever the force, with the step that mends it", async () => {
    await stageMessage("Seats");
    await stageGroup("Seats", { user_consent_prompt: "Seats" });
    const items = await reviewed("group:Seats");
    const { status, message, data } = await publish({ items, force: true, reason: "hurry" });
    expect([status, message]).toEqual([
      409,
      'The functional group "Seats" asks with the message "Seats", which is not in production',
    ]);
    expect(data.checks[0]).toMatchObject({ level: "block", remedy: { family: "message", key: "Seats" } });
    expect((await publish({ items: await reviewed("group:Seats", "message:Seats") })).status).toBe(200);
  });

  it("L6: findings need force and a reason, which the release keeps", async () => {
    await stageGroup("Base", { is_deleted: true });
    const items = await reviewed();
    const refused = await publish({ items });
    expect([refused.status, refused.data.checks[0].level]).toEqual([409, "finding"]);
    expect((await publish({ items, force: true, reason: "  " })).message).toContain("reason must say why");
    expect(await count()).toBe(1);
    const { data } = await publish({ items, force: true, reason: "the fleet is gone" });
    const { release } = publishedAnswer.parse(data);
    expect(release.reason).toBe("the fleet is gone");
    expect(release.findings.length).toBeGreaterThan(0);
    expect(release.items).toMatchObject([{ change: "delete", after_id: null }]);
  });

  it("L9: a set that can be promoted in no order of its families is published as a whole", async () => {
    await stageMessage("Seats");
    await stageGroup("Seats", { user_consent_prompt: "Seats" });
    await publish({ items: "all" });
    // The deletion of the message needs the group changed, the group needs the new message.
    await stageMessage("Seats", { is_deleted: true });
    await stageMessage("Chairs");
    await stageGroup("Seats", { user_consent_prompt: "Chairs" });
    expect((await publish({ items: await reviewed("message:Seats") })).message).toBe(
      'The message "Seats" is deleted, and the functional group "Seats" asks with it',
    );
    expect((await publish({ items: "all" })).status).toBe(200);
  });

  it("L6, L7: what apps lose is told to readers, of a refusal as well; a publication does not wait for it", async () => {
    await stageGroup("Base", { is_deleted: true });
    const refused = await publish({ items: "all" });
    expect(refused.data.checks).toContainEqual(expect.objectContaining({ rule: "default group shrinks" }));
    expect((await review()).checks).toEqual(refused.data.checks);
    await stageGroup("Seats");
    vi.mocked(findTableRisks).mockClear();
    expect((await publish({ items: "all", force: true, reason: "the fleet is gone" })).status).toBe(200);
    expect(findTableRisks).not.toHaveBeenCalled();
  });

  it("L10: a dry run answers all that a publication would, and stores nothing", async () => {
    await storeApp(uuid, "STAGING");
    await stageGroup("Seats", { is_default: true, rpcs: [rpcBody("Show", ["FULL"])] });
    const before = await readRevision();
    const items = await reviewed();
    const { status, data } = await publish({ items, dry_run: true });
    const { release, checks, effect } = publishedAnswer.parse(data);
    expect([status, release.number, release.items.length]).toEqual([200, 2, 2]);
    expect(checks?.map(({ rule }) => rule)).toEqual(["default group for all apps"]);
    expect(effect).toMatchObject({ apps_changed: 1, apps: [{ uuid }] });
    expect([await count(), await readRevision()]).toEqual([1, before]);
    const { data: published } = await publish({ items });
    const real = publishedAnswer.parse(published);
    expect(real.release.items).toEqual(release.items);
    expect("checks" in real).toBe(false);
  });

  it("refuses what there is nothing to publish of", async () => {
    expect((await publish({ items: "all" })).message).toBe("Nothing to publish: production equals staging");
    const record = await FunctionalGroupModel.findOne({ name: "Base", status: "PRODUCTION" }).lean();
    const again = await publish({ items: [{ family: "group", key: "Base", id: record?._id }] });
    expect([again.status, again.message?.startsWith("Nothing to publish of")]).toEqual([409, true]);
  });

  it("L5: a choice that is too long for an address is reviewed like any other", async () => {
    await stageGroup("Seats");
    await stageGroup("Doors");
    const others = Array.from({ length: 2_000 }, (_, at) => `group:A-functional-group-that-is-not-staged-${at}`);
    const { status, data } = await send(changes.POST, { items: [...others, "group:Seats"] });
    expect([status, data]).toEqual([200, await review("group:Seats")]);
    expect(data.items.map(({ key }: { key: string }) => key)).toEqual(["Seats"]);
    expect((await send(changes.POST, {})).data).toEqual(await review());
  });
});

describe("the review", () => {
  it("L5: tells of each item who staged it, what differs by field and in the table", async () => {
    await stageGroup("Base", { is_default: true, rpcs: [rpcBody("Alert", ["FULL"])] });
    const answer = changesAnswer.parse(await review());
    expect(answer.items).toMatchObject([
      {
        ...{ family: "group", key: "Base", title: "Base", change: "change", author: { actor: "admin" } },
        summary: expect.stringContaining("RPC Alert"),
      },
    ]);
    const paths = (fields: readonly { path: string }[] | null = []) => fields?.map(({ path }) => path);
    expect(paths(answer.items[0]?.fields)).toContain("rpcs.Alert.hmi_levels");
    expect(paths(answer.items[0]?.table_fields)).toContain("rpcs.Alert.hmi_levels");
  });

  it("L5: leaves out differences that do not fit into one answer, and lists them in full on request", async () => {
    const parameters = Array.from({ length: 20_000 }, (_, at) => `parameter${String(at).padStart(6, "0")}`);
    const rpcs = [{ name: "Alert", levels: ["FULL"], parameters }];
    await store(async (tx) => {
      await storeGroup(tx, { name: "A-large", rpcs });
      await storeGroup(tx, { name: "B-large", rpcs });
      await storeGroup(tx, { name: "C-small" });
    });
    const answer = changesAnswer.parse(await review());
    const isTold = new Map(
      answer.items.map(({ key, ...item }) => [key, [item.fields, item.table_fields].map(Boolean)]),
    );
    expect(isTold.get("A-large")).toEqual([true, true]);
    expect(isTold.get("B-large")).toEqual([false, false]);
    expect(isTold.get("C-small")).toEqual([true, true]);
    expect(JSON.stringify(answer).length).toBeLessThan(1_000_000);

    const { data } = await fetchQuery(contents.GET, "?items=group:B-large&items=group:C-small&items=group:Unknown");
    const { items } = itemContentsAnswer.parse(data);
    expect(items.map(({ key }) => key)).toEqual(["B-large", "C-small"]);
    expect(JSON.stringify(items[0]?.fields)).toContain("parameter019999");
    const small = answer.items.find(({ key }) => key === "C-small");
    expect(items[1]).toMatchObject({ fields: small?.fields, table_fields: small?.table_fields });
  });

  it("L5: an app's first version is told without its ids, and its category once", async () => {
    await storeApp(uuid, "STAGING");
    const [item] = changesAnswer.parse(await review()).items;
    const paths = item?.fields?.map(({ path }) => path) ?? [];
    expect(paths).toContain("name");
    expect(paths.filter((path) => /uuid|^category[._]/.test(path))).toEqual([]);
  });

  const asking = { permissions: [{ key: "Alert", hmiLevel: "HMI_FULL" }] };

  it("L7: counts apps by what they get, and the bytes of the table; lists what one app gains", async () => {
    await storeApp(uuid, "ACCEPTED", asking);
    await stageGroup("Alerts", { rpcs: [rpcBody("Alert", ["FULL"])] });
    const { effect } = await review("group:Alerts");
    expect(effect.apps_changed).toBe(1);
    expect(effect.bytes.plain.after).toBeGreaterThan(effect.bytes.plain.before);
    expect(effect.bytes.gzip.after).toBeGreaterThan(effect.bytes.gzip.before);
    expect((await review("group:Nope")).effect.apps_changed).toBe(0);
    const { data } = await callRoute("GET /api/v1/releases/changes/apps/{uuid}", { params: { uuid } });
    expect(data).toMatchObject({
      ...{ uuid, groups_gained: ["Alerts"], groups_lost: [], rights: [{ rpc: "Alert" }] },
      fields: [{ path: "groups" }],
    });
  });

  it("L7: reaches every app that changes, worst first, 100 at a time", async () => {
    const uuids = Array.from({ length: 130 }, () => randomUUID());
    await store(async (tx) => {
      for (const one of uuids) await storeAppVersion(tx, one, "ACCEPTED", asking);
    });
    await stageGroup("Alerts", { rpcs: [rpcBody("Alert", ["FULL"])] });
    const { effect } = await review("group:Alerts");
    const part = async (from: number) =>
      (await callRoute("GET /api/v1/releases/changes/apps", { query: `items=group:Alerts&from=${from}` })).data;
    const [first, second, beyond] = [await part(0), await part(100), await part(130)];
    expect(first).toEqual({ apps_changed: 130, apps: effect.apps });
    expect([first.apps.length, second.apps.length, beyond.apps]).toEqual([100, 30, []]);
    const reached = [...first.apps, ...second.apps].map((app: { uuid: string }) => app.uuid);
    expect(reached.toSorted()).toEqual(uuids.toSorted());
  });

  it("L6: vehicle data that is deleted under a group, and that a group arrives without", async () => {
    await stageVehicleData("heat");
    await stageGroup("Data", { rpcs: [rpcBody("GetVehicleData", ["FULL"], ["heat", "scent"])] });
    expect((await review("group:Data")).checks).toMatchObject([
      { level: "block", rule: "custom vehicle data missing", remedy: { family: "vehicle_data", key: "heat" } },
    ]);
    expect((await review()).checks).toEqual([]);
    await publish({ items: "all" });
    await stageVehicleData("scent", { is_deleted: true });
    expect((await review()).checks).toMatchObject([
      { level: "block", rule: "vehicle data in use", family: "vehicle_data", key: "scent", remedy: null },
    ]);
    await stageGroup("Data", { rpcs: [rpcBody("GetVehicleData", ["FULL"], ["heat"])] });
    const { checks } = await review("vehicle_data:scent");
    expect(checks).toMatchObject([{ rule: "vehicle data in use", remedy: { family: "group", key: "Data" } }]);
  });
});
