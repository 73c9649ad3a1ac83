import { expect, it } from "vitest";
import { namesOf, recordOf, snakeName, toSnakeMembers } from "@/lib/labels/members";

it("writes names as the API does", () => {
  const written = ["name", "isDefault", "exchangeAfterXIgnitionCycles", "line1"].map((name) => snakeName(name));
  expect(written).toEqual(["name", "is_default", "exchange_after_x_ignition_cycles", "line1"]);
});

it("renames members in their order, and leaves what is inside them", () => {
  const inner = { hmiLevel: 1 };
  const renamed = toSnakeMembers({ versionId: 1, name: "a", iconUrl: null, inner });
  expect(Object.entries(renamed)).toEqual([
    ["version_id", 1],
    ["name", "a"],
    ["icon_url", null],
    ["inner", inner],
  ]);
});

it("makes one member for each name, in the order of the names", () => {
  expect(Object.entries(recordOf(["b", "a"], (name) => `${name}!`))).toEqual([
    ["b", "b!"],
    ["a", "a!"],
  ]);
});

it("lists the names of a table in the order in which it is written", () => {
  expect(namesOf({ second: 2, first: 1 })).toEqual(["second", "first"]);
});
