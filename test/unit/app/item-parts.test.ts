import { describe, expect, it } from "vitest";
import { type FormSource, type ItemForm, toBody, toForm } from "@/app/(console)/vehicledata/item-form";
import { itemParts } from "@/app/(console)/vehicledata/item-parts";
import { listPaths } from "@/app/(console)/vehicledata/tree-edit";
import { listDifferences } from "@/app/_components/form/deep-equal";
import { vehicleDataTemplate } from "@/lib/records/vehicle-data/wire";

const node = (name: string, partial: Partial<FormSource> = {}): FormSource => {
  return { ...vehicleDataTemplate, name, key: `OEM_${name}`, type: partial.params ? "Struct" : "Integer", ...partial };
};
const seat = (params: readonly FormSource[], partial: Partial<FormSource> = {}) =>
  toForm(node("seat", { params, ...partial }));
const level = (max: number) => node("level", { min_value: 0, max_value: max });
const changed = (one: ItemForm, other: ItemForm) => listDifferences(itemParts.split(one), itemParts.split(other));
const names = (form: ItemForm) => form.params.map(({ name }) => name);

describe("an item is compared part by part", () => {
  const base = seat([level(10), node("zone", { params: [node("fan")] })]);

  it("the item's own members one by one, what is inside child by child", () => {
    const other = seat([level(20), node("zone", { params: [node("fan")] })], { key: "NEW", array: true, min_size: 1 });
    expect(changed(base, other)).toEqual(["key", "array", "minSize", "params.level"]);
    expect(changed(base, seat([level(10), node("zone", { params: [node("fan", { key: "X" })] })]))).toEqual([
      "params.zone",
    ]);
  });

  it("not by order, nor by what tells nodes apart on the page", () => {
    const params = base.params.toReversed().map((child, at) => ({ ...child, uid: `u${at}` }));
    expect(changed(base, { ...base, params })).toEqual([]);
  });

  it("a child under another name is one less and one more", () => {
    const [first, ...rest] = base.params;
    const other: ItemForm = { ...base, params: first ? [{ ...first, name: "height" }, ...rest] : [] };
    expect(changed(base, other)).toEqual(["params.level", "params.height"]);
    const called = ["params.level", "params.", "key"].map((name) => itemParts.nameOf(name));
    expect(called).toEqual(["Inside: level", "Inside: unnamed", null]);
  });

  it("two children of one name are two parts, until one is put right", () =>
    expect(changed(base, seat([level(10), level(20), node("zone", { params: [node("fan")] })]))).toEqual([
      "params.level (2)",
    ]));
});

describe("parts are taken over from what somebody else has saved", () => {
  const mine = seat([level(10), node("mine"), node("gone")]);
  const theirs = seat([level(20), node("theirs")], { key: "THEIRS", max_size: 4, array: true });

  it("changed, added and removed ones; the others stay", () => {
    const taken = itemParts.take(mine, theirs, ["params.level", "params.theirs", "params.gone", "array", "maxSize"]);
    expect(names(taken)).toEqual(["level", "mine", "theirs"]);
    expect(toBody(taken, 7)).toMatchObject({
      key: "OEM_seat",
      array: true,
      max_size: 4,
      params: [{ name: "level", max_value: 20 }, { name: "mine" }, { name: "theirs" }],
    });
  });

  it("keeps all nodes apart, also where one of ours has another name by now", () => {
    const renamed: ItemForm = { ...mine, params: mine.params.map((child) => ({ ...child, name: `${child.name}2` })) };
    const uids = listPaths(itemParts.take(renamed, theirs, ["params.level"])).map((path) => path.at(-1)?.uid);
    expect(new Set(uids).size).toBe(5);
  });
});

describe("parts are told in words", () => {
  const part = (form: ItemForm, name = "params.zone") => itemParts.split(form)[name];
  const zone = (...params: FormSource[]) => part(seat([node("zone", { params })]));

  it("type, limits, key and how much is inside, never what tells nodes apart", () => {
    expect(itemParts.describe(part(seat([level(10)]), "params.level"), [])).toBe("Integer, 0…10, key OEM_level");
    expect(itemParts.describe(zone(node("fan"), level(1)), [])).toBe("Struct, key OEM_zone, 2 inside");
    expect(itemParts.describe(undefined, [zone()])).toBe("not there");
    expect([itemParts.describe("", []), itemParts.describe(true, [])]).toEqual(["(empty)", "yes"]);
  });

  it("with what is different inside", () => {
    const [before, after] = [zone(node("fan"), level(10)), zone(level(20), node("deep", { params: [node("end")] }))];
    expect(itemParts.describe(before, [after])).toBe(
      "Struct, key OEM_zone, 2 inside; fan: Integer, key OEM_fan; level: Integer, 0…10, key OEM_level; " +
        "deep: not there; deep › end: not there",
    );
    expect(itemParts.describe(after, [before, before])).toContain("deep › end: Integer, key OEM_end; fan: not there");
    const many = Array.from({ length: 9 }, (_, at) => node(`n${at}`));
    expect(itemParts.describe(zone(...many), [zone()])).toMatch(/n5: [^;]*; and 3 more$/);
  });
});
