import { describe, expect, it } from "vitest";
import { buildSnapshotApp, decidingVersions } from "@/lib/policy/snapshot/app-outline";
import type { SnapshotApp } from "@/lib/policy/table/snapshot";
import { deriveShortUuid } from "@/lib/vocabulary/short-uuid";
import { environments, type ApprovalStatus } from "@/lib/vocabulary/terms";
import { builtTable, entryOf } from "@/test/support/answers";
import { aCatalogue, anApp, anAppVersion, aSnapshot } from "@/test/support/builders";

const id = "11111111aa";
const uuid = "11111111-aaaa-4bbb-8ccc-000000000001";

async function entriesOf(apps: readonly SnapshotApp[], ids: readonly string[], fullAppIdSupported = false) {
  const requested = Object.fromEntries(ids.map((one) => [one, {}]));
  const snapshot = aSnapshot({ apps: aCatalogue(apps) });
  const { app_policies } = await builtTable(snapshot, { apps: requested, fullAppIdSupported });
  return ids.map((one) => app_policies[one]);
}

describe("A1: one entry per requested id", () => {
  it("A1: in request order, then the fixed entries", async () => {
    const apps = aCatalogue([anApp(), anApp({ uuid: "b", isBlacklisted: true, versions: [] })]);
    const requested = { unknown: {}, device: {}, b: {}, [id]: {}, zz: {} };
    const { app_policies } = await builtTable(aSnapshot({ apps }), { apps: requested });
    const names = ["unknown", "b", id, "zz", "default", "device", "pre_DataConsent"];
    expect(Object.keys(app_policies)).toEqual(names);
    expect(names.slice(0, 4).map((name) => app_policies[name])).toEqual([
      "default",
      null,
      expect.objectContaining({ nicknames: ["Roadtune"] }),
      "default",
    ]);
  });

  it("A1: ids are written as JSON text, whatever they hold", async () => {
    const ids = ['quo"te', "back\\slash", "line\nbreak", "", "ü", "\u{1f600}", "constructor"];
    expect(await entriesOf([], ids)).toEqual(ids.map(() => "default"));
  });
});

describe("A2: matching", () => {
  it("A2: a uuid matches where the car knows them, a short id everywhere", async () => {
    const granted = expect.objectContaining({ nicknames: ["Roadtune"] });
    expect(await entriesOf([anApp()], [id, uuid], false)).toEqual([granted, "default"]);
    expect(await entriesOf([anApp()], [id, uuid], true)).toEqual([granted, granted]);
  });

  it("finding K1: a blocked app with an old library stays blocked in a car that asks with long ids", async () => {
    const blocked = anApp({ isBlacklisted: true });
    expect(await entriesOf([blocked], [uuid, id, id.toUpperCase()], true)).toEqual([null, null, null]);
    const neverSeen = anApp({ uuid, isBlacklisted: true, versions: [] });
    expect(await entriesOf([neverSeen], [uuid, deriveShortUuid(uuid)], true)).toEqual([null, null]);
  });

  it("A2, T15: upper and lower case count as equal, the key stays as written", async () => {
    const stored = anApp({ uuid: uuid.toUpperCase(), versions: [anAppVersion({ shortUuid: "11111111Aa" })] });
    for (const [name, long] of [[id, false] as const, [uuid, true] as const]) {
      const entries = await entriesOf([stored], [name, name.toUpperCase(), name.replace("aa", "Aa")], long);
      for (const entry of entries) expect(entry).toEqual(expect.objectContaining({ nicknames: ["Roadtune"] }));
    }
  });

  it("A2: every short id that a stored record carries matches", async () => {
    const versions = [anAppVersion({ id: 1, shortUuid: "old" }), anAppVersion({ id: 2, shortUuid: "new" })];
    const [old, fresh] = await entriesOf([anApp({ versions })], ["old", "new"]);
    expect(old).toEqual(fresh);
    expect(old).not.toBe("default");
  });

  describe("A2: apps that share a short id", () => {
    const app = (number: number, partial: Parameters<typeof anApp>[0] & { recordId: number }) => {
      const { recordId, ...others } = partial;
      const versions = [anAppVersion({ id: recordId, displayNames: [`App ${number}`] })];
      return anApp({ uuid: `11111111-aaaa-4bbb-8ccc-00000000000${number}`, versions, ...others });
    };
    const named = (name: string) => expect.objectContaining({ nicknames: [name] });

    it("A2: the winner's own status decides, also when another is granted", async () => {
      const pending = [anAppVersion({ id: 9, approvalStatus: "PENDING" })];
      const apps = [app(1, { recordId: 5 }), app(2, { recordId: 9, versions: pending })];
      expect(await entriesOf(apps, [id])).toEqual(["default"]);
    });

    it("A2: any blacklisted one of them gives null", async () => {
      const apps = [app(1, { recordId: 5, isBlacklisted: true }), app(2, { recordId: 9 }), app(3, { recordId: 7 })];
      for (const stored of [apps, apps.toReversed()]) expect(await entriesOf(stored, [id])).toEqual([null]);
    });

    it("A2: with long ids each app stands alone", async () => {
      const apps = [app(1, { recordId: 5, isBlacklisted: true }), app(2, { recordId: 9 })];
      expect(
        await entriesOf(
          apps,
          apps.map((one) => one.uuid),
          true,
        ),
      ).toEqual([null, named("App 2")]);
    });
  });
});

it("A3: a blacklisted app gets null in both environments, whatever the request sends", async () => {
  for (const environment of environments) {
    const sent = { enabled: true, auth_token: "t" };
    expect(await entryOf(anApp({ isBlacklisted: true, isAdministratorApp: true }), { environment, sent })).toBeNull();
  }
});

describe("A4, A5: which record decides", () => {
  it.each<[ApprovalStatus[], production: number | undefined, staging: number | undefined]>([
    [[], undefined, undefined],
    [["ACCEPTED"], 1, 1],
    [["STAGING"], undefined, 1],
    [["PENDING"], undefined, undefined],
    [["LIMITED"], undefined, undefined],
    [["ACCEPTED", "PENDING"], 1, 1],
    [["ACCEPTED", "LIMITED"], 1, 1],
    [["ACCEPTED", "STAGING", "PENDING"], 1, 2],
    [["ACCEPTED", "STAGING", "ACCEPTED"], 3, 3],
  ])("A4, A5, T1 to T3: of records that are %j, number %j does in production and %j in staging", (statuses, ...ids) => {
    const versions = statuses.map((approvalStatus, at) => anAppVersion({ id: at + 1, approvalStatus }));
    const headers = versions.map((one) => ({ ...one, _id: one.id, uuid, uuidKey: uuid, isDamaged: false }));
    const outline = { uuidKey: uuid, flags: [], versions: headers };
    expect(new Set(decidingVersions(outline))).toEqual(new Set(ids.filter((one) => one !== undefined)));
    const app = buildSnapshotApp(outline, new Map(versions.map((version) => [version.id, version])));
    expect([app?.accepted?.id, app?.staged?.id]).toEqual(ids);
  });

  it("A5: an unknown id, and an app without versions", async () =>
    expect(await entriesOf([anApp({ versions: [] })], [id, "unknown"])).toEqual(["default", "default"]));
});
