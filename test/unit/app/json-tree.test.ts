import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ancestorsOf,
  childrenOf,
  findMatches,
  type JsonPath,
  listRows,
  openTo,
  resolveDotted,
  toDotted,
  toPointer,
} from "@/app/_components/json-viewer/json-tree";

const valueAt = (root: unknown, path: JsonPath) =>
  path.reduce<unknown>((value, key) => childrenOf(value).find(([name]) => name === key)?.[1], root);

const table = {
  policy_table: {
    module_config: { endpoints: { "0x07": { default: ["https://a.example"] } }, lock: true },
    functional_groupings: { "Base-4": { rpcs: { Alert: { hmi_levels: ["FULL"] } } }, "a.b": { rpcs: null } },
  },
};

describe("lines of the tree", () => {
  it("are the parts whose surroundings are open, in order", () => {
    const rows = listRows(table, openTo(table, 2));
    const parts = ["", "/module_config", "/functional_groupings"].map((part) => `/policy_table${part}`);
    expect(rows.map(({ id }) => id)).toEqual(["", ...parts]);
    const place = { position: 2, siblings: 2 };
    expect(rows.at(-1)).toMatchObject({ key: "functional_groupings", size: 2, isOpen: false, ...place });
  });

  it("have one name each, whatever the members are called", () =>
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const rows = listRows(value, openTo(value, Infinity));
        expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
        for (const { path, value: part, id } of rows) {
          expect(valueAt(value, path)).toBe(part);
          expect(toPointer(path)).toBe(id);
        }
      }),
    ));

  it("do not open what holds nothing", () => {
    const rows = listRows({ a: {}, b: [] }, new Set(["", "/a", "/b"]));
    expect(rows.map(({ isOpen }) => isOpen)).toEqual([true, false, false]);
  });
});

describe("search", () => {
  it("finds names and plain values, upper and lower case alike", () => {
    expect(findMatches(table, "alert").map(toDotted)).toEqual(["policy_table.functional_groupings.Base-4.rpcs.Alert"]);
    expect(findMatches(table, "full")).toHaveLength(1);
    expect(findMatches(table, "true").map(toDotted)).toEqual(["policy_table.module_config.lock"]);
    expect(findMatches(table, "null").map(toDotted)).toEqual(["policy_table.functional_groupings.a.b.rpcs"]);
    expect(findMatches(table, "  ")).toEqual([]);
  });

  it("ends after the given number", () => {
    const many = Array.from({ length: 50 }, () => "x");
    expect(findMatches(many, "x", 7)).toHaveLength(7);
  });
});

describe("paths as people write them", () => {
  it("lead to parts whose names hold dots", () => {
    const path = resolveDotted(table, "policy_table.functional_groupings.a.b.rpcs");
    expect(path).toEqual(["policy_table", "functional_groupings", "a.b", "rpcs"]);
    expect(resolveDotted(table, "policy_table.module_config.endpoints.0x07.default.0")).toHaveLength(6);
    expect(resolveDotted(table, "policy_table.nothing")).toBeNull();
    expect(resolveDotted(table, "")).toEqual([]);
  });

  it("take another way when the longest name is a dead end", () =>
    expect(resolveDotted({ a: { "b.c": 1 }, "a.b": {} }, "a.b.c")).toEqual(["a", "b.c"]));

  it("know what lies around them", () => expect(ancestorsOf(["a", "b/c", 0])).toEqual(["", "/a", "/a/b~1c"]));
});
