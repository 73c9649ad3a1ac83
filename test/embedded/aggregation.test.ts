import { Decimal128, Double, Long, ObjectId } from "mongodb";
import { expect, it } from "vitest";
import { withServer } from "./support";

const { client, db } = withServer();

async function orders() {
  const collection = db().collection<any>("orders");
  await collection.insertMany([
    { _id: 1, item: "bolt", price: 2 },
    { _id: 2, item: "bolt", price: 3 },
    { _id: 3, item: "nut", price: 5 },
    { _id: 4, item: "nut", price: 7 },
    { _id: 5, price: 1 },
    { _id: 6, item: null },
  ]);
  return collection;
}

const cases: [title: string, pipeline: object[], result: object[]][] = [
  [
    "takes the newest of each group",
    [{ $match: { _id: { $lt: 5 } } }, { $sort: { _id: -1 } }, { $group: { _id: "$item", first: { $first: "$_id" } } }],
    [
      { _id: "nut", first: 4 },
      { _id: "bolt", first: 2 },
    ],
  ],
  [
    "counts by a field; a missing one is as null",
    [{ $group: { _id: "$item", n: { $sum: 1 }, price: { $first: "$price" } } }],
    [
      { _id: "bolt", n: 2, price: 2 },
      { _id: "nut", n: 2, price: 5 },
      { _id: null, n: 2, price: 1 },
    ],
  ],
  ["takes the first of all", [{ $group: { _id: null, price: { $first: "$price" } } }], [{ _id: null, price: 2 }]],
  [
    "a field that the first one lacks is null",
    [{ $match: { _id: 6 } }, { $group: { _id: 1, p: { $first: "$price" } } }],
    [{ _id: 1, p: null }],
  ],
  ["counts all", [{ $group: { _id: 1, n: { $sum: 1 } } }], [{ _id: 1, n: 6 }]],
  ["counts nothing", [{ $match: { _id: 9 } }, { $group: { _id: 1, n: { $sum: 1 } } }], []],
  ["counts into a field", [{ $match: { item: "nut" } }, { $count: "n" }], [{ n: 2 }]],
  [
    "sorts",
    [{ $match: { item: "bolt" } }, { $sort: { _id: -1 } }],
    [
      { _id: 2, item: "bolt", price: 3 },
      { _id: 1, item: "bolt", price: 2 },
    ],
  ],
];

it.each(cases)("%s", async (_title, pipeline, result) => {
  expect(await (await orders()).aggregate(pipeline).toArray()).toEqual(result);
});

it("groups by value, and keeps the types of values", async () => {
  const items = db().collection<any>("items");
  const id = new ObjectId();
  await items.insertMany([{ k: id }, { k: new ObjectId(id.toHexString()) }, { k: new Date(5) }, { k: new Date(5) }]);
  expect(await items.aggregate([{ $group: { _id: "$k", n: { $sum: 1 } } }]).toArray()).toEqual([
    { _id: id, n: 2 },
    { _id: new Date(5), n: 2 },
  ]);
  const values = [Long.fromString("9007199254740993"), new Double(2), Decimal128.fromString("0.1")];
  const first = [{ $sort: { _id: -1 } }, { $group: { _id: null, v: { $first: "$v" } } }];
  for (const v of values) {
    await items.insertOne({ v });
    const [found] = await items.aggregate(first, { promoteValues: false }).toArray();
    expect(String(found?.v)).toBe(String(v));
    expect(found?.v._bsontype).toBe(v._bsontype);
  }
});

it("reads the snapshot of a transaction", async () => {
  const collection = await orders();
  await client().withSession(async (session) => {
    session.startTransaction();
    await collection.insertOne({ _id: 10, item: "nut" }, { session });
    const count = [{ $match: { item: "nut" } }, { $count: "n" }];
    expect(await collection.aggregate(count, { session }).toArray()).toEqual([{ n: 3 }]);
    expect(await collection.aggregate(count).toArray()).toEqual([{ n: 2 }]);
    await session.abortTransaction();
  });
});
