import { describe, expect, it } from "vitest";
import * as groupsRoute from "@/app/api/v1/groups/route";
import * as promote from "@/app/api/v1/groups/promote/route";
import { GET as newest } from "@/app/api/v1/ui/records/[family]/route";
import * as effect from "@/app/api/v1/ui/groups/effect/route";
import * as promotionEffect from "@/app/api/v1/ui/groups/promotion/effect/route";
import { readRevision } from "@/lib/platform/db/revision";
import { neededRpcs } from "@/lib/vocabulary/terms";
import { FunctionalGroupModel } from "@/models/functional-group";
import { fetchQuery, send, setFlags, storeApp } from "@/test/support/applications";
import { withEmptyDatabase } from "@/test/support/database";
import { rpcBody } from "@/test/support/releases";
import { aRequest, readAnswer } from "@/test/support/requests";
import {
  store,
  storeAppVersion,
  storeGroup,
  storePermission,
  storeRpcSpecification,
} from "@/test/support/stored-records";

withEmptyDatabase();

const rpc = (name: string, parameters: readonly string[] = [], level = "FULL") => rpcBody(name, [level], parameters);
const readVehicle = { name: "GetVehicleData", levels: ["FULL"], parameters: ["gps", "speed"] };
const location = { name: "Location-1", rpcs: [readVehicle] };
const edited = { name: "Location-1", is_default: false, rpcs: [rpc("GetVehicleData", ["gps", "speed"]), rpc("Alert")] };
const asking = (key: string) => ({ name: `Asks ${key}`, permissions: [{ key, hmiLevel: "HMI_FULL" }] });

async function storeApps() {
  await store(async (tx) => {
    await storePermission(tx, "Alert");
    await storePermission(tx, "gps", "PARAMETER", ["GetVehicleData"]);
  });
  await storeApp("pigeonpost", "ACCEPTED", { ...asking("Alert"), name: "Pigeonpost" });
  await storeApp("navigator", "ACCEPTED", { ...asking("gps"), name: "Navigator" });
  await storeApp("staged", "STAGING", { ...asking("Alert"), name: "Staged" });
  await storeApp("blocked", "ACCEPTED", { ...asking("Alert"), name: "Blocked" });
  await setFlags("blocked", { isBlacklisted: true });
}
const summary = ({ effects }: any) =>
  effects.map(({ group, kind, apps, rpcs }: any) => [
    group,
    kind,
    apps.map(({ name }: any) => name),
    rpcs.map(({ name, parameters }: any) => [name, ...parameters].join(" ")),
  ]);

describe("POST ui/groups/effect", () => {
  it("finding E1: names the apps that would get vehicle data with Alert, and stores nothing", async () => {
    await storeApps();
    await store((tx) => storeGroup(tx, location));
    const before = await readRevision();
    const { data, status } = await send(effect.POST, edited);
    expect(status).toBe(200);
    expect(data).toMatchObject({ environment: "staging", app_count: 3, holder_count: 3, is_registration_lost: false });
    expect(data.holders.map(({ name }: any) => name)).toEqual(["Navigator", "Pigeonpost", "Staged"]);
    expect(summary(data)).toEqual([
      ["Location-1", "gained", ["Pigeonpost", "Staged"], ["GetVehicleData gps speed", "Alert"]],
      ["Location-1", "changed", ["Navigator"], ["Alert"]],
    ]);
    expect(await readRevision()).toBe(before);
    expect(await FunctionalGroupModel.countDocuments()).toBe(1);
  });

  it("tells what a deletion takes away, and that no app could register without it (finding A4)", async () => {
    await storeApps();
    const base = { name: "Base-4", isDefault: true, rpcs: neededRpcs.map((name) => ({ name, levels: ["NONE"] })) };
    await store((tx) => storeGroup(tx, base));
    const content = { name: "Base-4", is_default: true, rpcs: neededRpcs.map((name) => rpc(name, [], "NONE")) };
    const { data } = await send(effect.POST, { ...content, is_deleted: true });
    expect(data).toMatchObject({ is_registration_lost: true, is_update_lost: true, holder_count: 0 });
    const unanswering = (await send(effect.POST, { ...content, rpcs: content.rpcs.slice(0, 2) })).data;
    expect(unanswering).toMatchObject({ is_registration_lost: false, is_update_lost: true });
    expect(data.effects).toMatchObject([{ group: "Base-4", kind: "lost", is_default: true, app_count: 3 }]);
    expect((await send(effect.POST, { ...content, rpcs: [] })).data.is_registration_lost).toBe(true);
    expect((await send(effect.POST, { ...content, is_default: false })).data.is_registration_lost).toBe(true);
    expect((await send(effect.POST, content)).data).toMatchObject({ is_registration_lost: false, effects: [] });
  });

  it("counts only parameters that reach vehicles, and refuses what a save refuses", async () => {
    await store(storeRpcSpecification);
    await storeApps();
    const { data } = await send(effect.POST, edited);
    expect(summary(data)[0][3]).toEqual(["GetVehicleData gps", "Alert"]);
    const refused = await send(effect.POST, { name: "Location-1", is_default: false });
    expect(refused.status).toBe(400);
    expect(refused.message).toContain("rpcs");
  });

  it("names at most 50 apps by name, and counts all", async () => {
    await store(async (tx) => {
      for (let at = 0; at < 60; at++) {
        const name = `App ${String(at).padStart(2, "0")}`;
        await storeAppVersion(tx, `many-${at}`, "ACCEPTED", { ...asking("Alert"), name, displayNames: [name] });
      }
    });
    const { data } = await send(effect.POST, edited);
    expect(data.effects[0].app_count).toBe(60);
    expect(data.effects[0].apps).toHaveLength(50);
    expect(data.effects[0].apps[0]).toMatchObject({ name: "App 00" });
  });
});

it("GET ui/groups/promotion/effect: finding E1: tells the effect on production of exactly these groups", async () => {
  await storeApps();
  const [first, second] = await store(async (tx) => {
    await storeGroup(tx, { ...location, status: "PRODUCTION" });
    const alert = { name: "Alert", levels: ["FULL"], parameters: [] };
    return [
      await storeGroup(tx, { ...location, rpcs: [readVehicle, alert] }),
      await storeGroup(tx, { name: "Notices", rpcs: [alert] }),
    ];
  });
  const { data } = await fetchQuery(promotionEffect.GET, `?id=${first}`);
  expect(data).toMatchObject({ environment: "production", app_count: 2 });
  expect(summary(data)).toEqual([
    ["Location-1", "gained", ["Pigeonpost"], ["GetVehicleData gps speed", "Alert"]],
    ["Location-1", "changed", ["Navigator"], ["Alert"]],
  ]);
  const both = await fetchQuery(promotionEffect.GET, "");
  expect(new Set(both.data.effects.map(({ group }: any) => group))).toEqual(new Set(["Location-1", "Notices"]));
  expect((await fetchQuery(promotionEffect.GET, `?id=${second}`)).data.effects).toMatchObject([
    { group: "Notices", kind: "gained", app_count: 1 },
  ]);
  expect((await fetchQuery(promotionEffect.GET, "?id=999")).data.effects).toEqual([]);
  expect((await fetchQuery(promotionEffect.GET, "?id=x")).status).toBe(400);
});

describe("the way back of a deletion that is in production (finding A4)", () => {
  const read = async (query: string) => {
    const request = aRequest(`/api/v1/ui/records/group${query}`);
    return (await readAnswer(await newest(request, { params: Promise.resolve({ family: "group" }) }))).data.record;
  };

  it("gives what production had last, ready to be stored again", async () => {
    const [promoted] = await store(async (tx) => [
      await storeGroup(tx, { ...location, status: "PRODUCTION", isDefault: true }),
      await storeGroup(tx, { ...location, rpcs: [] }),
    ]);
    // A client that deletes sends what it likes as content.
    const deletion = { name: "Location-1", is_default: false, rpcs: [], is_deleted: true };
    expect((await send(groupsRoute.POST, deletion)).status).toBe(200);
    const staged = await FunctionalGroupModel.findOne({}).sort({ _id: -1 }).lean();
    expect((await send(promote.POST, { id: staged?._id, force: true })).status).toBe(200);
    expect(await read("?key=Location-1")).toBeNull();
    expect(await read(`?id=${promoted}`)).toBeNull();
    const group = await read("?key=Location-1&gone=true");
    expect(group.body).toMatchObject({ is_deleted: true, is_default: true, rpcs: [{ name: "GetVehicleData" }] });
    expect(group.id).toBeGreaterThan(promoted);
    expect((await send(groupsRoute.POST, { ...group.body, is_deleted: false, base_id: group.id })).status).toBe(200);
    expect((await read("?key=Location-1")).body).toMatchObject({ is_deleted: false, is_default: true });
    expect((await read("?key=Location-1&gone=true")).body).toMatchObject({ is_deleted: false });
  });

  it("knows nothing of a group that never was", async () => expect(await read("?key=Never&gone=true")).toBeNull());
});
