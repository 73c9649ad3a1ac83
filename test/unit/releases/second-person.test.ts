import { expect, it } from "vitest";
import { isFrozen } from "@/lib/records/publishing/freeze";
import { partLength, requireAsApproved } from "@/lib/records/publishing/second-person";

const part = (content: string, name: string) => `${content.repeat(partLength)} ${name}`;
const digestOf = (...parts: readonly string[]) => ({ sum: parts.join(), parts });

function sayingOf(approved: readonly string[], now: readonly string[]): string | null {
  try {
    requireAsApproved(digestOf(...approved), digestOf(...now));
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

it("W5: says nothing of what is as it was approved", () =>
  expect(sayingOf([part("a", "app 1")], [part("a", "app 1")])).toBeNull());

it("W5: names once what came, went and changed, and nothing else", () => {
  const approved = [part("a", "app 1"), part("b", "group Doors"), part("c", "group Seats")];
  const now = [part("a", "app 1"), part("d", "group Doors"), part("e", "app 2")];
  expect(sayingOf(approved, now)).toContain("since it was asked for (app 2, group Doors, group Seats): it must");
});

it("W5: names five, and counts the others", () => {
  const names = ["1", "2", "3", "4", "5", "6", "7"].map((name) => part("a", `app ${name}`));
  expect(sayingOf([], names)).toBe(
    "What production would get has changed since it was asked for: it must be asked for again",
  );
  expect(sayingOf([part("b", "app 1")], names)).toContain("(app 1, app 2, app 3, app 4, app 5 and 2 more)");
});

it("L14: a freeze holds from its first moment until its end, which is the first moment of publishing again", () => {
  const freeze = { from: new Date(1_000), to: new Date(2_000), reason: "Fair" };
  expect([999, 1_000, 1_999, 2_000].map((at) => isFrozen(freeze, new Date(at)))).toEqual([false, true, true, false]);
  expect(isFrozen(null, new Date(1_500))).toBe(false);
});
