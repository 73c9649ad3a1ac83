import { expect, it } from "vitest";
import { findUncovered, listMapped } from "@/lib/content/groups/coverage";
import { aGroup, anRpc } from "@/test/support/builders";

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
