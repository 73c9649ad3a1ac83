import { describe, expect, it } from "vitest";
import { buildPromotionItems, type PromotionContext } from "@/lib/groups/promotion-rules";
import type { ConsentPrompt, GroupRecord } from "@/lib/groups/rules";
import type { RecordStatus } from "@/lib/words/vocabulary";
import { aGroup } from "@/test/support/builders";

const aRecord = (partial: Partial<GroupRecord> = {}): GroupRecord => ({
  ...aGroup(),
  status: "STAGING",
  description: null,
  ...partial,
});
const prompts = (...found: readonly (readonly [id: number, status: RecordStatus])[]) =>
  new Map<string, ConsentPrompt>(found.map(([id, status]) => ["Location", { id, category: "Location", status }]));
const context = (partial: Partial<PromotionContext> = {}): PromotionContext => ({
  prompts: { staging: prompts(), production: prompts() },
  isUsable: () => true,
  stagedVehicleData: new Map(),
  promoted: new Map(),
  ...partial,
});
const itemOf = (record: GroupRecord, partial: Partial<PromotionContext>) =>
  buildPromotionItems([record], context(partial))[0];

describe("2.5 rule 1: consent prompt first", () => {
  const asking = aRecord({ userConsentPrompt: "Location" });

  it("names the message that has to be promoted before", () => {
    const views = { staging: prompts([30, "STAGING"]), production: prompts() };
    expect(itemOf(asking, { prompts: views })?.missing).toEqual([{ kind: "message", name: "Location", id: 30 }]);
  });

  it("has no remedy for a message that is nowhere", () => {
    expect(itemOf(asking, {})?.missing).toEqual([{ kind: "message", name: "Location", id: null }]);
  });

  it("only notes newer wording in staging when production has the message", () => {
    const views = { staging: prompts([31, "STAGING"]), production: prompts([30, "PRODUCTION"]) };
    expect(itemOf(asking, { prompts: views })).toMatchObject({ missing: [], olderWording: "Location" });
    const same = { staging: prompts([30, "PRODUCTION"]), production: prompts([30, "PRODUCTION"]) };
    expect(itemOf(asking, { prompts: same })).toMatchObject({ missing: [], olderWording: null });
  });

  it("lets a deletion pass", () => {
    expect(itemOf(aRecord({ userConsentPrompt: "Location", isDeleted: true }), {})).toMatchObject({
      change: "deleted",
      missing: [],
    });
  });
});

it("2.5 rule 2: names custom vehicle data that is in staging only, once for all RPCs", () => {
  const rpcs = ["GetVehicleData", "OnVehicleData"].map((name) => ({
    name,
    levels: ["FULL"] as const,
    parameters: ["gps", "cabinScent", "unknown"],
  }));
  const isUsable: PromotionContext["isUsable"] = ({ status }, _rpc, key) =>
    key === "gps" || (key === "cabinScent" && status === "STAGING");
  const stagedVehicleData = new Map([["cabinScent", 7]]);
  const item = itemOf(aRecord({ rpcs }), { isUsable, stagedVehicleData });
  expect(item?.missing).toEqual([{ kind: "vehicle_data", name: "cabinScent", id: 7 }]);
});

it("tells new groups from changed ones", () => {
  const items = buildPromotionItems(
    [aRecord({ name: "A" }), aRecord({ name: "B" })],
    context({ promoted: new Map([["A", 7]]) }),
  );
  expect(items.map(({ name, change, productionId }) => [name, change, productionId])).toEqual([
    ["A", "changed", 7],
    ["B", "new", null],
  ]);
});

it("finding E2: tells groups through which nothing can be called, deletions aside", () => {
  const records = [
    aRecord({ name: "Empty", rpcs: [] }),
    aRecord({ name: "No levels", rpcs: [{ name: "Show", levels: [], parameters: [] }] }),
    aRecord({ name: "Leaving", rpcs: [], isDeleted: true }),
    aRecord({ name: "Full" }),
  ];
  expect(buildPromotionItems(records, context()).map(({ isEmpty }) => isEmpty)).toEqual([true, true, false, false]);
});
