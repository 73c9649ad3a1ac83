import { expect, it } from "vitest";
import { isFrozen } from "@/lib/content/releases/freeze";

it("L14: a freeze holds from its first moment until its end, which is the first moment of publishing again", () => {
  const freeze = { from: new Date(1_000), to: new Date(2_000), reason: "Fair" };
  expect([999, 1_000, 1_999, 2_000].map((at) => isFrozen(freeze, new Date(at)))).toEqual([false, true, true, false]);
  expect(isFrozen(null, new Date(1_500))).toBe(false);
});
