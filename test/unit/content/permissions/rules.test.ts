import { expect, it } from "vitest";
import { findUnmapped } from "@/lib/content/permissions/rules";
import { aGroup, anRpc } from "@/test/support/builders";

const permissions = [
  { id: 1, name: "Show", type: "RPC" },
  { id: 2, name: "gps", type: "PARAMETER" },
  { id: 3, name: "CLIMATE", type: "MODULE" },
  { id: 4, name: "Alert", type: "RPC" },
] as const;
const namesOf = (groups: Parameters<typeof findUnmapped>[1]) =>
  findUnmapped(permissions, groups).map(({ name }) => name);

it("10.2: leaves out modules, and orders by code unit", () => {
  expect(namesOf([])).toEqual(["Alert", "Show", "gps"]);
});

it("10.2: an RPC is mapped with a level only, a parameter by its key", () => {
  expect(
    namesOf([aGroup({ rpcs: [anRpc({ name: "Show", levels: [] }), anRpc({ name: "X", parameters: ["gps"] })] })]),
  ).toEqual(["Alert", "Show"]);
});

it("10.2: deleted groups do not count", () => {
  expect(namesOf([aGroup({ isDeleted: true }), aGroup({ rpcs: [anRpc({ name: "Alert" })] })])).toEqual(["Show", "gps"]);
});
