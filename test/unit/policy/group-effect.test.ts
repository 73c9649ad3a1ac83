import { describe, expect, it } from "vitest";
import { summarizeEffect } from "@/lib/policy/effect/effect-summary";
import { compareGroups, type GroupChange } from "@/lib/policy/effect/group-effect";
import { findNeeds } from "@/lib/policy/checks/table-faults";
import type { SnapshotApp, SnapshotGroup } from "@/lib/policy/table/snapshot";
import { findTableFindings } from "@/lib/policy/checks/promotion-check";
import { parameterRules } from "@/lib/policy/table/functional-groupings";
import { neededRpcs, type HmiLevel } from "@/lib/vocabulary/terms";
import { carSettings } from "@/lib/policy/permits/conditions";
import { carBuilds } from "@/lib/vocabulary/head-units";
import {
  aBaseGroup,
  aGroup,
  anApp,
  anAppVersion,
  anRpc,
  aPermission,
  aSnapshot,
  inBothViews,
} from "@/test/support/builders";

const location = aGroup({
  name: "Location-1",
  userConsentPrompt: "Location",
  rpcs: [
    anRpc({ name: "GetVehicleData", levels: ["FULL", "LIMITED"], parameters: ["gps", "speed"] }),
    anRpc({ name: "SubscribeVehicleData", levels: ["FULL"], parameters: ["gps"] }),
  ],
});
const needed = (levels: readonly HmiLevel[]) => neededRpcs.map((name) => anRpc({ name, levels }));
const alert = anRpc({ name: "Alert", levels: ["FULL"] });
const base = aGroup({
  name: "Base-4",
  isDefault: true,
  rpcs: [anRpc({ name: "RegisterAppInterface", levels: ["NONE"] }), anRpc()],
});
const appAsking = (name: string, keys: readonly string[], partial: Partial<SnapshotApp> = {}) =>
  anApp({
    uuid: name,
    versions: [
      anAppVersion({
        displayNames: [name],
        approvalStatus: "ACCEPTED",
        permissions: keys.map((key) => ({ key, hmiLevel: "HMI_FULL" as const })),
      }),
    ],
    ...partial,
  });
const pigeonpost = appAsking("Pigeonpost", ["Alert"]);
const navigator = appAsking("Navigator", ["gps"]);

const change = (before: readonly SnapshotGroup[], after: readonly SnapshotGroup[]): GroupChange => ({
  environment: "production",
  before,
  after,
  permissions: [aPermission({ name: "gps", type: "PARAMETER", parents: ["GetVehicleData"] })],
  rules: { isRestricted: (rpc) => rpc.endsWith("VehicleData"), isUsable: () => true },
  items: new Set(),
  settings: carSettings(aSnapshot(), "production"),
  builds: carBuilds,
});
const summarize = (
  { before, after }: { before: readonly SnapshotGroup[]; after: readonly SnapshotGroup[] },
  apps: Iterable<SnapshotApp>,
  always: readonly string[] = [],
) => summarizeEffect(compareGroups(change(before, after), always), apps, { pace: () => Promise.resolve(), maxApps: 2 });

describe("what a change of groups does to apps", () => {
  it("finding E1: Alert in Location-1 gives its vehicle data to an app that asked for Alert only", async () => {
    const after = { ...location, rpcs: [...location.rpcs, alert] };
    const { effects, holderCount, appCount } = await summarize({ before: [base, location], after: [base, after] }, [
      pigeonpost,
      navigator,
    ]);
    expect([appCount, holderCount]).toEqual([2, 2]);
    const [gained, changed] = effects;
    const [builds, rejectedCount] = [["regular", "external"], 0];
    expect(gained).toMatchObject({ group: "Location-1", kind: "gained", appCount: 1, promptAfter: "Location" });
    expect(gained?.apps.map(({ uuid }) => uuid)).toEqual(["Pigeonpost"]);
    expect(gained?.rpcs).toEqual([
      {
        ...{ name: "GetVehicleData", kind: "gained", appCount: 1, rejectedCount, builds },
        ...{ levels: ["FULL", "LIMITED"], parameters: ["gps", "speed"] },
      },
      {
        ...{ name: "SubscribeVehicleData", kind: "gained", appCount: 1, rejectedCount, builds },
        ...{ levels: ["FULL"], parameters: ["gps"] },
      },
      { name: "Alert", kind: "gained", appCount: 1, rejectedCount, builds, levels: ["FULL"], parameters: [] },
    ]);
    expect(changed).toMatchObject({ kind: "changed", appCount: 1, rpcs: [{ name: "Alert", kind: "gained" }] });
    expect(changed?.apps.map(({ uuid }) => uuid)).toEqual(["Navigator"]);
  });

  it("tells a right that another group gives as well apart from one that is new or gone", async () => {
    const other = aGroup({ name: "Notices", rpcs: [alert, anRpc({ name: "Speak" })] });
    const same = aGroup({ name: "Sounds", rpcs: [alert] });
    const { effects } = await summarize({ before: [other, same], after: [same] }, [pigeonpost]);
    expect(effects).toHaveLength(1);
    expect(effects[0]).toMatchObject({ group: "Notices", kind: "lost" });
    expect(effects[0]?.rpcs.map(({ name, appCount }) => [name, appCount])).toEqual([
      ["Speak", 1],
      ["Alert", 0],
    ]);
  });

  it("begins with losses, the default group before others, then gains; each with most apps first", async () => {
    const asking = (name: string, rpc: string) => aGroup({ name, rpcs: [anRpc({ name: rpc })] });
    const [few, many, news] = [asking("A-few", "Slider"), asking("B-many", "Alert"), asking("A-news", "Alert")];
    const changed = { ...many, name: "A-changed" };
    const after = [news, { ...changed, rpcs: [...changed.rpcs, anRpc({ name: "Speak" })] }];
    const apps = [pigeonpost, appAsking("Second", ["Alert"]), appAsking("Third", ["Slider"])];
    const { effects } = await summarize({ before: [few, many, base, changed], after }, apps);
    expect(effects.map(({ group, kind, appCount }) => [group, kind, appCount])).toEqual([
      ["Base-4", "lost", 3],
      ["B-many", "lost", 2],
      ["A-few", "lost", 1],
      ["A-news", "gained", 2],
      ["A-changed", "changed", 2],
    ]);
  });

  it("moves between groups that change together are neither gains nor losses", async () => {
    const from = aGroup({ name: "From", rpcs: [alert, anRpc({ name: "Speak" })] });
    const to = aGroup({ name: "To", rpcs: [alert] });
    const both = await summarize(
      {
        before: [from, to],
        after: [
          { ...from, rpcs: [alert] },
          { ...to, rpcs: [alert, anRpc({ name: "Speak" })] },
        ],
      },
      [pigeonpost],
    );
    expect(
      both.effects.map(({ group, rpcs }) => [group, rpcs.map((rpc) => [rpc.name, rpc.kind, rpc.appCount])]),
    ).toEqual([
      ["From", [["Speak", "lost", 0]]],
      ["To", [["Speak", "gained", 0]]],
    ]);
  });

  it("C16, C17: counts apps whose car rejects what the group permits, and why", async () => {
    const remote = aGroup({
      name: "Remote",
      rpcs: [anRpc({ name: "ButtonPress" }), anRpc({ name: "Alert", levels: ["FULL", "BACKGROUND"] })],
    });
    const typed = (name: string, type: string, priority: SnapshotApp["priority"]) => {
      const app = appAsking(name, ["ButtonPress"], { priority });
      return { ...app, accepted: app.accepted && { ...app.accepted, categories: [{ id: 1, name: type }] } };
    };
    const apps = [typed("A", "SYSTEM", null), typed("B", "SYSTEM", "NORMAL"), typed("C", "MEDIA", "NORMAL")];
    const { effects } = await summarize({ before: [], after: [remote] }, apps);
    const [gained] = effects;
    expect(gained?.appCount).toBe(3);
    expect(
      gained?.rpcs.map(({ name, appCount, rejectedCount, levels }) => [name, appCount, rejectedCount, levels]),
    ).toEqual([
      ["Alert", 3, 1, ["BACKGROUND", "FULL"]],
      ["ButtonPress", 0, 3, ["FULL"]],
    ]);
    expect(gained?.rejected.map(({ rule, rpcs, appCount }) => [rule, rpcs, appCount])).toEqual([
      ["C17", ["ButtonPress"], 3],
      ["C18", ["ButtonPress"], 3],
      ["C16", ["Alert"], 1],
    ]);
    // What was rejected anyway is no loss, nor kept through other groups.
    const lost = (await summarize({ before: [remote], after: [] }, apps)).effects[0];
    expect(lost?.rpcs.find(({ name }) => name === "ButtonPress")).toMatchObject({ appCount: 0, rejectedCount: 3 });
    expect(lost?.rejected).toEqual([]);
  });

  it("tells a prompt that is taken away, and nothing where only the description changes", async () => {
    const silent = { ...location, userConsentPrompt: null };
    const { effects } = await summarize({ before: [location], after: [silent] }, [navigator]);
    expect(effects).toMatchObject([{ kind: "changed", promptBefore: "Location", promptAfter: null, rpcs: [] }]);
    const described = { ...location };
    expect((await summarize({ before: [location], after: [described] }, [navigator])).effects).toEqual([]);
  });

  it("finding A4: the group of every app is lost by all of them, blocked apps and those without rights aside", async () => {
    const apps = [
      pigeonpost,
      navigator,
      appAsking("Third", []),
      appAsking("Blocked", ["Alert"], { isBlacklisted: true }),
      anApp({ uuid: "Pending", versions: [anAppVersion({ approvalStatus: "PENDING" })] }),
    ];
    const gone = { ...base, isDeleted: true };
    const { effects, appCount } = await summarize({ before: [base, location], after: [gone, location] }, apps);
    expect(appCount).toBe(3);
    expect(effects).toMatchObject([{ group: "Base-4", kind: "lost", isDefault: true, appCount: 3 }]);
    expect(effects[0]?.apps.map(({ uuid }) => uuid)).toEqual(["Navigator", "Pigeonpost"]);
    expect(effects[0]?.rpcs.map(({ name, appCount: count }) => [name, count])).toEqual([
      ["RegisterAppInterface", 3],
      ["Show", 3],
    ]);
  });

  it.each([
    ["all three at NONE", {}, [true, true]],
    ["a deleted group", { isDeleted: true }, [false, false]],
    ["a group that not every app has", { isDefault: false }, [false, false]],
    ["no RPCs", { rpcs: [] }, [false, false]],
    ["levels that an app does not have once it has registered", { rpcs: needed(["FULL", "LIMITED"]) }, [false, false]],
    ["registration alone", { rpcs: needed(["NONE"]).slice(0, 1) }, [true, false]],
    ["no answer from apps", { rpcs: needed(["NONE"]).slice(0, 2) }, [true, false]],
  ] as const)("G10: the console warns of what a publication refuses: %s", (_, group, [registers, updates]) => {
    const groups = [aBaseGroup(group), location];
    expect(findNeeds(groups, parameterRules(aSnapshot()), new Set())).toEqual({ registers, updates });
    const found = findTableFindings(aSnapshot({ groups: inBothViews(...groups) }), "production");
    const rulesFound = new Set(found.map(({ rule }) => rule));
    expect([rulesFound.has("G10 registration"), rulesFound.has("G10 next update")]).toEqual([!registers, !updates]);
  });

  it("counts who has a group that does not change when asked to", async () => {
    const { effects, holderCount, holders } = await summarize(
      { before: [location], after: [location] },
      [pigeonpost, navigator],
      ["Location-1"],
    );
    expect([effects, holderCount, holders]).toEqual([[], 1, [navigator]]);
  });

  it("compares apps that ask for the same, with the same marks, once", () => {
    const comparison = compareGroups(change([location], []));
    const twin: SnapshotApp = { ...navigator, uuid: "Twin" };
    expect(comparison.compareApp(twin)).toBe(comparison.compareApp(navigator));
    const marked: SnapshotApp = { ...navigator, uuid: "Marked", isAdministratorApp: true };
    expect(comparison.compareApp(marked)).not.toBe(comparison.compareApp(navigator));
  });

  it("C1: a group that lists an RPC without any parameter takes it from all its apps, in regular cars", async () => {
    const empty = aGroup({
      name: "Empty",
      isDefault: true,
      rpcs: [anRpc({ name: "GetVehicleData", levels: ["FULL"] })],
    });
    const { effects } = await summarize({ before: [location], after: [location, empty] }, [navigator, pigeonpost]);
    expect(effects).toMatchObject([{ group: "Empty", kind: "gained", appCount: 2 }]);
    expect(effects[0]?.rpcs).toEqual([
      {
        ...{ name: "GetVehicleData", kind: "lost", appCount: 1, rejectedCount: 0, builds: ["regular"] },
        ...{ levels: ["FULL", "LIMITED"], parameters: ["gps", "speed"] },
      },
      // Nobody gets it: what all groups list without a parameter, cars permit to no app.
      {
        ...{ name: "GetVehicleData", kind: "gained", appCount: 0, rejectedCount: 0, builds: [] },
        ...{ levels: ["FULL"], parameters: [] },
      },
    ]);
  });

  it("C3: a level that another group gives brings its parameters there, in external cars", () => {
    const speed = aGroup({
      name: "Speed",
      isDefault: true,
      rpcs: [anRpc({ name: "GetVehicleData", levels: ["NONE"], parameters: ["speed"] })],
    });
    const { compareApp } = compareGroups(change([location], [location, speed]));
    const gained = compareApp(navigator)?.rights().gained ?? [];
    expect(gained.map(({ build, level, parameters }) => ({ build, level, parameters }))).toEqual([
      { build: "regular", level: "NONE", parameters: [null, "speed"] },
      { build: "external", level: "NONE", parameters: [null, "gps", "speed"] },
    ]);
  });
});
