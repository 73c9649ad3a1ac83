import { describe, expect, it } from "vitest";
import { buildFunctionalGroupings } from "@/lib/policy/table/functional-groupings";
import type { PolicySnapshot, SnapshotGroup, SnapshotRpc } from "@/lib/policy/table/snapshot";
import { hmiLevels } from "@/lib/labels/vocabulary";
import { builtTable } from "@/test/support/answers";
import {
  aCatalogue,
  aGroup,
  aMessage,
  aMessageLanguage,
  anApp,
  anAppVersion,
  anRpc,
  anRpcSpec,
  anRpcSpecParam,
  aPermission,
  aSnapshot,
  aVehicleDataRecord,
  inBothViews,
} from "@/test/support/builders";

const base = aGroup({ id: 99, name: "~Base", isDefault: true, isDevice: true, isPreDataConsent: true });

/** The section without the group that the fixed entries need. */
async function section(partial: Partial<PolicySnapshot>, environment: "staging" | "production" = "production") {
  const { groups = inBothViews() } = partial;
  const views = { staging: [...groups.staging, base], production: [...groups.production, base] };
  const table = await builtTable(aSnapshot({ ...partial, groups: views }), { environment });
  const { "~Base": _, ...others } = table.functional_groupings;
  return others;
}

const groupOf = async (group: Partial<SnapshotGroup>, partial: Partial<PolicySnapshot> = {}) =>
  (await section({ ...partial, groups: inBothViews(aGroup({ name: "G", ...group })) })).G;
const rpcsOf = async (rpcs: readonly SnapshotRpc[], partial: Partial<PolicySnapshot> = {}) =>
  (await groupOf({ rpcs }, partial)).rpcs;

it("G8: lists groups ascending by lower-cased name", () => {
  const names = ["beta", "Alpha", "gamma", "ALPHA2", "1st"];
  const text = buildFunctionalGroupings(
    aSnapshot({ groups: inBothViews(...names.map((name) => aGroup({ name }))) }),
    "staging",
  );
  expect([...text.matchAll(/"([^"]+)":\{"encryption_required"/g)].map(([, name]) => name)).toEqual([
    "1st",
    "Alpha",
    "ALPHA2",
    "beta",
    "gamma",
  ]);
});

it("G6: keeps the order of group names that look like numbers", () => {
  const groups = inBothViews(...["b", "10", "9"].map((name) => aGroup({ name })));
  const text = buildFunctionalGroupings(aSnapshot({ groups }), "staging");
  expect(text).toMatch(/^\{"10":.*"9":.*"b":/);
});

it.each(["staging", "production"] as const)("F1: deleted groups are hidden (%s)", async (environment) => {
  const groups = inBothViews(aGroup({ name: "Kept" }), aGroup({ name: "Gone", isDeleted: true }));
  expect(Object.keys(await section({ groups }, environment))).toEqual(["Kept"]);
});

describe("F2: members", () => {
  it("F2: stand in order", async () => {
    const messages = inBothViews(aMessage());
    const group = await groupOf({ encryptionRequired: true, userConsentPrompt: "Location" }, { messages });
    expect(Object.keys(group)).toEqual(["encryption_required", "user_consent_prompt", "rpcs"]);
  });

  it.each([true, false])("F2: encryption_required is always there (%s)", async (encryptionRequired) => {
    expect((await groupOf({ encryptionRequired })).encryption_required).toBe(encryptionRequired);
  });
});

describe("F3: user_consent_prompt", () => {
  const prompting = { userConsentPrompt: "Location" };

  it("F3: is sent when the same view has the message", async () => {
    const group = await groupOf(prompting, { messages: inBothViews(aMessage()) });
    expect(group.user_consent_prompt).toBe("Location");
  });

  it.each([
    ["there is none", inBothViews<never>()],
    ["the category differs", inBothViews(aMessage({ category: "location" }))],
    ["it is deleted", inBothViews(aMessage({ isDeleted: true }))],
    ["only the other view has it", { staging: [aMessage()], production: [] }],
  ])("finding A2, rule F3: its group is left out of every list when %s", async (_, messages) => {
    const flags = { isDefault: true, isDevice: true, isPreDataConsent: true };
    const asking = aGroup({ name: "G", ...prompting, ...flags, rpcs: [anRpc({ levels: ["NONE"] })] });
    const version = anAppVersion({ permissions: [{ key: "Show", hmiLevel: "HMI_NONE" }], groupGrants: ["G"] });
    const apps = aCatalogue([anApp({ versions: [version] })]);
    const snapshot = aSnapshot({ groups: inBothViews(base, asking), messages, apps });
    const table = await builtTable(snapshot, { apps: { "11111111aa": {} } });
    expect(Object.keys(table.functional_groupings)).toEqual(["~Base"]);
    for (const entry of Object.values<{ groups: string[] }>(table.app_policies))
      expect(entry.groups).toEqual(["~Base"]);
  });

  it("F3: staging looks into the staging view", async () => {
    const messages = { staging: [aMessage()], production: [] };
    const groups = inBothViews(aGroup({ name: "G", ...prompting }));
    expect((await section({ groups, messages }, "staging")).G.user_consent_prompt).toBe("Location");
  });

  it("F3: is omitted when nothing is stored", async () => {
    expect(await groupOf({}, { messages: inBothViews(aMessage()) })).not.toHaveProperty("user_consent_prompt");
  });

  it("F3: a message without en-us still exists", async () => {
    const languages = [aMessageLanguage({ languageId: "de-de" })];
    const group = await groupOf(prompting, { messages: inBothViews(aMessage({ languages })) });
    expect(group.user_consent_prompt).toBe("Location");
  });
});

describe("F4: rpcs", () => {
  it("F4: ascend by name, by code unit", async () => {
    const rpcs = ["Show", "alert", "Alert", "AddCommand"].map((name) => anRpc({ name }));
    expect(Object.keys(await rpcsOf(rpcs))).toEqual(["AddCommand", "Alert", "Show", "alert"]);
  });

  it("F4: is null without RPCs, and when none has a level", async () => {
    expect(await rpcsOf([])).toBeNull();
    expect(await rpcsOf([anRpc({ levels: [], parameters: ["gps"] })])).toBeNull();
  });

  it("F4: an RPC without a level does not count", async () => {
    expect(Object.keys(await rpcsOf([anRpc({ name: "Alert", levels: [] }), anRpc()]))).toEqual(["Show"]);
  });
});

describe("F5: usable parameters", () => {
  const rpc = anRpc({ name: "GetVehicleData", parameters: ["p"] });
  const permissions = [aPermission({ name: "gps", type: "PARAMETER", parents: ["GetVehicleData"] })];
  const functionWith = (name: string, messageType: string, parameter = "p") => ({
    name,
    messageType,
    params: [anRpcSpecParam({ name: parameter })],
  });
  /** The parameters that both environments give; a group in staging may be of either status. */
  const usable = async (partial: Partial<PolicySnapshot>, status: SnapshotGroup["status"] = "PRODUCTION") => {
    const groups = inBothViews(aGroup({ name: "G", status, rpcs: [rpc] }));
    const of = async (environment: "staging" | "production") =>
      (await section({ permissions, ...partial, groups }, environment)).G.rpcs.GetVehicleData.parameters;
    return { staging: await of("staging"), production: await of("production") };
  };
  const both = { staging: ["p"], production: ["p"] };
  const neither = { staging: [], production: [] };

  it.each(["response", "notification"])("F5 (a): a parameter of the RPC's %s", async (messageType) => {
    const functions = [functionWith("GetVehicleData", messageType)];
    expect(await usable({ rpcSpec: anRpcSpec({ functions }) })).toEqual(both);
  });

  it("F5 (a): of any of the RPC's functions", async () => {
    const functions = [
      functionWith("GetVehicleData", "response"),
      functionWith("GetVehicleData", "notification", "q"),
      functionWith("GetVehicleData", "response", "r"),
    ];
    expect(await usable({ rpcSpec: anRpcSpec({ functions }) })).toEqual(both);
  });

  it.each([
    ["of a request", functionWith("GetVehicleData", "request")],
    ["of another RPC", functionWith("OnVehicleData", "response")],
    ["of another name", functionWith("GetVehicleData", "response", "P")],
  ])("F5 (a): not a parameter %s", async (_, one) => {
    expect(await usable({ rpcSpec: anRpcSpec({ functions: [one] }) })).toEqual(neither);
  });

  it.each(["SubscribeVehicleData", "UnsubscribeVehicleData"])(
    "finding A6, rule F5 (a): a parameter of the request of %s, whose response names it otherwise",
    async (name) => {
      const functions = [
        functionWith(name, "request", "clusterModeStatus"),
        functionWith(name, "response", "clusterModes"),
      ];
      const parameters = ["clusterModeStatus", "clusterModes", "other"];
      const rpcs = [anRpc({ name, parameters })];
      const links = [aPermission({ name: "gps", type: "PARAMETER", parents: [name] })];
      const built = await rpcsOf(rpcs, { rpcSpec: anRpcSpec({ functions }), permissions: links });
      expect(built[name].parameters).toEqual(["clusterModeStatus", "clusterModes"]);
    },
  );

  it("F5 (b): a custom root of the production view, for groups of either status", async () => {
    const vehicleData = { staging: [], production: [aVehicleDataRecord({ name: "p" })] };
    expect(await usable({ rpcSpec: anRpcSpec(), vehicleData })).toEqual(both);
    expect(await usable({ rpcSpec: anRpcSpec(), vehicleData }, "STAGING")).toEqual(both);
  });

  it("F5 (b): not a deleted one", async () => {
    const vehicleData = inBothViews(aVehicleDataRecord({ name: "p", isDeleted: true }));
    expect(await usable({ rpcSpec: anRpcSpec(), vehicleData })).toEqual(neither);
    expect(await usable({ rpcSpec: anRpcSpec(), vehicleData }, "STAGING")).toEqual(neither);
  });

  it("F5 (c): a custom root of the staging view, only for a STAGING group record", async () => {
    const vehicleData = { staging: [aVehicleDataRecord({ name: "p", status: "STAGING" })], production: [] };
    expect(await usable({ rpcSpec: anRpcSpec(), vehicleData }, "PRODUCTION")).toEqual(neither);
    expect((await usable({ rpcSpec: anRpcSpec(), vehicleData }, "STAGING")).staging).toEqual(["p"]);
  });

  it("F5 (d): every stored parameter while no specification is stored", async () => {
    expect(await usable({ rpcSpec: null })).toEqual(both);
  });
});

it("F6: hmi_levels are the stored levels in fixed order", async () => {
  expect(hmiLevels).toEqual(["BACKGROUND", "FULL", "LIMITED", "NONE"]);
  const rpcs = await rpcsOf([
    anRpc({ name: "A", levels: ["NONE", "LIMITED", "FULL", "BACKGROUND"] }),
    anRpc({ name: "B", levels: ["NONE", "BACKGROUND", "NONE"] }),
  ]);
  expect(rpcs.A.hmi_levels).toEqual(["BACKGROUND", "FULL", "LIMITED", "NONE"]);
  expect(rpcs.B.hmi_levels).toEqual(["BACKGROUND", "NONE"]);
});

describe("F7: parameters", () => {
  const linked = [aPermission({ name: "gps", type: "PARAMETER", parents: ["GetVehicleData", "OnVehicleData"] })];
  const getVehicleData = (...parameters: string[]) => [anRpc({ name: "GetVehicleData", parameters })];

  it("F7: are the usable keys, ascending by code unit, each once", async () => {
    const rpcs = await rpcsOf(getVehicleData("speed", "Zeta", "gps", "speed"), { permissions: linked });
    expect(rpcs.GetVehicleData).toEqual({ hmi_levels: ["FULL"], parameters: ["Zeta", "gps", "speed"] });
  });

  it("F7: are an empty list when none is stored or none usable", async () => {
    expect((await rpcsOf(getVehicleData(), { permissions: linked })).GetVehicleData.parameters).toEqual([]);
    const rpcs = await rpcsOf(getVehicleData("unknown"), { permissions: linked, rpcSpec: anRpcSpec() });
    expect(rpcs.GetVehicleData.parameters).toEqual([]);
  });

  it.each([
    ["no permission", []],
    ["a permission of type RPC", [aPermission({ name: "x", type: "RPC", parents: ["GetVehicleData"] })]],
    ["a permission of type MODULE", [aPermission({ name: "x", type: "MODULE", parents: ["GetVehicleData"] })]],
    ["a parameter of another RPC", [aPermission({ name: "x", type: "PARAMETER", parents: ["Show"] })]],
  ] as const)("F7: are omitted when the RPC is parent of %s", async (_, permissions) => {
    const rpcs = await rpcsOf(getVehicleData("gps"), { permissions });
    expect(rpcs.GetVehicleData).toEqual({ hmi_levels: ["FULL"] });
  });
});
