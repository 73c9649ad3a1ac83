import { describe, expect, it } from "vitest";
import type { EffectAnswer } from "@/lib/groups/answer-schema";
import { addPermissions } from "@/app/(console)/functionalgroups/add-permissions";
import { emptyForm, listRules, toBody, toForm, withRules } from "@/app/(console)/functionalgroups/group-form";
import { fillGap, fromLevelUp, hasGap } from "@/app/(console)/functionalgroups/levels";
import {
  buildPlan,
  describePlan,
  findTypedWord,
  type PromotionItem,
} from "@/app/(console)/functionalgroups/promotion-plan";
import { listDifferences } from "@/app/_components/form/deep-equal";
import { saveGroupBody } from "@/lib/groups/schema";
import type { HmiLevel } from "@/lib/words/vocabulary";

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
    const form = addPermissions(
      show(["FULL", "BACKGROUND"]),
      [
        { name: "Show", type: "RPC", parents: [] },
        { name: "Alert", type: "RPC", parents: [] },
      ],
      ["FULL", "LIMITED"],
    );
    expect(Object.fromEntries(listRules(form))).toEqual({
      Alert: { levels: ["FULL", "LIMITED"], parameters: [] },
      Show: { levels: ["FULL", "BACKGROUND"], parameters: [] },
    });
  });

  it("puts parameters under all of their RPCs, several at once", () => {
    const form = addPermissions(
      emptyForm,
      [
        { name: "speed", type: "PARAMETER", parents },
        { name: "gps", type: "PARAMETER", parents },
      ],
      ["FULL"],
    );
    expect(listRules(form).map(([name, { parameters }]) => [name, parameters])).toEqual(
      parents.map((name) => [name, ["gps", "speed"]]),
    );
  });
});

describe("promotion plan (2.5)", () => {
  const item = (id: number, partial: Partial<PromotionItem> = {}): PromotionItem => ({
    ...{ id, name: `G${id}`, change: "changed", missing: [], older_wording: null, is_default: false },
    ...{ is_empty: false, production_id: 900 },
    ...partial,
  });
  const message = { kind: "message", name: "Location", id: 30 } as const;
  const scent = { kind: "vehicle_data", name: "cabinScent", id: 7 } as const;
  const waiting = [
    { name: "cabinScent", is_deleted: false },
    { name: "oldScent", is_deleted: true },
  ];
  const plan = (items: PromotionItem[], included: readonly string[] = []) =>
    buildPlan({ items, vehicle_data: waiting }, new Set(included));

  it("rule 1: blocks a group until its message is included, and promotes that first and once", () => {
    const items = [item(1), item(2, { missing: [message] }), item(3, { missing: [message, scent] })];
    const bare = plan(items);
    expect(bare).toMatchObject({ groups: [1], messages: [], vehicleData: [] });
    expect(bare.blocked.map(({ id }) => id)).toEqual([2, 3]);
    const withMessage = plan(items, ["message:Location"]);
    expect(withMessage).toMatchObject({ groups: [1, 2], messages: [30], vehicleData: [] });
    const withAll = plan(items, ["message:Location", "vehicle_data:cabinScent"]);
    expect(withAll).toMatchObject({ groups: [1, 2, 3], messages: [30], vehicleData: waiting, blocked: [] });
    expect(describePlan(withAll)).toBe("1 message, 2 items of vehicle data and 3 groups");
    // Vehicle data goes as a whole, and with it a removal that nobody chose here.
    expect(withAll.deletions).toBe(1);
    expect(findTypedWord(withAll, null)).toBe("production");
  });

  it("cannot be talked into including what does not exist", () => {
    const items = [item(1, { missing: [{ ...message, id: null }] })];
    expect(plan(items, ["message:Location"]).groups).toEqual([]);
  });

  it("asks for the word when something is removed, or with more than ten items", () => {
    const wordOf = (items: PromotionItem[]) => findTypedWord(plan(items), null);
    expect(wordOf([item(1)])).toBeNull();
    expect(wordOf([item(1, { change: "deleted" })])).toBe("production");
    const many = Array.from({ length: 11 }, (_, at) => item(at));
    expect(wordOf(many)).toBe("production");
    expect(wordOf(many.slice(1))).toBeNull();
  });

  it("finding A4: asks for the name of a group that every app loses, or without which none can register", () => {
    const wordOf = (partial: Partial<PromotionItem>) => findTypedWord(plan([item(1, partial)]), null);
    expect(wordOf({ is_default: true, change: "deleted" })).toBe("G1");
    expect(wordOf({ is_default: true, is_empty: true })).toBe("G1");
    expect(wordOf({ is_empty: true })).toBeNull();
    const registration: EffectAnswer["effects"][number]["rpcs"][number] = {
      name: "RegisterAppInterface",
      kind: "lost",
      app_count: 3,
      hmi_levels: [],
      parameters: [],
    };
    const effectOf = (is_registration_lost: boolean, kind: "lost" | "changed"): EffectAnswer => ({
      ...{ environment: "production", app_count: 3, holder_count: 3, more_effects: 0, is_registration_lost },
      effects: [
        {
          ...{ group: "G1", kind, is_default: true, prompt_before: null, prompt_after: null },
          ...{ app_count: 3, apps: [], rpcs: [registration] },
        },
      ],
    });
    // The group is no longer one of every app, or no longer holds the one RPC that matters.
    expect(findTypedWord(plan([item(1)]), effectOf(false, "lost"))).toBe("G1");
    expect(findTypedWord(plan([item(1)]), effectOf(true, "changed"))).toBe("G1");
    expect(findTypedWord(plan([item(1)]), effectOf(false, "changed"))).toBeNull();
  });
});
