import { ObjectId } from "mongodb";
import { expect, it } from "vitest";
import { withServer } from "./support";

const { client, db } = withServer();

async function orders() {
  const collection = db().collection<any>("orders");
  await collection.insertMany([
    { _id: 1, item: "bolt", price: 2, sizes: ["S", "M"], by: { id: 1 } },
    { _id: 2, item: "bolt", price: 3, sizes: ["L"], by: { id: 2 } },
    { _id: 3, item: "nut", price: 5, sizes: [], by: { id: 1 } },
    { _id: 4, item: "nut", price: 7, by: { id: 9 } },
  ]);
  const people = db().collection<any>("people");
  await people.insertMany([
    { _id: 1, name: "Ann" },
    { _id: 2, name: "Bob" },
  ]);
  return collection;
}

const cases: [title: string, pipeline: object[], result: object[]][] = [
  [
    "groups with accumulators",
    [
      { $group: { _id: "$item", sum: { $sum: "$price" }, top: { $max: "$price" }, ids: { $push: "$_id" } } },
      { $sort: { _id: 1 } },
    ],
    [
      { _id: "bolt", sum: 5, top: 3, ids: [1, 2] },
      { _id: "nut", sum: 12, top: 7, ids: [3, 4] },
    ],
  ],
  [
    "takes the newest of each group",
    [
      { $sort: { _id: -1 } },
      { $group: { _id: { item: "$item" }, first: { $first: "$$ROOT" } } },
      { $replaceRoot: { newRoot: "$first" } },
      { $project: { price: 1 } },
      { $sort: { _id: 1 } },
    ],
    [
      { _id: 2, price: 3 },
      { _id: 4, price: 7 },
    ],
  ],
  [
    "unwinds",
    [{ $unwind: "$sizes" }, { $project: { sizes: 1 } }],
    [
      { _id: 1, sizes: "S" },
      { _id: 1, sizes: "M" },
      { _id: 2, sizes: "L" },
    ],
  ],
  [
    "unwinds and keeps empty arrays",
    [
      { $match: { item: "nut" } },
      { $unwind: { path: "$sizes", preserveNullAndEmptyArrays: true, includeArrayIndex: "at" } },
      { $unset: ["by", "price", "item"] },
    ],
    [
      { _id: 3, at: null },
      { _id: 4, at: null },
    ],
  ],
  [
    "looks up by field",
    [
      { $lookup: { from: "people", localField: "by.id", foreignField: "_id", as: "who" } },
      { $project: { _id: 0, who: "$who.name" } },
    ],
    [{ who: ["Ann"] }, { who: ["Bob"] }, { who: ["Ann"] }, { who: [] }],
  ],
  [
    "looks up the elements of an array, and nothing for those that are not there",
    [
      { $match: { _id: { $lte: 2 } } },
      { $project: { ids: { $concatArrays: [["$by.id"], [7]] } } },
      { $lookup: { from: "people", localField: "ids", foreignField: "_id", as: "who" } },
      { $project: { _id: 0, who: 1 } },
    ],
    [{ who: [{ _id: 1, name: "Ann" }] }, { who: [{ _id: 2, name: "Bob" }] }],
  ],
  ["counts nothing where nothing is", [{ $skip: 1 }, { $match: { item: "nail" } }, { $count: "n" }], []],
  [
    "looks up by pipeline and variables",
    [
      {
        $lookup: {
          from: "people",
          let: { id: "$by.id" },
          pipeline: [{ $match: { $expr: { $eq: ["$_id", "$$id"] } } }, { $project: { _id: 0 } }],
          as: "who",
        },
      },
      { $match: { who: { $ne: [] } } },
      { $limit: 1 },
      { $project: { who: 1 } },
    ],
    [{ _id: 1, who: [{ name: "Ann" }] }],
  ],
  [
    "runs facets beside each other",
    [
      {
        $facet: {
          count: [{ $count: "n" }],
          set: [{ $set: { "by.id": 0 } }, { $limit: 1 }, { $project: { by: 1 } }],
          items: [{ $group: { _id: "$item", count: { $sum: 1 } } }],
          unchanged: [{ $skip: 3 }, { $project: { _id: 0, id: "$by.id" } }],
        },
      },
    ],
    [
      {
        count: [{ n: 4 }],
        set: [{ _id: 1, by: { id: 0 } }],
        items: [
          { _id: "bolt", count: 2 },
          { _id: "nut", count: 2 },
        ],
        unchanged: [{ id: 9 }],
      },
    ],
  ],
  [
    "computes fields",
    [
      { $match: { _id: { $lte: 2 } } },
      {
        $addFields: {
          total: { $multiply: ["$price", 10] },
          kind: { $cond: [{ $gt: ["$price", 2] }, "dear", "cheap"] },
        },
      },
      { $project: { total: 1, kind: 1, sizes: { $size: "$sizes" } } },
    ],
    [
      { _id: 1, total: 20, kind: "cheap", sizes: 2 },
      { _id: 2, total: 30, kind: "dear", sizes: 1 },
    ],
  ],
];

it.each(cases)("%s", async (_title, pipeline, result) => {
  expect(await (await orders()).aggregate(pipeline).toArray()).toEqual(result);
});

it("groups by object ids and dates by their value", async () => {
  const items = db().collection<any>("items");
  const id = new ObjectId();
  await items.insertMany([{ k: id }, { k: new ObjectId(id.toHexString()) }, { k: new Date(5) }, { k: new Date(5) }]);
  const groups = await items.aggregate([{ $group: { _id: "$k", n: { $sum: 1 } } }]).toArray();
  const expected = [
    { _id: id, n: 2 },
    { _id: new Date(5), n: 2 },
  ];
  expect(groups).toEqual(expected);
  const facets = [{ $facet: { a: [{ $group: { _id: "$k", n: { $sum: 1 } } }, { $sort: { _id: 1 } }] } }];
  expect(await items.aggregate(facets).toArray()).toEqual([{ a: expected }]);
});

it("reads the snapshot of a transaction, in looked-up collections too", async () => {
  const collection = await orders();
  await client().withSession(async (session) => {
    session.startTransaction();
    await collection.findOne({}, { session });
    await db()
      .collection<any>("people")
      .updateOne({ _id: 1 }, { $set: { name: "Zoe" } });
    const pipeline = [
      { $match: { _id: 1 } },
      { $lookup: { from: "people", localField: "by.id", foreignField: "_id", as: "who" } },
      { $project: { _id: 0, who: "$who.name" } },
    ];
    expect(await collection.aggregate(pipeline, { session }).toArray()).toEqual([{ who: ["Ann"] }]);
    expect(await collection.aggregate(pipeline).toArray()).toEqual([{ who: ["Zoe"] }]);
    await session.abortTransaction();
  });
});
