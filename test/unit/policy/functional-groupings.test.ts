import { describe, expect, it } from "vitest";
import type { PolicySnapshot, SnapshotGroup, SnapshotRpc } from "@/lib/policy/table/snapshot";
import { builtTable } from "@/test/support/answers";
import {
  aCatalogue,
  aGroup,
  aMessage,
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

async function section(partial: Partial<PolicySnapshot>, environment: "staging" | "production" = "production") {
  const { groups = inBothViews() } = partial;
  const views = { staging: [...groups.staging, base], production: [...groups.production, base] };
  const table = await builtTable(aSnapshot({ ...partial, groups: views }), { environment });
  const { "~Base": _, ...others } = table.functional_groupings;
  return others;
}

const rpcsOf = async (rpcs: readonly SnapshotRpc[], partial: Partial<PolicySnapshot> = {}) =>
  (await section({ ...partial, groups: inBothViews(aGroup({ name: "G", rpcs })) })).G.rpcs;

it.each([
  ["there is none", inBothViews<never>()],
  ["the category differs", inBothViews(aMessage({ category: "location" }))],
  ["it is deleted", inBothViews(aMessage({ isDeleted: true }))],
  ["only the other view has it", { staging: [aMessage()], production: [] }],
])(
  "finding A2, rule F3, T7: a group that asks with a message is left out of every list when %s",
  async (_, messages) => {
    const flags = { isDefault: true, isDevice: true, isPreDataConsent: true };
    const asking = aGroup({ name: "G", userConsentPrompt: "Location", ...flags, rpcs: [anRpc({ levels: ["NONE"] })] });
    const version = anAppVersion({ permissions: [{ key: "Show", hmiLevel: "HMI_NONE" }], groupGrants: ["G"] });
    const apps = aCatalogue([anApp({ versions: [version] })]);
    const snapshot = aSnapshot({ groups: inBothViews(base, asking), messages, apps });
    const table = await builtTable(snapshot, { apps: { "11111111aa": {} } });
    expect(Object.keys(table.functional_groupings)).toEqual(["~Base"]);
    for (const entry of Object.values<{ groups: string[] }>(table.app_policies))
      expect(entry.groups).toEqual(["~Base"]);
  },
);

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
      const rpcs = [anRpc({ name, parameters: ["clusterModeStatus", "clusterModes", "other"] })];
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

  it("F5 (d): every stored parameter while no specification is stored", async () =>
    expect(await usable({ rpcSpec: null })).toEqual(both));
});

it("F7: parameters are the usable keys, ascending by code unit, each once", async () => {
  const permissions = [aPermission({ name: "gps", type: "PARAMETER", parents: ["GetVehicleData", "OnVehicleData"] })];
  const rpcs = [anRpc({ name: "GetVehicleData", parameters: ["speed", "Zeta", "gps", "speed"] })];
  const built = await rpcsOf(rpcs, { permissions });
  expect(built.GetVehicleData).toEqual({ hmi_levels: ["FULL"], parameters: ["Zeta", "gps", "speed"] });
});
