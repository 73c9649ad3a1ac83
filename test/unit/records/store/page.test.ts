import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { AppError } from "@/lib/platform/errors";
import { byLowerCase } from "@/lib/vocabulary/order";
import { loadPage, type Page, type Paging } from "@/lib/records/store/page";
import { filterText, listSorts, promoteBody } from "@/lib/records/store/query";

interface Item {
  readonly id: number;
  readonly key: string;
  readonly isShown: boolean;
}

function source(items: readonly Item[], paging: Paging) {
  return {
    heads: items.map(({ id, key }) => ({ id, key })),
    paging,
    compareKeys: byLowerCase,
    load: vi.fn((ids: readonly number[]) => Promise.resolve(items.filter(({ id }) => ids.includes(id)).reverse())),
    isShown: (item: Item) => item.isShown,
    searchTexts: ({ key }: Item) => [key, null],
  };
}

const items = fc
  .uniqueArray(fc.record({ key: fc.string(), isShown: fc.boolean() }), { selector: ({ key }) => key, maxLength: 40 })
  .map((list) => list.map((item, index) => ({ ...item, id: index + 1 })));

it.each([
  ["abcde", "abcde"],
  [" abcde ", "abcde"],
  ["abcdef", undefined],
  ["", undefined],
  ["a\u0000", undefined],
])("a text that filters a list: %j of at most 5 counts as %j", (given, counted) => {
  expect(filterText(5).parse(given)).toBe(counted);
});

describe("pages of a list", () => {
  it("make up the whole list, whatever the keys, the order and the limit", async () => {
    const [sorts, limits] = [fc.constantFrom(...listSorts), fc.integer({ min: 1, max: 10 })];
    const property = fc.asyncProperty(items, sorts, limits, async (all, sort, limit) => {
      const whole = await loadPage(source(all, { sort }));
      expect(whole.nextCursor).toBeUndefined();
      const found: Item[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const page: Page<Item> = await loadPage(source(all, { sort, limit, cursor }));
        expect(page.items.length).toBeLessThanOrEqual(limit);
        found.push(...page.items);
        cursor = page.nextCursor;
      }
      expect(found).toEqual(whole.items);
      expect(found).toHaveLength(all.filter(({ isShown }) => isShown).length);
    });
    await fc.assert(property);
  });

  it("read no more batches than needed", async () => {
    const all = Array.from({ length: 1000 }, (_, index) => ({ id: index + 1, key: `k${index}`, isShown: true }));
    const wanted = source(all, { sort: "id", limit: 10 });
    await loadPage(wanted);
    expect(wanted.load).toHaveBeenCalledOnce();
    const whole = source(all, { sort: "id" });
    await loadPage(whole);
    expect(whole.load).toHaveBeenCalledOnce();
  });

  it("refuse a cursor of another order and made-up ones", async () => {
    const all = [1, 2].map((id) => ({ id, key: `k${id}`, isShown: true }));
    const { nextCursor } = await loadPage(source(all, { sort: "id", limit: 1 }));
    const cursors = [nextCursor ?? "", "", "\u0000", "W10", Buffer.from('["name",{},1]').toString("base64url")];
    for (const cursor of cursors) {
      await expect(loadPage(source(all, { sort: "name", limit: 1, cursor }))).rejects.toThrow(AppError);
    }
  });
});

describe("body of a promotion (0.8, 11.5)", () => {
  it.each([
    [5, [5]],
    ["7", [7]],
    [
      [1, "2", -3],
      [1, 2, -3],
    ],
    [[], []],
  ])("takes %j", (id, ids) => expect(promoteBody.parse({ id, other: {} })).toEqual({ id: ids, force: false }));

  it.each([undefined, null, true, "", " 1", "1e3", 1.5, 1e99, {}, [[1]], ["x"], [null]])("refuses %j", (id) => {
    expect(promoteBody.safeParse({ id }).error?.issues[0]?.message).toBe("id must be an integer or a list of integers");
  });
});
