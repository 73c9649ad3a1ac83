import { expect, it } from "vitest";
import { gather } from "@/lib/platform/db/gather";

it("does what comes meanwhile together, at most so many at once, and loses nothing", async () => {
  const batches: (readonly number[])[] = [];
  const double = gather(3, async (items: readonly number[]) => {
    batches.push(items);
    await Promise.resolve();
    return items.length;
  });
  const sizes = await Promise.all([1, 2, 3, 4, 5, 6].map((item) => double(item)));
  expect(batches).toEqual([[1], [2, 3, 4], [5, 6]]);
  expect(sizes).toEqual([1, 3, 3, 3, 2, 2]);
  expect(await double(7)).toBe(1);
});

it("fails those that were done together, and goes on with others", async () => {
  const store = gather(2, (items: readonly string[]) =>
    items.includes("bad") ? Promise.reject(new Error("refused")) : Promise.resolve(items),
  );
  const results = await Promise.allSettled(["first", "bad", "beside", "later"].map((item) => store(item)));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
});
