import { describe, expect, it } from "vitest";
import { emptyNode, type NodeForm } from "@/app/(console)/vehicledata/item-form";
import {
  addNode,
  changeNode,
  copyNode,
  countLevels,
  countNodes,
  describePath,
  findPath,
  freeName,
  listPaths,
  listTargets,
  moveNode,
  removeNode,
  whyNoMove,
} from "@/app/(console)/vehicledata/tree-edit";

/** A tree out of names: a list after a name is what is inside. */
type Shape = readonly (string | Shape)[];
function build(name: string, inside: Shape = []): NodeForm {
  const params: NodeForm[] = [];
  for (const [at, one] of inside.entries()) {
    const next = inside[at + 1];
    if (typeof one === "string") params.push(build(one, typeof next === "object" ? next : []));
  }
  const isStruct = params.length > 0 || name.startsWith("s");
  return { ...emptyNode(name), name, type: isStruct ? "Struct" : "Integer", params };
}
/** The tree in words: "item(seat(level) scent)". */
const show = ({ name, params }: NodeForm): string =>
  params.length === 0 ? name : `${name}(${params.map(show).join(" ")})`;

const item = build("item", ["seat", ["level", "side", ["deep"]], "scent", "volume"]);

it("finds the way to a node", () => {
  expect(describePath(findPath(item, "deep") ?? [])).toBe("item › seat › side › deep");
  expect(findPath(item, "nowhere")).toBeNull();
  const names = listPaths(item).map((path) => path.at(-1)?.name);
  expect(names).toEqual(["item", "seat", "level", "side", "deep", "scent", "volume"]);
  expect([countNodes(item), countLevels(item)]).toEqual([7, 4]);
});

it("adds beside and at the end, removes with what is inside, and leaves the rest alone", () => {
  expect(show(addNode(item, "item", build("x"), "seat"))).toBe("item(seat(level side(deep)) x scent volume)");
  expect(show(addNode(item, "seat", build("x")))).toBe("item(seat(level side(deep) x) scent volume)");
  expect(show(removeNode(item, "seat"))).toBe("item(scent volume)");
  expect(removeNode(item, "item")).toBe(item);
  expect(changeNode(item, "nowhere", () => build("x"))).toBe(item);
});

describe("moving", () => {
  it("2.9.2: moves a node with all that is inside to another parent", () => {
    expect(show(moveNode(item, "side", "scent"))).toBe("item(seat(level) scent(side(deep)) volume)");
    expect(show(moveNode(item, "deep", "item", "seat"))).toBe("item(seat(level side) deep scent volume)");
  });

  it.each([
    ["seat", "side", "An item cannot be moved into itself"],
    ["level", "volume", "Only a struct can contain other items"],
    ["level", "seat", "It is there already"],
    ["item", "seat", "It is not in the tree"],
  ])("2.9.2: does not move %s into %s", (uid, target, why) => {
    expect(whyNoMove(item, uid, target)).toBe(why);
    expect(moveNode(item, uid, target)).toBe(item);
  });

  it("14.3: stops at ten levels", () => {
    let chain = ((depth: number): NodeForm => build(`s${depth}`, depth === 9 ? [] : [`s${depth + 1}`]))(9);
    for (let depth = 8; depth >= 1; depth--) chain = { ...build(`s${depth}`), params: [chain] };
    const root = { ...build("s0"), params: [{ ...chain }, build("v"), build("sx", ["w"])] };
    expect(countLevels(root)).toBe(10);
    expect(whyNoMove(root, "v", "s8")).toBeNull();
    expect(whyNoMove(root, "v", "s9")).toBe("More than 10 levels");
    expect(whyNoMove(root, "sx", "s8")).toBe("More than 10 levels");
  });

  it("offers the structs that have room", () =>
    expect(listTargets(item, "level").map(describePath)).toEqual(["item", "item › seat › side", "item › scent"]));
});

it("copies under new ids and a name of its own", () => {
  let number = 0;
  const copy = copyNode(item.params[0] ?? item, "seatCopy", () => `new${++number}`);
  expect(show(copy)).toBe("seatCopy(level side(deep))");
  expect(listPaths(copy).map((path) => path.at(-1)?.uid)).toEqual(["new1", "new2", "new3", "new4"]);
  expect(freeName("seat", item.params)).toBe("seatCopy");
  expect(freeName("seat", [build("seatCopy"), build("seatCopy2")])).toBe("seatCopy3");
});
