import fc from "fast-check";
import type { Collection, Document } from "mongodb";
import { expect, it } from "vitest";
import { runs } from "@/test/support/extent";
import { withServer } from "./support";

const { db } = withServer();

interface Stats {
  readonly stage: string;
  readonly indexName?: string;
  readonly sortsInMemory: boolean;
  readonly examined: number;
}

async function explain(items: Collection, filter: Document, options: Document = {}): Promise<Stats> {
  const answer = await items.find(filter, options).explain("executionStats");
  return { ...answer.queryPlanner.winningPlan, examined: answer.executionStats.totalDocsExamined };
}

async function thousand(): Promise<Collection<any>> {
  const items = db().collection<any>("items");
  await items.insertMany(
    Array.from({ length: 1000 }, (_, n) => ({ _id: n, name: `n${n % 100}`, status: n % 3 ? "new" : "old", n })),
  );
  return items;
}

it("uses the index that leaves the least to look at", async () => {
  const items = await thousand();
  expect(await explain(items, { name: "n7" })).toMatchObject({ stage: "COLLSCAN", examined: 1000 });
  await items.createIndexes([
    { key: { status: 1 } },
    { key: { name: 1, status: 1, _id: -1 } },
    { key: { n: 1 }, unique: true },
  ]);
  const compound = { stage: "IXSCAN", indexName: "name_1_status_1__id_-1", sortsInMemory: false };
  expect(await explain(items, { name: "n7" })).toMatchObject({ ...compound, examined: 10 });
  const newest = { sort: { _id: -1 }, limit: 1 };
  expect(await explain(items, { name: "n7", status: "new" }, newest)).toMatchObject({ ...compound, examined: 1 });
  expect(await explain(items, { n: 5 })).toMatchObject({ indexName: "n_1", examined: 1 });
  expect(await explain(items, { n: { $in: [5, 6, 2000] } })).toMatchObject({ indexName: "n_1", examined: 2 });
  expect(await explain(items, { n: { $gt: 5, $lte: 8 } })).toMatchObject({ indexName: "n_1", examined: 3 });
  expect(await explain(items, {}, { sort: { n: -1 }, limit: 3 })).toMatchObject({ indexName: "n_1", examined: 3 });
  expect(await explain(items, {}, newest)).toMatchObject({ indexName: "_id_", examined: 1 });
  expect(await explain(items, { $or: [{ n: 1 }, { name: "n2" }] })).toMatchObject({ stage: "OR", examined: 11 });
  expect(await explain(items, { n: 5 }, { hint: "status_1" })).toMatchObject({ indexName: "status_1", examined: 1000 });
  expect(await explain(items, { n: 5 }, { hint: { $natural: 1 } })).toMatchObject({ stage: "COLLSCAN" });
  await expect(items.find({}, { hint: "none" }).toArray()).rejects.toMatchObject({ code: 2 });
});

it("explains the leading stages of an aggregation and a count", async () => {
  const items = await thousand();
  await items.createIndexes([{ key: { name: 1 } }]);
  const pipeline = [{ $match: { name: "n7" } }, { $sort: { name: 1 } }, { $group: { _id: null, n: { $sum: 1 } } }];
  expect(await items.aggregate(pipeline).explain()).toMatchObject({
    queryPlanner: { winningPlan: { stage: "IXSCAN", indexName: "name_1" } },
    executionStats: { totalDocsExamined: 10 },
  });
  expect(await items.aggregate(pipeline).toArray()).toEqual([{ _id: null, n: 10 }]);
  const count = { explain: { count: "items", query: { name: "n7" } } };
  expect((await db().command(count)).queryPlanner.winningPlan).toMatchObject({ indexName: "name_1" });
});

it("keeps unique, compound, sparse and partial indexes", async () => {
  const items = db().collection<any>("items");
  await items.createIndexes([
    { key: { a: 1, b: 1 }, unique: true },
    { key: { s: 1 }, unique: true, sparse: true },
    { key: { p: 1 }, unique: true, partialFilterExpression: { p: { $type: "string" } }, name: "partial" },
  ]);
  await items.insertMany([
    { _id: 1, a: 1, b: 1, p: null },
    { _id: 2, a: 1, b: 2, p: null },
    { _id: 3, a: 2, b: 1, p: "x", s: 1 },
  ]);
  await expect(items.insertOne({ a: 1, b: 2 })).rejects.toMatchObject({ code: 11000, keyValue: { a: 1, b: 2 } });
  await expect(items.insertOne({ a: 9, s: 1 })).rejects.toMatchObject({ code: 11000, keyPattern: { s: 1 } });
  await expect(items.updateOne({ _id: 1 }, { $set: { p: "x" } })).rejects.toMatchObject({ code: 11000 });
  expect(await explain(items, { p: "x" })).toMatchObject({ indexName: "partial", examined: 1 });
  expect(await explain(items, { p: null })).toMatchObject({ stage: "COLLSCAN" });
  expect(await explain(items, { s: null })).toMatchObject({ stage: "COLLSCAN" });
  await items.dropIndex("a_1_b_1");
  await items.insertOne({ a: 1, b: 2, p: 5 });
  await expect(items.createIndexes([{ key: { a: 1, b: 1 }, unique: true }])).rejects.toMatchObject({ code: 11000 });
  expect((await items.indexes()).map(({ name }) => name)).toEqual(["_id_", "s_1", "partial"]);
});

const scalar = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom<unknown>(0.5, "", "a", "b", "\u{e000}", "\u{1f600}", null, true, new Date(0), { x: 1 }),
);
const value = fc.oneof({ weight: 5, arbitrary: scalar }, { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) });
const document = (field: fc.Arbitrary<unknown>) =>
  fc.record({ a: field, b: field, c: fc.record({ d: field }, { requiredKeys: [] }) }, { requiredKeys: [] });
const bound = fc.constantFrom("$eq", "$gt", "$gte", "$lt", "$lte", "$ne");
const condition = fc.oneof(
  scalar,
  fc.tuple(bound, scalar).map(([operator, operand]) => ({ [operator]: operand })),
  fc.tuple(fc.constantFrom("$gt", "$gte"), scalar, fc.constantFrom("$lt", "$lte"), scalar).map(([low, x, high, y]) => ({
    [low]: x,
    [high]: y,
  })),
  fc.array(scalar, { maxLength: 4 }).map((list) => ({ $in: list })),
  fc.boolean().map((wanted) => ({ $exists: wanted })),
);
const path = fc.constantFrom("a", "b", "c.d", "_id");
const plainFilter = fc.dictionary(path, condition, { maxKeys: 3 });
const filter = fc.oneof(
  { weight: 4, arbitrary: plainFilter },
  { weight: 1, arbitrary: fc.array(plainFilter, { minLength: 1, maxLength: 3 }).map((list) => ({ $or: list })) },
);
const direction = fc.constantFrom<1 | -1>(1, -1);
const pattern = fc
  .uniqueArray(fc.tuple(fc.constantFrom("a", "b", "c.d"), direction), {
    minLength: 1,
    maxLength: 3,
    selector: ([p]) => p,
  })
  .map((fields) => Object.fromEntries(fields));
const query = fc.record({
  filter,
  sort: fc.oneof(pattern, fc.constant({})),
  isTotal: fc.boolean(),
  skip: fc.integer({ min: 0, max: 2 }),
  limit: fc.integer({ min: 0, max: 5 }),
});
const options = fc.constantFrom({}, { sparse: true }, { partialFilterExpression: { a: { $exists: true } } });

it.each([
  ["without arrays", scalar],
  ["with arrays", value],
])("finds the same documents in the same order with indexes as without (%s)", async (_title, field) => {
  let round = 0;
  const property = fc.asyncProperty(
    fc.array(document(field), { maxLength: 25 }),
    fc.uniqueArray(fc.tuple(pattern, options), {
      minLength: 1,
      maxLength: 4,
      selector: ([key]) => JSON.stringify(key),
    }),
    fc.array(query, { minLength: 1, maxLength: 12 }),
    async (documents, indexes, queries) => {
      const plain = db().collection<any>(`plain${round}`);
      const indexed = db().collection<any>(`indexed${round++}`);
      // Two arrays in one document fit no compound index; such documents are left out of both.
      for (const [at, [key, more]] of indexes.entries())
        await indexed.createIndexes([{ key, name: `i${at}`, ...more }]);
      for (const [_id, doc] of documents.entries()) {
        const fits = await indexed.insertOne({ _id, ...doc }).then(
          () => true,
          () => false,
        );
        if (fits) await plain.insertOne({ _id, ...doc });
      }
      for (const { filter, sort, isTotal, skip, limit } of queries) {
        // Only a total order says what a limit leaves; without one both must hold the same documents.
        const order = isTotal ? { ...sort, _id: 1 as const } : sort;
        const cut = isTotal ? { skip, limit } : {};
        const expected = await plain.find(filter, { ...cut, sort: order, hint: { $natural: 1 } }).toArray();
        const found = await indexed.find(filter, { ...cut, sort: order }).toArray();
        const byId = (x: { _id: number }, y: { _id: number }) => x._id - y._id;
        if (isTotal) expect(found).toEqual(expected);
        else expect(found.toSorted(byId)).toEqual(expected.toSorted(byId));
        expect(await indexed.countDocuments(filter)).toBe(await plain.countDocuments(filter));
      }
      await plain.drop();
      await indexed.drop();
    },
  );
  await fc.assert(property, { numRuns: runs(60) });
});

it("keeps indexes right through random updates and deletes", async () => {
  let round = 0;
  const change = fc.record({ id: fc.integer({ min: 0, max: 9 }), doc: fc.option(document(scalar)) });
  const property = fc.asyncProperty(fc.array(change, { maxLength: 40 }), pattern, async (changes, key) => {
    const items = db().collection<any>(`changing${round++}`);
    await items.createIndexes([{ key, name: "changing" }]);
    for (const { id, doc } of changes) {
      if (doc) await items.replaceOne({ _id: id }, doc, { upsert: true });
      else await items.deleteOne({ _id: id });
    }
    const order = { ...key, _id: 1 as const };
    const throughIndex = await items.find({}, { sort: order, hint: "changing" }).toArray();
    expect(throughIndex).toEqual(await items.find({}, { sort: order, hint: { $natural: 1 } }).toArray());
    await items.drop();
  });
  await fc.assert(property, { numRuns: runs(40) });
});
