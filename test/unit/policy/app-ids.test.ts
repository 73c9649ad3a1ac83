import { describe, expect, it } from "vitest";
import type { SnapshotApp, SnapshotAppVersion } from "@/lib/policy/table/snapshot";
import { environments, type ApprovalStatus } from "@/lib/labels/vocabulary";
import { builtTable, entryOf } from "@/test/support/answers";
import { aCatalogue, anApp, anAppVersion, aSnapshot } from "@/test/support/builders";

const id = "11111111aa";
const uuid = "11111111-aaaa-4bbb-8ccc-000000000001";

/** What each of the ids gets, from these apps. */
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
  it("A2: short ids match short_uuid only, long ids uuid only", async () => {
    const granted = expect.objectContaining({ nicknames: ["Roadtune"] });
    expect(await entriesOf([anApp()], [id, uuid], false)).toEqual([granted, "default"]);
    expect(await entriesOf([anApp()], [id, uuid], true)).toEqual(["default", granted]);
  });

  it("A2: upper and lower case count as equal, the key stays as written", async () => {
    const stored = anApp({ uuid: uuid.toUpperCase(), versions: [anAppVersion({ shortUuid: "11111111Aa" })] });
    for (const [name, long] of [[id, false] as const, [uuid, true] as const]) {
      const ids = [name, name.toUpperCase(), name.replace("aa", "Aa")];
      const entries = await entriesOf([stored], ids, long);
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

    it("A2: the one with the newest matching record wins", async () => {
      const apps = [app(1, { recordId: 5 }), app(2, { recordId: 9 }), app(3, { recordId: 7 })];
      for (const stored of [apps, apps.toReversed()]) expect(await entriesOf(stored, [id])).toEqual([named("App 2")]);
    });

    it("A2: a newer record with another short id does not match", async () => {
      const versions = [anAppVersion({ id: 5 }), anAppVersion({ id: 20, shortUuid: "other", displayNames: ["App 1"] })];
      const apps = [app(1, { recordId: 0, versions }), app(2, { recordId: 9 })];
      expect(await entriesOf(apps, [id])).toEqual([named("App 2")]);
    });

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

describe("A3: blacklisted", () => {
  it.each([
    ["a granted version", [anAppVersion()]],
    ["only a pending version", [anAppVersion({ approvalStatus: "PENDING" })]],
    ["no version at all", []],
  ])("A3: null with %s, by long and by short id", async (_, versions) => {
    const apps = [anApp({ isBlacklisted: true, versions })];
    const short = versions.length > 0 ? id : "11111111aa";
    expect(await entriesOf(apps, [short])).toEqual([null]);
    expect(await entriesOf(apps, [uuid], true)).toEqual([null]);
  });

  it("A3: in both environments, whatever the request sends", async () => {
    for (const environment of environments) {
      const sent = { enabled: true, auth_token: "t" };
      expect(await entryOf(anApp({ isBlacklisted: true, isAdministratorApp: true }), { environment, sent })).toBeNull();
    }
  });

  it("A3: does not reach other apps", async () => {
    const other = anApp({ uuid: "22222222-aaaa-4bbb-8ccc-000000000002", isBlacklisted: true, versions: [] });
    expect(await entriesOf([anApp(), other], [id])).toEqual([expect.objectContaining({ keep_context: true })]);
  });
});

describe("A4, A5: which record decides", () => {
  const version = (recordId: number, approvalStatus: ApprovalStatus) =>
    anAppVersion({ id: recordId, approvalStatus, displayNames: [`record ${recordId}`] });
  const decided = async (records: readonly SnapshotAppVersion[]) => {
    const app = anApp({ versions: records });
    const recordOf = async (environment: (typeof environments)[number]) => {
      const entry = await entryOf(app, { environment });
      return entry === "default" ? "default" : entry.nicknames[0];
    };
    return { production: await recordOf("production"), staging: await recordOf("staging") };
  };

  it.each([
    ["ACCEPTED", { production: "record 1", staging: "record 1" }],
    ["STAGING", { production: "default", staging: "record 1" }],
    ["PENDING", { production: "default", staging: "default" }],
    ["LIMITED", { production: "default", staging: "default" }],
  ] as const)("A4, A5: a single record with status %s", async (status, expected) => {
    expect(await decided([version(1, status)])).toEqual(expected);
  });

  it.each(["PENDING", "LIMITED"] as const)("A5: a newer %s record takes nothing away", async (status) => {
    const records = [version(1, "ACCEPTED"), version(2, status)];
    expect(await decided(records)).toEqual({ production: "record 1", staging: "record 1" });
  });

  it("A4: the newest granting record of the environment decides", async () => {
    const records = [version(1, "ACCEPTED"), version(2, "STAGING"), version(3, "PENDING")];
    expect(await decided(records)).toEqual({ production: "record 1", staging: "record 2" });
    expect(await decided([version(4, "STAGING"), version(5, "ACCEPTED")])).toEqual({
      production: "record 5",
      staging: "record 5",
    });
  });

  it("A5: an unknown id, and an app without versions", async () => {
    expect(await entriesOf([anApp({ versions: [] })], [id, "unknown"])).toEqual(["default", "default"]);
  });
});
