import { describe, expect, it } from "vitest";
import { buildItemRows, describeLimits, type NodeSearch } from "@/lib/records/vehicle-data/console-rows";
import type { VehicleDataNode, VehicleDataRecord } from "@/lib/records/vehicle-data/rules";

const noLimits = { minLength: null, maxLength: null, minSize: null, maxSize: null, minValue: null, maxValue: null };
function aNode(id: number, parentId: number | null, name: string, partial: Partial<VehicleDataNode> = {}) {
  const members = { key: `K_${name}`, type: "Integer", mandatory: false, array: false, ...noLimits };
  return { id, parentId, name, ...members, ...partial };
}
function aRecord(nodes: readonly VehicleDataNode[], partial: Partial<VehicleDataRecord> = {}): VehicleDataRecord {
  const at = new Date(Date.UTC(2026, 2, 1));
  return { id: 1, name: "seat", status: "STAGING", isDeleted: false, createdAt: at, updatedAt: at, nodes, ...partial };
}
const seat = aRecord([
  aNode(1, null, "seat", { type: "Struct" }),
  aNode(2, 1, "heat", { type: "Struct" }),
  aNode(3, 2, "level", { minValue: 0, maxValue: 10 }),
  aNode(4, 1, "side", { type: "PRNDL" }),
]);
const facts = { isNew: true, usedBy: [] };
const rowsOf = (isOpen: boolean, search: NodeSearch = {}) =>
  buildItemRows(seat, facts, { isOpen, search }).map(
    ({ depth, name, nested, isFound }) => `${depth} ${name} ${nested}${isFound ? " found" : ""}`,
  );

describe("lines of the list", () => {
  it("2.9.1: shows an item alone, or with all that is inside", () => {
    expect(rowsOf(false)).toEqual(["0 seat 3"]);
    expect(rowsOf(true)).toEqual(["0 seat 3", "1 heat 1", "2 level 0", "1 side 0"]);
  });

  it.each([
    ["names at any depth, and shows what is above it", "LEV", undefined, ["1 heat 1", "2 level 0 found"]],
    ["keys at any depth", "k_level", undefined, ["1 heat 1", "2 level 0 found"]],
    ["types by part", "prn", undefined, ["1 side 0 found"]],
    ["types by filter", undefined, "PRNDL", ["1 side 0 found"]],
    ["nothing of another type", "level", "PRNDL", []],
  ])("2.9.1: finds %s", (_, q, type, inside) => expect(rowsOf(false, { q, type })).toEqual(["0 seat 3", ...inside]));

  it("says of an item what is said of it as a whole, and how much was found inside", () => {
    const [root, inside] = buildItemRows(seat, facts, { isOpen: false, search: { q: "e" } });
    const whole = { ...facts, status: "STAGING", isDeleted: false, changedAt: "2026-03-01T00:00:00.000Z" };
    expect(root?.item).toEqual({ ...whole, foundInside: 3 });
    expect(inside?.item).toBeNull();
  });
});

it.each([
  [{}, ""],
  [{ minValue: 0, maxValue: 250 }, "0…250"],
  [{ minValue: -1.5 }, "≥ -1.5"],
  [{ maxLength: 40 }, "≤ 40 characters"],
  [{ minValue: 0, minSize: 2, maxSize: 2 }, "≥ 0 · 2 elements"],
])("2.9.1: says %j in a few words", (limits, words) => expect(describeLimits(aNode(1, null, "a", limits))).toBe(words));
