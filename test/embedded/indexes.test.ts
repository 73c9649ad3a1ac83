import { Double } from "bson";
import fc from "fast-check";
import { expect, it } from "vitest";
import { compileFilter } from "@/embedded/query/matcher";
import { planQuery } from "@/embedded/query/planner";
import { parseSort, sortByFields } from "@/embedded/query/sort";
import { Collection } from "@/embedded/storage/collection";
import { CollectionIndex } from "@/embedded/storage/collection-index";
import { encodeDoc, toStoredDocument } from "@/embedded/values/bson-bytes";
import { encodeValue } from "@/embedded/values/key-encoding";
import type { Doc } from "@/embedded/values/values";
import { runs } from "@/test/support/extent";
import { withServer } from "./support";

const { db } = withServer();

function thousand(indexes: readonly Doc[]): Collection {
  const items = new Collection(1, "db", "items");
  for (let n = 0; n < 1000; n++) {
    const doc = { _id: n, name: `n${n % 100}`, status: n % 3 ? "new" : "old", n: new Double(n), tags: [n, -n] };
    const { id, bytes } = toStoredDocument(encodeDoc(doc));
    const idKey = encodeValue(id);
    items.put(idKey, { idKey, order: items.allotOrder(), bytes }, []);
  }
  for (const spec of indexes) {
    const index = new CollectionIndex(spec);
    index.build(items.documents.values(), items.namespace);
    items.indexes.set(index.name, index);
  }
  return items;
}

it("uses the index that leaves the least to look at", () => {
  const items = thousand([
    { key: { status: 1 }, name: "status" },
    { key: { name: 1, status: 1, _id: -1 }, name: "compound" },
    { key: { n: 1 }, name: "n", unique: true },
    { key: { tags: 1 }, name: "tags" },
  ]);
  const plan = (filter: Doc, sort: Doc = {}, limit = 0) =>
    planQuery(items, { filter, sort: parseSort(sort), limit }) as object;
  const through = (name: string, entries: number, coversSort = true) => ({
    kind: "index",
    index: expect.objectContaining({ name }),
    entries,
    coversSort,
  });
  const newest = [{ _id: -1 }, 1] as const;
  expect(planQuery(thousand([]), { filter: { name: "n7" }, sort: [], limit: 0 })).toEqual({ kind: "collection" });
  expect(plan({ name: "n7" })).toMatchObject(through("compound", 10));
  expect(plan({ name: "n7", status: "new" }, ...newest)).toMatchObject(through("compound", 7));
  expect(plan({ n: 5 })).toMatchObject(through("n", 1));
  expect(plan({ n: { $in: [5, 6, 2000] } })).toMatchObject(through("n", 2));
  expect(plan({ n: { $gt: 5, $lte: 8 } })).toMatchObject(through("n", 3));
  expect(plan({}, { n: -1 }, 3)).toMatchObject({ ...through("n", 1000), isReverse: true });
  expect(plan({}, ...newest)).toMatchObject({ ...through("_id_", 1000), isReverse: true });
  expect(plan({ tags: 5 }, { n: 1 })).toMatchObject(through("tags", 1, false));
  expect(plan({ name: "n7", $or: [{ n: 7 }, { n: 107 }] })).toMatchObject(through("compound", 10));
  expect(plan({ $or: [{ n: 1 }, { name: "n2" }] })).toEqual({ kind: "collection" });
});

it("keeps unique and compound indexes", async () => {
  const items = db().collection<any>("items");
  await items.createIndexes([
    { key: { a: 1, b: 1 }, unique: true },
    { key: { s: 1 }, unique: true },
  ]);
  await items.insertMany([
    { _id: 1, a: 1, b: 1, s: 1 },
    { _id: 2, a: 1, b: 2, s: 2 },
    { _id: 3, a: 2, b: 1 },
  ]);
  await expect(items.insertOne({ a: 1, b: 2 })).rejects.toMatchObject({ code: 11000, keyValue: { a: 1, b: 2 } });
  await expect(items.insertOne({ a: 9, s: 1 })).rejects.toMatchObject({ code: 11000, keyPattern: { s: 1 } });
  await expect(items.insertOne({ a: 9 })).rejects.toMatchObject({ code: 11000, keyValue: { s: null } });
  await expect(items.updateOne({ _id: 1 }, { $set: { s: 2 } })).rejects.toMatchObject({ code: 11000 });
  await items.insertOne({ _id: 4, a: 1, b: 3, s: 4 });
  await expect(items.createIndexes([{ key: { a: 1 }, unique: true }])).rejects.toMatchObject({ code: 11000 });
  expect((await items.indexes()).map(({ name }) => name)).toEqual(["_id_", "a_1_b_1", "s_1"]);
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
  fc
    .tuple(fc.constantFrom("$gt", "$gte"), scalar, fc.constantFrom("$lt", "$lte"), scalar)
    .map(([low, x, high, y]) => ({ [low]: x, [high]: y })),
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
  limit: fc.integer({ min: 0, max: 5 }),
});

function without(documents: readonly Doc[], filter: Doc, order: Doc): Doc[] {
  const { matches } = compileFilter(filter);
  return sortByFields(documents.filter(matches), parseSort(order), (doc) => doc);
}

it.each([
  ["without arrays", scalar],
  ["with arrays", value],
])("finds the same documents in the same order with indexes as without (%s)", async (_title, field) => {
  let round = 0;
  const property = fc.asyncProperty(
    fc.array(document(field), { maxLength: 25 }),
    fc.uniqueArray(pattern, { minLength: 1, maxLength: 4, selector: (key) => JSON.stringify(key) }),
    fc.array(query, { minLength: 1, maxLength: 12 }),
    async (documents, indexes, queries) => {
      const indexed = db().collection<any>(`indexed${round++}`);
      for (const [at, key] of indexes.entries()) await indexed.createIndexes([{ key, name: `i${at}` }]);
      for (const [_id, doc] of documents.entries()) {
        // Two arrays in one document fit no compound index; such documents are left out.
        await indexed.insertOne({ _id, ...doc }).catch(() => undefined);
      }
      const all = await indexed.find().toArray();
      for (const { filter, sort, isTotal, limit } of queries) {
        // Only a total order says what a limit leaves; without one both must hold the same documents.
        const order = isTotal ? { ...sort, _id: 1 as const } : sort;
        const matching = without(all, filter, order);
        const found = await indexed.find(filter, { sort: order, limit: isTotal ? limit : 0 }).toArray();
        const byId = (x: Doc, y: Doc) => Number(x._id) - Number(y._id);
        if (isTotal) expect(found).toEqual(limit > 0 ? matching.slice(0, limit) : matching);
        else expect(found.toSorted(byId)).toEqual(matching.toSorted(byId));
        expect(await indexed.countDocuments(filter)).toBe(matching.length);
      }
      await indexed.drop();
    },
  );
  await fc.assert(property, { numRuns: runs(60) });
});

it("keeps indexes right through random updates and deletes", async () => {
  let round = 0;
  const change = fc.record({ id: fc.integer({ min: 0, max: 9 }), doc: fc.option(document(scalar)) });
  const property = fc.asyncProperty(fc.array(change, { maxLength: 40 }), pattern, async (changes, fields) => {
    const items = db().collection<any>(`changing${round++}`);
    const key = { ...fields, _id: 1 as const };
    await items.createIndexes([{ key, name: "changing" }]);
    for (const { id, doc } of changes) {
      if (doc) await items.replaceOne({ _id: id }, doc, { upsert: true });
      else await items.deleteOne({ _id: id });
    }
    expect(await items.find({}, { sort: key }).toArray()).toEqual(without(await items.find().toArray(), {}, key));
    await items.drop();
  });
  await fc.assert(property, { numRuns: runs(40) });
});
