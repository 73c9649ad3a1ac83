import { describe, expect, it } from "vitest";
import type { SnapshotAppVersion, SnapshotGroup } from "@/lib/policy/table/snapshot";
import { hmiLevels, type HmiTextLevel } from "@/lib/vocabulary/terms";
import { entryOf } from "@/test/support/answers";
import { aGroup, anApp, anAppVersion, anRpc, anRpcSpec, aPermission, inBothViews } from "@/test/support/builders";

/** Names of the granted groups besides the default one, which keeps a head unit satisfied. */
async function granted(
  groups: readonly Partial<SnapshotGroup>[],
  version: Partial<SnapshotAppVersion>,
): Promise<string[]> {
  const base = aGroup({ name: "~Base", isDefault: true, isDevice: true, isPreDataConsent: true, rpcs: [] });
  const stored = groups.map((group, index) => aGroup({ id: index + 2, name: `G${index}`, ...group }));
  const { groups: names } = await entryOf(anApp({ versions: [anAppVersion(version)] }), {
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

describe("A14: RPC", () => {
  it("A14: grants a plain group that stores the requested RPC with the level", async () => {
    const groups = [{ rpcs: show }, { rpcs: [anRpc({ name: "Alert" })] }];
    expect(await granted(groups, asks(["Show", "HMI_FULL"]))).toEqual(["G0"]);
  });

  it("A14: key and level must be of one pair", async () =>
    expect(await granted([{ rpcs: show }], asks(["Show", "HMI_LIMITED"], ["Alert", "HMI_FULL"]))).toEqual([]));
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

  it("A16: an RPC that is no parent does not match", async () =>
    expect(await granted([{ rpcs: show }], asks(["CLIMATE", "HMI_FULL"]))).toEqual([]));
});

it("A19: grants proprietary groups by manual grant of their exact name", async () => {
  const groups = [{ isProprietaryGroup: true }, { isProprietaryGroup: true }, {}, { isWidgetGroup: true }];
  expect(await granted(groups, { groupGrants: ["G0", "G2", "G3", "unknown"] })).toEqual(["G0"]);
  expect(await granted(groups, { groupGrants: ["g0"] })).toEqual([]);
  expect(await granted(groups, {})).toEqual([]);
});

it("A20: grants plain groups that store Alert with BACKGROUND to records that may alert there", async () => {
  const groups = [
    { rpcs: [anRpc({ name: "Alert", levels: ["FULL", "BACKGROUND"] })] },
    { rpcs: [anRpc({ name: "Alert", levels: ["FULL", "LIMITED", "NONE"] })] },
    { rpcs: [anRpc({ name: "SubtleAlert", levels: ["BACKGROUND"] })] },
  ];
  expect(await granted(groups, { canBackgroundAlert: true })).toEqual(["G0"]);
  expect(await granted(groups, { canBackgroundAlert: false })).toEqual([]);
});

it("A23: levels match exactly, in every combination", async () => {
  const groups = hmiLevels.map((level) => ({ name: level, rpcs: [anRpc({ levels: [level] })] }));
  for (const level of hmiLevels) {
    expect(await granted(groups, asks(["Show", `HMI_${level}`]))).toEqual([level]);
  }
});

it.each([
  ...["isDevice", "isPreDataConsent"].map((flag) => [flag, ["G0", "G1", "G2", "G3"]]),
  ...special.map((flag) => [flag, []]),
])("A26, A14, A15, A16, A20: of plain groups and those with %s are granted %j", async (flag, names) => {
  const levels = ["BACKGROUND"] as const;
  const groups = [
    anRpc({ levels }),
    anRpc({ name: "GetVehicleData", levels, parameters: ["gps"] }),
    anRpc({ name: "GetInteriorVehicleData", levels }),
    anRpc({ name: "Alert", levels }),
  ].map((rpc) => ({ rpcs: [rpc], [String(flag)]: true }));
  const pairs = asks(["Show", "HMI_BACKGROUND"], ["gps", "HMI_BACKGROUND"], ["CLIMATE", "HMI_BACKGROUND"]);
  expect(await granted(groups, { ...pairs, canBackgroundAlert: true })).toEqual(names);
  expect(await granted(groups, {})).toEqual([]);
});

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

it("A28: a blacklisted app has no groups, not even default ones", async () =>
  expect(await entryOf(anApp({ isBlacklisted: true }))).toBeNull());
