import { describe, expect, it } from "vitest";
import type { SnapshotApp, SnapshotAppVersion, SnapshotGroup } from "@/lib/policy/table/snapshot";
import { hmiLevels, type HmiTextLevel } from "@/lib/labels/vocabulary";
import { builtTable, entryOf } from "@/test/support/answers";
import {
  aCatalogue,
  aGroup,
  anApp,
  anAppVersion,
  anRpc,
  anRpcSpec,
  aPermission,
  aService,
  aSnapshot,
  inBothViews,
} from "@/test/support/builders";

/** Names of the granted groups besides the default one, which keeps a head unit satisfied. */
async function granted(
  groups: readonly Partial<SnapshotGroup>[],
  version: Partial<SnapshotAppVersion>,
  app: Partial<SnapshotApp> = {},
): Promise<string[]> {
  const base = aGroup({ name: "~Base", isDefault: true, isDevice: true, isPreDataConsent: true, rpcs: [] });
  const stored = groups.map((group, index) => aGroup({ id: index + 2, name: `G${index}`, ...group }));
  const { groups: names } = await entryOf(anApp({ versions: [anAppVersion(version)], ...app }), {
    snapshot: {
      groups: inBothViews(...stored, base),
      rpcSpec: anRpcSpec(),
      permissions: [
        aPermission({ name: "Show" }),
        aPermission({ name: "gps", type: "PARAMETER", parents: ["GetVehicleData"] }),
        aPermission({ name: "CLIMATE", type: "MODULE", parents: ["GetInteriorVehicleData", "ButtonPress"] }),
      ],
    },
  });
  expect(names.at(-1)).toBe("~Base");
  return names.slice(0, -1);
}

const asks = (...pairs: (readonly [key: string, hmiLevel: HmiTextLevel | null])[]) => ({
  permissions: pairs.map(([key, hmiLevel]) => ({ key, hmiLevel })),
});
const special = ["isProprietaryGroup", "isWidgetGroup", "isAppProviderGroup", "isAdministratorGroup"] as const;
const show = [anRpc({ name: "Show", levels: ["FULL"] })];

it("A13: grants default groups to every app", async () => {
  expect(await granted([{ isDefault: true }, {}], {})).toEqual(["G0"]);
});

describe("A14: RPC", () => {
  it("A14: grants a plain group that stores the requested RPC with the level", async () => {
    const groups = [{ rpcs: show }, { rpcs: [anRpc({ name: "Alert" })] }];
    expect(await granted(groups, asks(["Show", "HMI_FULL"]))).toEqual(["G0"]);
  });

  it.each(special)("A14: not a group with %s", async (flag) => {
    expect(await granted([{ rpcs: show, [flag]: true }], asks(["Show", "HMI_FULL"]))).toEqual([]);
  });

  it("A14: a pair without a level matches nothing", async () => {
    const rpcs = [anRpc({ levels: hmiLevels, parameters: ["gps"] })];
    expect(await granted([{ rpcs }], asks(["Show", null], ["gps", null]))).toEqual([]);
  });

  it("A14: key and level must be of one pair", async () => {
    const pairs = asks(["Show", "HMI_LIMITED"], ["Alert", "HMI_FULL"]);
    expect(await granted([{ rpcs: show }], pairs)).toEqual([]);
  });
});

describe("A15: parameter", () => {
  const rpcs = [
    anRpc({ name: "GetVehicleData", levels: ["FULL"], parameters: ["gps"] }),
    anRpc({ name: "OnVehicleData", levels: ["BACKGROUND"], parameters: ["speed"] }),
  ];

  it("A15: grants a plain group that stores the parameter under an RPC with the level", async () => {
    expect(await granted([{ rpcs }], asks(["gps", "HMI_FULL"]))).toEqual(["G0"]);
    expect(await granted([{ rpcs }], asks(["speed", "HMI_BACKGROUND"]))).toEqual(["G0"]);
  });

  it("A15: the level must be that of the parameter's own RPC", async () => {
    expect(await granted([{ rpcs }], asks(["gps", "HMI_BACKGROUND"], ["speed", "HMI_FULL"]))).toEqual([]);
  });

  it.each(special)("A15: not a group with %s", async (flag) => {
    expect(await granted([{ rpcs, [flag]: true }], asks(["gps", "HMI_FULL"]))).toEqual([]);
  });
});

describe("A16: module", () => {
  const rpcs = [anRpc({ name: "GetInteriorVehicleData", levels: ["FULL"] })];

  it("A16: grants a plain group with an RPC that is parent of the module, at the level", async () => {
    expect(await granted([{ rpcs }], asks(["CLIMATE", "HMI_FULL"]))).toEqual(["G0"]);
    const second = [anRpc({ name: "ButtonPress", levels: ["NONE"] })];
    expect(await granted([{ rpcs: second }], asks(["CLIMATE", "HMI_NONE"]))).toEqual(["G0"]);
    expect(await granted([{ rpcs }], asks(["CLIMATE", "HMI_LIMITED"]))).toEqual([]);
  });

  it("A16: only keys of type MODULE reach through their parents", async () => {
    const parent = [anRpc({ name: "GetVehicleData", levels: ["FULL"] })];
    expect(await granted([{ rpcs: parent }], asks(["gps", "HMI_FULL"]))).toEqual([]);
  });

  it("A16: an RPC that is no parent does not match", async () => {
    expect(await granted([{ rpcs: show }], asks(["CLIMATE", "HMI_FULL"]))).toEqual([]);
  });

  it.each(special)("A16: not a group with %s", async (flag) => {
    expect(await granted([{ rpcs, [flag]: true }], asks(["CLIMATE", "HMI_FULL"]))).toEqual([]);
  });
});

it("A17: grants app provider groups to a record that provides a service", async () => {
  const groups = [{ isAppProviderGroup: true }, {}];
  expect(await granted(groups, { services: [aService()] })).toEqual(["G0"]);
  expect(await granted(groups, { services: [] })).toEqual([]);
});

it("A18: grants administrator groups to administrator apps", async () => {
  const groups = [{ isAdministratorGroup: true }, {}];
  expect(await granted(groups, {}, { isAdministratorApp: true })).toEqual(["G0"]);
  expect(await granted(groups, {}, { isAdministratorApp: false })).toEqual([]);
});

it("A19: grants proprietary groups by manual grant of their exact name", async () => {
  const groups = [{ isProprietaryGroup: true }, { isProprietaryGroup: true }, {}, { isWidgetGroup: true }];
  expect(await granted(groups, { groupGrants: ["G0", "G2", "G3", "unknown"] })).toEqual(["G0"]);
  expect(await granted(groups, { groupGrants: ["g0"] })).toEqual([]);
  expect(await granted(groups, {})).toEqual([]);
});

describe("A20: background alert", () => {
  const alert = (levels: Parameters<typeof anRpc>[0]) => [anRpc({ name: "Alert", ...levels })];

  it("A20: grants plain groups that store Alert with BACKGROUND", async () => {
    const groups = [
      { rpcs: alert({ levels: ["FULL", "BACKGROUND"] }) },
      { rpcs: alert({ levels: ["FULL", "LIMITED", "NONE"] }) },
      { rpcs: [anRpc({ name: "SubtleAlert", levels: ["BACKGROUND"] })] },
    ];
    expect(await granted(groups, { canBackgroundAlert: true })).toEqual(["G0"]);
    expect(await granted(groups, { canBackgroundAlert: false })).toEqual([]);
  });

  it.each(special)("A20: not a group with %s", async (flag) => {
    const groups = [{ rpcs: alert({ levels: ["BACKGROUND"] }), [flag]: true }];
    expect(await granted(groups, { canBackgroundAlert: true, canManageWidgets: false })).toEqual([]);
  });
});

it("A21: grants widget groups to records that may manage widgets", async () => {
  const groups = [{ isWidgetGroup: true }, {}];
  expect(await granted(groups, { canManageWidgets: true })).toEqual(["G0"]);
  expect(await granted(groups, { canManageWidgets: false })).toEqual([]);
});

it("A22: names ascend by lower-cased name, each once", async () => {
  const rpcs = [anRpc({ levels: ["FULL", "LIMITED"], parameters: ["gps"] })];
  const groups = ["beta", "Alpha", "gamma", "ALPHA2"].map((name) => ({ name, rpcs, isDefault: true }));
  const names = await granted(groups, asks(["Show", "HMI_FULL"], ["Show", "HMI_LIMITED"], ["gps", "HMI_FULL"]));
  expect(names).toEqual(["Alpha", "ALPHA2", "beta", "gamma"]);
});

it("A23: levels match exactly, in every combination", async () => {
  const groups = hmiLevels.map((level) => ({ name: level, rpcs: [anRpc({ levels: [level] })] }));
  for (const level of hmiLevels) {
    expect(await granted(groups, asks(["Show", `HMI_${level}`]))).toEqual([level]);
  }
});

it("A24: a granted group comes whole, whatever the app asked for", async () => {
  const rpcs = [anRpc({ name: "Show" }), anRpc({ name: "Alert", levels: ["BACKGROUND"] })];
  const groups = inBothViews(aGroup({ isDefault: true, isDevice: true, isPreDataConsent: true, rpcs }));
  const snapshot = aSnapshot({
    groups,
    apps: aCatalogue([anApp({ versions: [anAppVersion(asks(["Show", "HMI_FULL"]))] })]),
  });
  const table = await builtTable(snapshot, { apps: { "11111111aa": {} } });
  expect(table.app_policies["11111111aa"].groups).toEqual(["Base"]);
  expect(Object.keys(table.functional_groupings.Base.rpcs)).toEqual(["Alert", "Show"]);
});

it.each(special)("A25: a default group is granted even with %s", async (flag) => {
  expect(await granted([{ isDefault: true, [flag]: true }], {})).toEqual(["G0"]);
});

it.each(["isDevice", "isPreDataConsent"])(
  "A26: %s does not exclude a group from A14, A15, A16 and A20",
  async (flag) => {
    const levels = ["BACKGROUND"] as const;
    const groups = [
      { rpcs: [anRpc({ name: "Show", levels })], [flag]: true },
      { rpcs: [anRpc({ name: "GetVehicleData", levels, parameters: ["gps"] })], [flag]: true },
      { rpcs: [anRpc({ name: "GetInteriorVehicleData", levels })], [flag]: true },
      { rpcs: [anRpc({ name: "Alert", levels })], [flag]: true },
    ];
    const pairs = asks(["Show", "HMI_BACKGROUND"], ["gps", "HMI_BACKGROUND"], ["CLIMATE", "HMI_BACKGROUND"]);
    expect(await granted(groups, { ...pairs, canBackgroundAlert: true })).toEqual(["G0", "G1", "G2", "G3"]);
    expect(await granted(groups, {})).toEqual([]);
  },
);

describe("A27: stored rows decide", () => {
  it("A27: a parameter that is not usable grants all the same", async () => {
    const rpcs = [anRpc({ name: "GetVehicleData", parameters: ["notInTheSpecification"] })];
    expect(await granted([{ rpcs }], asks(["notInTheSpecification", "HMI_FULL"]))).toEqual(["G0"]);
  });

  it("A27: an RPC without a level grants nothing, nor does a parameter below it", async () => {
    const rpcs = [anRpc({ levels: [], parameters: ["gps"] })];
    const pairs = hmiLevels.flatMap((level) => [["Show", `HMI_${level}`] as const, ["gps", `HMI_${level}`] as const]);
    expect(await granted([{ rpcs }], asks(...pairs))).toEqual([]);
  });
});

it("A28: a blacklisted app has no groups, not even default ones", async () => {
  expect(await entryOf(anApp({ isBlacklisted: true }))).toBeNull();
});

it("F1: deleted groups are no candidates", async () => {
  const all = { isDeleted: true, isDefault: true, rpcs: show };
  expect(await granted([all, { rpcs: show }], asks(["Show", "HMI_FULL"]))).toEqual(["G1"]);
});
