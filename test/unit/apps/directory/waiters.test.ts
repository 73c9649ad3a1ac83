import { expect, it } from "vitest";
import { Waiters } from "@/lib/apps/directory/queue/workers";

it("tells everybody who waits for an app, once", async () => {
  const waiters = new Waiters();
  const ends = [waiters.add("a"), waiters.add("a"), waiters.add("b")];
  waiters.settle("applied", ["a"]);
  waiters.settle("waiting");
  expect(await Promise.all(ends)).toEqual(["applied", "applied", "waiting"]);
});

it("hands over who waits for some apps, or for any", async () => {
  const [first, second] = [new Waiters(), new Waiters()];
  const ends = [first.add("a"), first.add("b"), second.add("a"), first.add("c")];
  first.moveTo(second, ["a", "unknown"]);
  second.settle("applied");
  first.moveTo(second);
  first.settle("applied");
  second.settle("waiting", ["b", "c"]);
  expect(await Promise.all(ends)).toEqual(["applied", "waiting", "applied", "waiting"]);
});
