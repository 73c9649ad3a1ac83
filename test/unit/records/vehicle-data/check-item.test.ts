import { describe, expect, it } from "vitest";
import { checkItem, type CheckFacts } from "@/app/(console)/vehicledata/check-item";
import { emptyNode, type NodeForm } from "@/app/(console)/vehicledata/item-form";

const facts: CheckFacts = {
  types: ["Float", "String", "Boolean", "Integer", "Struct", "PRNDL"],
  isSpecified: true,
  natives: ["speed", "rpm"],
  taken: { cabinScent: 20 },
};
const aNode = (partial: Partial<NodeForm> = {}): NodeForm => {
  return { ...emptyNode(partial.uid ?? "root"), name: "scent", key: "OEM", type: "Integer", ...partial };
};
function problemsOf(node: NodeForm, uid = "root", own: Partial<CheckFacts> = {}): string[] {
  const found = checkItem(node, { ...facts, ...own }).get(uid) ?? {};
  return Object.entries(found).map(([field, { message }]) => `${field}: ${message}`);
}

it("2.9.2: finds nothing in a sound item", () => {
  const child = aNode({ uid: "a", name: "level", minValue: "0", maxValue: "10" });
  expect([...checkItem(aNode({ type: "Struct", params: [child] }), facts)]).toEqual([]);
});

it.each<readonly [string, string]>([
  ["a b", "A space"],
  ["a\tb", "White space"],
  ["a\u0007", "A control character"],
  ..."!@#$%^&*".split("").map((character) => [`x${character}y`, `The character ${character}`] as const),
])("2.9.2: names the illegal character in %j, in names and keys", (text, words) => {
  expect(problemsOf(aNode({ name: text }))).toEqual([`name: ${words} is not allowed because head units refuse it`]);
  expect(problemsOf(aNode({ key: text }))).toEqual([`key: ${words} is not allowed because head units refuse it`]);
});

it("14.3: counts bytes and not characters", () => {
  expect(problemsOf(aNode({ name: "ü".repeat(127) }))).toEqual([]);
  expect(problemsOf(aNode({ name: "ü".repeat(128) }))).toEqual(["name: 256 bytes long; at most 255 are allowed"]);
});

it("2.9.2: tells what is missing apart from what is wrong", () => {
  const missing = { message: "Required", isMissing: true };
  expect(checkItem(emptyNode("root"), facts).get("root")).toEqual({ name: missing, key: missing, type: missing });
});

describe("names", () => {
  it("2.9.2: refuses the name of native vehicle data at any depth", () => {
    const deep = aNode({ uid: "b", name: "speed" });
    const item = aNode({ type: "Struct", params: [aNode({ uid: "a", type: "Struct", params: [deep] })] });
    expect(problemsOf(item, "b")).toEqual([expect.stringMatching(/^name: speed is native/)]);
    expect(problemsOf(aNode({ name: "rpm" }))).toEqual([expect.stringMatching(/^name: rpm is native/)]);
  });

  it("2.9.2: refuses the name of another item, at the top only", () => {
    const taken = "name: An item with this name exists. Choose another name";
    expect(problemsOf(aNode({ name: "cabinScent" }))).toEqual([taken]);
    const item = aNode({ type: "Struct", params: [aNode({ uid: "a", name: "cabinScent" })] });
    expect(problemsOf(item, "a")).toEqual([]);
  });

  it("2.9.2: names both of two siblings with one name, but not cousins", () => {
    const twins = [aNode({ uid: "a", name: "level" }), aNode({ uid: "b", name: "level" })];
    const item = aNode({ type: "Struct", params: twins });
    for (const uid of ["a", "b"]) expect(problemsOf(item, uid)).toEqual(["name: level is used twice on this level"]);
    const cousin = aNode({ uid: "c", type: "Struct", params: [aNode({ uid: "d", name: "scent" })] });
    expect([...checkItem(aNode({ type: "Struct", params: [cousin] }), facts)]).toEqual([]);
  });

  it("14.3: allows 500 nodes and no more", () => {
    const children = (count: number) =>
      Array.from({ length: count }, (_, at) => aNode({ uid: `${at}`, name: `n${at}` }));
    expect(problemsOf(aNode({ type: "Struct", params: children(499) }))).toEqual([]);
    expect(problemsOf(aNode({ type: "Struct", params: children(500) }))).toEqual(["name: More than 500 nodes in all"]);
  });
});

describe("types", () => {
  it("14.6: knows the enumerations of the specification; without one, any identifier will do", () => {
    expect(problemsOf(aNode({ type: "PRNDL" }))).toEqual([]);
    expect(problemsOf(aNode({ type: "Gear" }))).toEqual(["type: Gear is not a type of the RPC specification in use"]);
    expect(problemsOf(aNode({ type: "Gear" }), "root", { isSpecified: false })).toEqual([]);
    expect(problemsOf(aNode({ type: "1Gear" }), "root", { isSpecified: false })).toHaveLength(1);
  });

  it("14.3: only a Struct has something inside", () => {
    const item = aNode({ type: "String", params: [aNode({ uid: "a", name: "level" })] });
    expect(problemsOf(item)).toEqual(["type: Only a Struct can contain other items, not String"]);
  });
});

describe("limits", () => {
  it.each([
    [{ minValue: "3", maxValue: "2" }, ["maxValue: Less than the minimum, 3"]],
    [{ minValue: "1.5" }, ["minValue: Not a whole number"]],
    [{ minValue: "-3", maxValue: " 4 " }, []],
    [{ minValue: "abc", maxValue: "2" }, ["minValue: Not a whole number"]],
    [{ maxValue: "99999999999999999999" }, ["maxValue: Too large"]],
    [{ type: "Float", minValue: "-1.5", maxValue: "1e3" }, []],
    [{ type: "Float", minValue: "1,5" }, ["minValue: Not a number. Use a form like -1.5"]],
    [{ type: "String", minLength: "-1" }, ["minLength: Must be 0 or more"]],
    [{ type: "String", minLength: "9", maxLength: "8" }, ["maxLength: Less than the minimum, 9"]],
    [{ array: true, minSize: "2", maxSize: "1" }, ["maxSize: Less than the minimum, 2"]],
  ])("2.9.2: judges %j", (partial, expected) => expect(problemsOf(aNode(partial))).toEqual(expected));

  it("2.9.2: says nothing of limits that mean nothing for the type", () =>
    expect(problemsOf(aNode({ type: "Boolean", minValue: "x", minLength: "-1", minSize: "y" }))).toEqual([]));
});
