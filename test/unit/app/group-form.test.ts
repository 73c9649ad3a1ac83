import { describe, expect, it } from "vitest";
import type { EffectAnswer } from "@/lib/records/groups/wire";
import {
  addPermissions,
  emptyForm,
  listRules,
  toBody,
  toForm,
  withRules,
  fillGap,
  fromLevelUp,
  hasGap,
} from "@/app/(console)/functionalgroups/group-form";
import { findLostDefault } from "@/app/(console)/functionalgroups/effect-labels";
import { listDifferences } from "@/app/_components/form/deep-equal";
import { saveGroupBody } from "@/lib/records/groups/schema";
import type { HmiLevel } from "@/lib/vocabulary/terms";

const show = (levels: readonly HmiLevel[]) =>
  withRules({ ...emptyForm, name: "Base" }, { Show: { levels, parameters: [] }, Alert: null });

describe("levels", () => {
  it("a set has a gap when a more visible level is missing", () => {
    expect(hasGap(["FULL", "BACKGROUND"])).toBe(true);
    expect(hasGap(["NONE"])).toBe(true);
    expect(hasGap(["FULL", "LIMITED"])).toBe(false);
    expect(hasGap([])).toBe(false);
  });

  it("filling keeps the least visible level", () => {
    expect(fillGap(["FULL", "BACKGROUND"])).toEqual(["FULL", "LIMITED", "BACKGROUND"]);
    expect(fromLevelUp("LIMITED")).toEqual(["FULL", "LIMITED"]);
  });
});

describe("form", () => {
  it("a group comes through the form as it was, gaps included", () => {
    const form = show(["FULL", "BACKGROUND"]);
    const again = toForm(toBody(form, 3));
    expect(listDifferences({ ...form, "rpc:Alert": undefined }, again)).toEqual([]);
    expect(listRules(again)).toEqual([["Show", { levels: ["FULL", "BACKGROUND"], parameters: [] }]]);
  });

  it("an RPC that was added and removed again is no change", () => {
    const stored = toForm(toBody(show(["FULL"]), 3), [{ name: "Show" }, { name: "Speak" }]);
    const added = withRules(stored, { Speak: { levels: ["FULL"], parameters: [] } });
    expect(listDifferences(stored, added)).toEqual(["rpc:Speak"]);
    expect(listDifferences(stored, withRules(added, { Speak: null }))).toEqual([]);
  });

  it("sends what the API takes, with the version it started from", () => {
    const parsed = saveGroupBody.parse(toBody(show(["FULL"]), 3));
    expect(parsed).toMatchObject({ name: "Base", base_id: 3, is_deleted: false, description: null });
    expect(parsed.rpcs).toEqual([
      { name: "Show", selected: true, hmi_levels: [{ value: "FULL", selected: true }], parameters: [] },
    ]);
  });
});

describe("adding permissions (2.5, 2.6)", () => {
  const parents = ["GetVehicleData", "OnVehicleData"];

  it("leaves the levels of RPCs that are there, and gives those chosen to new ones", () => {
    const rpcs = ["Show", "Alert"].map((name) => ({ name, type: "RPC", parents: [] }) as const);
    const form = addPermissions(show(["FULL", "BACKGROUND"]), rpcs, ["FULL", "LIMITED"]);
    expect(Object.fromEntries(listRules(form))).toEqual({
      Alert: { levels: ["FULL", "LIMITED"], parameters: [] },
      Show: { levels: ["FULL", "BACKGROUND"], parameters: [] },
    });
  });

  it("puts parameters under all of their RPCs, several at once", () => {
    const parameters = ["speed", "gps"].map((name) => ({ name, type: "PARAMETER", parents }) as const);
    const rules = listRules(addPermissions(emptyForm, parameters, ["FULL"]));
    expect(rules.map(([name, rule]) => [name, rule.parameters])).toEqual(
      parents.map((name) => [name, ["gps", "speed"]]),
    );
  });
});

it("finding A4: finds the group that every app loses, or without which none can register", () => {
  const registration: EffectAnswer["effects"][number]["rpcs"][number] = {
    ...{ name: "RegisterAppInterface", kind: "lost", app_count: 3, rejected_count: 0 },
    ...{ builds: ["regular", "external"], hmi_levels: [], parameters: [] },
  };
  const effectOf = (is_registration_lost: boolean, kind: "lost" | "changed"): EffectAnswer => ({
    ...{
      environment: "production",
      app_count: 3,
      holder_count: 3,
      holders: [],
      more_effects: 0,
      is_registration_lost,
      is_update_lost: false,
    },
    ...{ findings: [], more_findings: 0 },
    effects: [
      {
        ...{ group: "G1", kind, is_default: true, prompt_before: null, prompt_after: null },
        ...{ app_count: 3, apps: [], rpcs: [registration], rejected: [] },
      },
    ],
  });
  // The group is no longer one of every app, or no longer holds the one RPC that matters.
  expect(findLostDefault(effectOf(false, "lost"))).toBe("G1");
  expect(findLostDefault(effectOf(true, "changed"))).toBe("G1");
  expect(findLostDefault(effectOf(false, "changed"))).toBeNull();
  expect(findLostDefault({ ...effectOf(false, "changed"), is_update_lost: true })).toBeNull();
  const answering = (name: string) => ({ ...registration, name });
  const [effect] = effectOf(false, "changed").effects;
  const effects = effect ? [{ ...effect, rpcs: [answering("SystemRequest")] }] : [];
  expect(findLostDefault({ ...effectOf(false, "changed"), is_update_lost: true, effects })).toBe("G1");
});
