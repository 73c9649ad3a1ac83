import { describe, expect, it } from "vitest";
import {
  buildGroupSummary,
  buildRpcChoices,
  countParameters,
  mergeRpcs,
  type GroupRecord,
} from "@/lib/content/groups/rules";
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
    const summary = buildGroupSummary(aRecord({ rpcs, userConsentPrompt: "Location" }), prompt, () => true);
    expect(summary).toMatchObject({ selectedRpcCount: 2, selectedParameterCount: 3, prompt });
    expect(summary).not.toHaveProperty("rpcs");
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
    expect(choices.map(({ name, isSelected }) => [name, isSelected])).toEqual([
      ["Forgotten", true],
      ["GetVehicleData", false],
      ["Show", false],
    ]);
  });

  it("puts custom data after the others, never a name twice, and only under vehicle data RPCs", () => {
    const stored = [anRpc({ name: "GetVehicleData", parameters: ["alpha", "old", "gps"] })];
    const [vehicleData, show] = buildRpcChoices(stored, vocabulary);
    expect(vehicleData?.parameters).toEqual([
      { key: "gps", isCustom: false, isSelected: true },
      { key: "old", isCustom: false, isSelected: true },
      { key: "speed", isCustom: false, isSelected: false },
      { key: "alpha", isCustom: true, isSelected: true },
      { key: "zeta", isCustom: true, isSelected: false },
    ]);
    expect(show?.parameters).toEqual([]);
  });
});
