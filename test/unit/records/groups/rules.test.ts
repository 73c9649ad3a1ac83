import { describe, expect, it } from "vitest";
import { findUncovered, listMapped } from "@/lib/records/groups/coverage";
import { countParameters, type GroupRecord, listLostParameters, mergeRpcs } from "@/lib/records/groups/rules";
import { buildRpcChoices, toGroupJson } from "@/lib/records/groups/wire";
import { aGroup, anRpc } from "@/test/support/builders";

const aRecord = (partial: Partial<GroupRecord> = {}): GroupRecord => ({ ...aGroup(), description: null, ...partial });

describe("counts (11.2)", () => {
  const rpcs = [
    anRpc({ name: "GetVehicleData", parameters: ["gps", "speed"] }),
    anRpc({ name: "OnVehicleData", parameters: ["gps", "rpm"] }),
    anRpc({ name: "Old", levels: [], parameters: [] }),
  ];

  it("counts a parameter of several RPCs once, and only where it is usable", () => {
    expect(countParameters(aRecord({ rpcs }), () => true)).toBe(3);
    expect(countParameters(aRecord({ rpcs }), (_, rpc) => rpc === "OnVehicleData")).toBe(2);
    expect(countParameters(aRecord({ rpcs }), () => false)).toBe(0);
  });

  it("counts RPCs that have a level", () => {
    const prompt = { id: 3, category: "Location", status: "STAGING" } as const;
    const group = aRecord({ rpcs, userConsentPrompt: "Location" });
    expect(toGroupJson(group, { prompt, isUsable: () => true })).toMatchObject({
      ...{ selected_rpc_count: 2, selected_parameter_count: 3, rpcs: [] },
      ...{ user_consent_prompt: "Location", selected_prompt_id: 3, selected_prompt_status: "STAGING" },
    });
  });
});

describe("merging (11.4)", () => {
  it("unites levels and parameters of the same RPC in the order of first mention", () => {
    const merged = mergeRpcs([
      anRpc({ name: "b", levels: ["FULL"], parameters: ["y"] }),
      anRpc({ name: "a", levels: ["NONE"], parameters: [] }),
      anRpc({ name: "b", levels: ["LIMITED", "FULL"], parameters: ["x", "y"] }),
    ]);
    expect(merged).toEqual([
      { name: "b", levels: ["FULL", "LIMITED"], parameters: ["y", "x"] },
      { name: "a", levels: ["NONE"], parameters: [] },
    ]);
  });

  it("Δ22: drops an RPC that has no level even after merging", () => {
    const mute = anRpc({ name: "a", levels: [], parameters: ["x"] });
    expect(mergeRpcs([mute, mute])).toEqual([]);
    expect(mergeRpcs([mute, anRpc({ name: "a" })])).toEqual([{ name: "a", levels: ["FULL"], parameters: ["x"] }]);
  });
});

describe("choices (11.2)", () => {
  const vocabulary = {
    rpcs: ["Show", "GetVehicleData"],
    parameters: new Map([["GetVehicleData", ["speed", "gps"]]]),
    customData: ["zeta", "alpha", "gps"],
  };

  it("lists known RPCs and stored ones that are no longer known, by name", () => {
    const choices = buildRpcChoices([anRpc({ name: "Forgotten" })], vocabulary);
    expect(choices.map(({ name, selected }) => [name, selected])).toEqual([
      ["Forgotten", true],
      ["GetVehicleData", false],
      ["Show", false],
    ]);
  });

  it("puts custom data after the others, never a name twice, and only under vehicle data RPCs", () => {
    const stored = [anRpc({ name: "GetVehicleData", parameters: ["alpha", "old", "gps"] })];
    const [vehicleData, show] = buildRpcChoices(stored, vocabulary);
    expect(vehicleData?.parameters).toEqual([
      { name: "gps", key: "gps", is_custom: false, selected: true },
      { name: "old", key: "old", is_custom: false, selected: true },
      { name: "speed", key: "speed", is_custom: false, selected: false },
      { name: "alpha", key: "alpha", is_custom: true, selected: true },
      { name: "zeta", key: "zeta", is_custom: true, selected: false },
    ]);
    expect(show?.parameters).toEqual([]);
  });
});

it("10.2: a name counts as mapped with at least one level in a group that is not deleted", () => {
  const rpcs = [anRpc({ name: "Show", levels: ["FULL"], parameters: ["gps"] }), anRpc({ name: "Old", levels: [] })];
  expect(listMapped([aGroup({ rpcs })])).toEqual(new Set(["Show", "gps"]));
  expect(listMapped([aGroup({ rpcs, isDeleted: true })])).toEqual(new Set());
});

it("2.5: lists what is missing in either view, RPCs first; modules never", () => {
  const known = (name: string, type: string) => ({ id: 1, name, type, parents: [], isReported: true });
  const found = findUncovered(
    [known("gps", "PARAMETER"), known("Show", "RPC"), known("Alert", "RPC"), known("RADIO", "MODULE")],
    { staging: new Set(["Show"]), production: new Set() },
  );
  expect(found.map(({ name, isMapped }) => [name, isMapped])).toEqual([
    ["Alert", { staging: false, production: false }],
    ["Show", { staging: true, production: false }],
    ["gps", { staging: false, production: false }],
  ]);
});

it("2.5 rule 2: names custom vehicle data that is in staging only, once for all RPCs", () => {
  const rpcs = ["GetVehicleData", "OnVehicleData"].map((name) => anRpc({ name, parameters: ["gps", "cabinScent"] }));
  const isUsable = ({ status }: { readonly status: string }, _: string, key: string) =>
    status === "STAGING" || key === "gps";
  expect(listLostParameters({ rpcs }, isUsable)).toEqual(["cabinScent"]);
});
