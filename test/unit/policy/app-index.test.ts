import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppIndex } from "@/lib/policy/snapshot/app-index";
import { Interner } from "@/lib/policy/documents/interner";
import { ShardedMap } from "@/lib/policy/snapshot/sharded-map";
import { anApp } from "@/test/support/builders";

it("the map behind the apps: behaves like a Map, and no older copy ever changes", () => {
  const change = fc.record({ key: fc.integer({ min: 0, max: 40 }).map(String), value: fc.option(fc.integer()) });
  fc.assert(
    fc.property(fc.array(fc.array(change)), (rounds) => {
      let map = new ShardedMap<number>();
      const model = new Map<string, number>();
      const history: { readonly map: ShardedMap<number>; readonly content: Map<string, number> }[] = [];
      for (const changes of rounds) {
        const editor = map.edit();
        for (const { key, value } of changes) {
          if (value === null) {
            editor.delete(key);
            model.delete(key);
          } else {
            editor.set(key, value);
            model.set(key, value);
          }
        }
        map = editor.finish();
        history.push({ map, content: new Map(model) });
      }
      for (const { map: past, content } of history) {
        expect(past.size).toBe(content.size);
        expect([...past.values()].toSorted()).toEqual([...content.values()].toSorted());
        for (let key = 0; key <= 40; key += 1) expect(past.get(String(key))).toBe(content.get(String(key)));
      }
    }),
  );
});

describe("the apps", () => {
  const app = (uuid: string, ...shortIds: string[]) =>
    anApp({ uuid, shortIds: shortIds.map((shortId, index) => ({ shortId, newestRecordId: index + 1 })) });
  const indexOf = (...apps: ReturnType<typeof app>[]) => {
    const editor = new AppIndex().edit();
    for (const each of apps) editor.put(each);
    return editor.finish();
  };

  it("are found by lower-cased ids (rule A2)", () => {
    const one = app("AAAA-1", "AB1");
    const index = indexOf(one);
    expect([index.byUuid("aaaa-1"), index.byShortId("ab1")]).toEqual([one, [one]]);
    expect([index.byUuid("AAAA-1"), index.byShortId("AB1")]).toEqual([undefined, []]);
  });

  it("are listed once under a short id that their records write in two ways", () =>
    expect(indexOf(app("a", "AB1", "ab1")).byShortId("ab1")).toHaveLength(1));

  it("leave a short id they no longer carry", () => {
    const editor = indexOf(app("a", "old"), app("b", "old")).edit();
    editor.put(app("A", "new"));
    const index = editor.finish();
    expect(index.size).toBe(2);
    expect(index.byShortId("old").map(({ uuid }) => uuid)).toEqual(["b"]);
    expect(index.byShortId("new").map(({ uuid }) => uuid)).toEqual(["A"]);
  });

  it("can be removed, and removing an unknown one does nothing", () => {
    const editor = indexOf(app("a", "s")).edit();
    editor.remove("unknown");
    editor.remove("a");
    const index = editor.finish();
    expect([index.size, index.byUuid("a"), index.byShortId("s")]).toEqual([0, undefined, []]);
  });
});

it("sharing of equal values: makes equal lists one list, and tells different ones apart", () => {
  const interner = new Interner();
  const first = interner.list([{ key: "gps", hmiLevel: "HMI_FULL" }]);
  expect(interner.list([{ key: "gps", hmiLevel: "HMI_FULL" }])).toBe(first);
  expect(interner.list([{ key: "gps", hmiLevel: "HMI_NONE" }])).not.toEqual(first);
  expect(interner.list([])).toEqual([]);
  expect(interner.list(["1", "2"])).not.toEqual(interner.list(["2", "1"]));
});
