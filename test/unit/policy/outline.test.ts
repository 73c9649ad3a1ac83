import { expect, it } from "vitest";
import { outlineTable } from "@/lib/policy/outline";

it("counts what each section is about", () => {
  const outline = outlineTable({
    module_config: { a: 1, b: 2 },
    vehicle_data: { schema_version: "1", schema_items: [{}, {}, {}] },
    functional_groupings: { "Base-4": {} },
    consumer_friendly_messages: { version: "1", messages: { A: {}, B: {} } },
    app_policies: { default: {}, device: {} },
  });
  expect(outline.map(({ name, count, unit }) => [name, count, unit])).toEqual([
    ["module_config", 2, "settings"],
    ["vehicle_data", 3, "items"],
    ["functional_groupings", 1, "group"],
    ["consumer_friendly_messages", 2, "messages"],
    ["app_policies", 2, "entries"],
  ]);
});

it("gives sizes in bytes of UTF-8", () =>
  expect(outlineTable({ other: { ä: "é" } })).toEqual([{ name: "other", count: 1, unit: "setting", bytes: 11 }]));

it("survives a table without what it counts", () =>
  expect(outlineTable({ vehicle_data: {}, consumer_friendly_messages: {} }).map(({ count }) => count)).toEqual([0, 0]));
