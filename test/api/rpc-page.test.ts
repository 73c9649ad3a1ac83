import { describe, expect, it } from "vitest";
import * as action from "@/app/api/v1/applications/action/route";
import * as use from "@/app/api/v1/ui/permissions/use/route";
import type { PermissionUseAnswer } from "@/app/(console)/rpcs/schema";
import { fetchQuery, send, setFlags, storeApp } from "@/test/support/applications";
import { publishAll, rpcBody, stageBaseGroup, stageGroup, withFirstRelease } from "@/test/support/releases";
import { store, storeAppVersion } from "@/test/support/stored-records";

withFirstRelease();

const ask = (query: string) => fetchQuery(use.GET, query);
const find = async (query: string): Promise<PermissionUseAnswer> => {
  const { status, message, data } = await ask(query);
  if (status !== 200) throw new Error(`${status} ${message}`);
  return data;
};
const gps = "?rpc=GetVehicleData&parameter=gps";
const wantsGps = { permissions: [{ key: "gps", hmiLevel: "HMI_FULL" }], services: [] };
const reads = (...parameters: string[]) => ({ rpcs: [rpcBody("GetVehicleData", ["FULL"], parameters)] });
const bothOf = (apps: PermissionUseAnswer["apps"]) =>
  apps.map(({ uuid, requested, staging, production, lost_in }) => [
    uuid,
    requested,
    staging.levels,
    production.levels,
    lost_in,
  ]);

describe("GET ui/permissions/use: what is asked", () => {
  it.each([
    ["", /^rpc is missing/],
    ["?rpc=", /^rpc must have/],
    [`?rpc=${"a".repeat(256)}`, /^rpc must have/],
  ])("0.5: %s is refused, and the field named", async (query, message) => {
    const answer = await ask(query);
    expect(answer.status).toBe(400);
    expect(answer.message).toMatch(message);
  });

  it.each(["?rpc=NoSuchRpc", "?rpc=gps", "?rpc=GetVehicleData&parameter=noSuch", "?rpc=Show&parameter=gps"])(
    "L20: %s is not known",
    async (query) => expect((await ask(query)).status).toBe(404),
  );
});

describe("L20: one permission", () => {
  it("tells what groups give in staging and production, and what becomes of the apps", async () => {
    await stageGroup("Location-1", reads("gps"));
    await storeApp("asks", "ACCEPTED", wantsGps);
    await storeApp("pending", "PENDING", wantsGps);
    await storeApp("other", "ACCEPTED", { permissions: [], services: [] });
    const staged = await find(gps);
    expect(staged.groups).toEqual({
      items: [{ name: "Location-1", prompt: null, staging: { levels: ["FULL"], is_veto: false }, production: null }],
      total: 1,
    });
    expect(bothOf(staged.apps)).toEqual([
      ["asks", ["FULL"], ["FULL"], [], null],
      ["pending", ["FULL"], [], [], null],
    ]);
    expect(staged.counts).toEqual({ all: 2, requested: 2, production: 0, staging: 1, withheld: 2, lost: 0 });
    expect(staged).toMatchObject({ parents: ["GetVehicleData"], releases: [] });

    await publishAll();
    const published = await find(gps);
    expect(bothOf(published.apps)[0]).toEqual(["asks", ["FULL"], ["FULL"], ["FULL"], null]);
    expect(published.releases).toEqual([expect.objectContaining({ number: 2, gained: 1, lost: 0 })]);
    expect((await find("?rpc=GetVehicleData")).parameters).toEqual(["gps", "scent"]);
  });

  it("names the release that took it away, and not for apps that have it again", async () => {
    await storeApp("asks", "ACCEPTED", wantsGps);
    await stageGroup("Location-1", reads("gps"));
    await publishAll();
    await stageGroup("Location-1", { rpcs: [rpcBody("Show", ["FULL"])] });
    await publishAll();
    await stageGroup("Unrelated", { rpcs: [rpcBody("Show", ["FULL"])] });
    await publishAll();
    const lost = await find(`${gps}&apps=lost`);
    expect(bothOf(lost.apps)).toEqual([["asks", ["FULL"], [], [], 3]]);
    expect(lost.releases.map(({ number, gained, lost: count }) => [number, gained, count])).toEqual([
      [3, 0, 1],
      [2, 1, 0],
    ]);
    await stageGroup("Location-2", reads("gps"));
    await publishAll();
    expect((await find(`${gps}&apps=lost`)).apps).toEqual([]);
    expect(bothOf((await find(gps)).apps)).toEqual([["asks", ["FULL"], ["FULL"], ["FULL"], null]]);
  });

  it("knows that a release published a version which requests it no longer", async () => {
    await stageGroup("Location-1", reads("gps"));
    await storeApp("asks", "ACCEPTED", wantsGps);
    await publishAll();
    await storeApp("asks", "STAGING", { permissions: [], services: [] });
    await publishAll();
    expect(bothOf((await find(`${gps}&apps=lost`)).apps)).toEqual([["asks", null, [], [], 3]]);
  });

  it("blames no release for what a later one gave back, and a decision took since", async () => {
    await stageGroup("Location-1", reads("gps"));
    await storeApp("asks", "ACCEPTED", { permissions: [], services: [] });
    await publishAll();
    const id = await storeApp("asks", "STAGING", wantsGps);
    await publishAll();
    await storeApp("asks", "STAGING", { permissions: [], services: [] });
    await publishAll();
    expect(bothOf((await find(`${gps}&apps=lost`)).apps)).toEqual([["asks", null, [], [], 4]]);
    const last = await storeApp("asks", "STAGING", wantsGps);
    await publishAll();
    await send(action.POST, { id: last, approval_status: "LIMITED" });
    await send(action.POST, { id, approval_status: "LIMITED" });
    const { apps, releases } = await find(gps);
    expect(bothOf(apps)).toEqual([["asks", ["FULL"], [], [], null]]);
    expect(releases.map(({ number, gained, lost }) => [number, gained, lost])).toEqual([
      [5, 1, 0],
      [4, 0, 1],
      [3, 1, 0],
    ]);
  });

  it("gives a blocked app nothing, and says what every app has", async () => {
    await stageBaseGroup(rpcBody("Show", ["FULL"]));
    await publishAll();
    await storeApp("asks", "ACCEPTED", { permissions: [], services: [] });
    await storeApp("blocked", "ACCEPTED", { permissions: [{ key: "Show", hmiLevel: "HMI_FULL" }], services: [] });
    await setFlags("blocked", { isBlacklisted: true });
    const { apps, every_app: everyApp } = await find("?rpc=Show");
    expect(everyApp.production).toEqual({ levels: ["FULL"], differing: [] });
    expect(apps.map(({ uuid, is_blocked, production }) => [uuid, is_blocked, production.levels])).toEqual([
      ["asks", false, ["FULL"]],
      ["blocked", true, []],
    ]);
  });

  it("comes in pages of 50 apps by name, narrowed by a search and a choice", async () => {
    await store(async (tx) => {
      for (let at = 0; at < 60; at++) {
        const values = { name: `App ${String(at).padStart(2, "0")}`, vendorName: at === 7 ? "Acme" : "Other" };
        await storeAppVersion(tx, `app-${at}`, "PENDING", { ...wantsGps, ...values });
      }
    });
    const first = await find(gps);
    expect([first.apps.length, first.total, first.after, first.apps[0]?.name]).toEqual([50, 60, 0, "App 00"]);
    const last = await find(`${gps}&after=9999`);
    expect([last.apps.length, last.after, last.apps[0]?.name]).toEqual([10, 50, "App 50"]);
    expect((await find(`${gps}&q=acme`)).apps.map(({ name }) => name)).toEqual(["App 07"]);
    expect((await find(`${gps}&apps=production`)).apps).toEqual([]);
  });
});
