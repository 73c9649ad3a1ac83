import { setTimeout as wait } from "node:timers/promises";
import mongoose from "mongoose";
import { afterEach, expect, it } from "vitest";
import { withDatabase } from "@/test/support/database";
import { isWhole } from "@/test/support/extent";
import { usesSecondEngine } from "@/test/support/second-engine";

/* What the engine no longer does wrong goes from docs/second-engine.md and `second-engine-excuses.ts`. */

withDatabase({ prepare: false });
const collection = () => mongoose.connection.collection<{ _id: number; [member: string]: unknown }>("reproductions");
afterEach(() => collection().drop());

const expectOf = <T>(found: T, { right, there }: { right: T; there: T }) =>
  expect(found).toEqual(usesSecondEngine ? there : right);

it("E1: $lte on a member in the middle of an index finds the equal ones, too", async () => {
  await collection().insertMany([1, 2, 3].map((n) => ({ _id: n, kind: "a", n, name: "x" })));
  await collection().createIndex({ kind: 1, n: 1, name: 1 }, {}, {});
  const found = await collection()
    .find({ kind: "a", n: { $lte: 2 } })
    .toArray();
  expectOf(found.map(({ _id }) => _id).toSorted(), { right: [1, 2], there: [1] });
});

it("E2: a filter by _id and another member is planned with the index of _id", async () => {
  await collection().insertMany([{ _id: 1, n: 1 }]);
  const find = { find: collection().collectionName, filter: { _id: 1, n: 1 } };
  const plan = await mongoose.connection.db?.command({ explain: find, verbosity: "queryPlanner" });
  expectOf(JSON.stringify(plan?.queryPlanner.winningPlan).includes("COLLSCAN"), { right: false, there: true });
});

it.runIf(usesSecondEngine && isWhole)(
  "E3: an abandoned transaction ends with the next statement of another one, not by time",
  async () => {
    await collection().insertMany([{ _id: 1, n: 1 }]);
    const abandoned = mongoose.connection.getClient().startSession();
    abandoned.startTransaction();
    await collection().updateOne({ _id: 1 }, { $set: { n: 2 } }, { session: abandoned });
    let isWritten = false;
    const writing = collection()
      .updateOne({ _id: 1 }, { $set: { n: 3 } })
      .then(() => (isWritten = true));
    // MongoDB ends it after 60 s, and looks for such ones every second.
    await wait(75_000);
    expect(isWritten).toBe(false);
    await mongoose.connection.transaction((session) => collection().findOne({ _id: 1 }, { session }));
    await writing;
    await abandoned.endSession();
  },
);

it("E4: distinct looks into the documents of an array", async () => {
  await collection().insertMany([{ _id: 1, list: [{ iso: "AT" }, { iso: "DE" }] }]);
  expectOf<unknown[]>(await collection().distinct("list.iso"), { right: ["AT", "DE"], there: [] });
});
