import { expect, it } from "vitest";
import { withServer } from "./support";

const { db, client } = withServer();

it.each([
  [{ mapReduce: "x" }, 59],
  [{ find: "x", tailable: true }, 40415],
  [{ find: "x", hint: "_id_" }, 40415],
  [{ find: "x", skip: 1 }, 40415],
  [{ find: "x", limit: -1 }, 2],
  [{ find: "x", filter: { $nor: [{ a: 1 }] } }, 2],
  [{ find: "x", filter: { $comment: "a" } }, 2],
  [{ find: "x", filter: { a: { $type: "string" } } }, 2],
  [{ find: "x", filter: { a: { $size: 1 } } }, 2],
  [{ find: "x", filter: { a: { $all: [1] } } }, 2],
  [{ find: "x", filter: { a: { $elemMatch: { b: 1 } } } }, 2],
  [{ find: "x", projection: { a: { b: 1 } } }, 2],
  [{ count: "x" }, 59],
  [{ explain: { update: "x", updates: [] } }, 2],
  [{ dropIndexes: "x", index: "*" }, 59],
  [{ listDatabases: 1 }, 59],
  [{ findAndModify: "x", remove: true, sort: { a: 1 } }, 40415],
  [{ findAndModify: "x", update: { $set: { a: 1 } }, fields: { a: 1 } }, 40415],
  [{ update: "x", updates: [{ q: {}, u: { $set: { a: 1 } }, arrayFilters: [] }] }, 40415],
  [{ aggregate: "x", pipeline: [{ $match: {} }, { $match: {} }], cursor: {} }, 40324],
  [{ aggregate: "x", pipeline: [{ $skip: 1 }], cursor: {} }, 40324],
  [{ find: "x", filter: { $where: "1" } }, 2],
  [{ find: "x", filter: { a: { $near: [0, 0] } } }, 2],
  [{ find: "x", filter: { $expr: { $gt: ["$a", 1] } } }, 2],
  [{ find: "x", filter: { a: { $regex: "(" } } }, 51091],
  [{ find: "x", collation: { locale: "de" } }, 40415],
  [{ find: "x", sort: { a: 2 } }, 2],
  [{ aggregate: "x", pipeline: [{ $out: "y" }], cursor: {} }, 40324],
  [{ aggregate: "x", pipeline: [{ $match: {}, $limit: 1 }], cursor: {} }, 40323],
  [{ aggregate: "x", pipeline: [{ $unionWith: "y" }], cursor: {} }, 40324],
  [{ aggregate: "x", pipeline: [{ $facet: {} }], cursor: {} }, 40324],
  [{ aggregate: "x", pipeline: [{ $lookup: { from: "y", as: "b" } }], cursor: {} }, 40324],
  [{ aggregate: "x", pipeline: [{ $unwind: "$a" }], cursor: {} }, 40324],
  [{ aggregate: "x", pipeline: [{ $project: { a: 1 } }], cursor: {} }, 40324],
  [{ aggregate: "x", pipeline: [{ $limit: 1 }, { $sort: { a: 1 } }], cursor: {} }, 40324],
  [{ aggregate: "x", pipeline: [{ $count: "n" }, { $match: {} }], cursor: {} }, 40324],
  [{ aggregate: "x", pipeline: [{ $count: "$n" }], cursor: {} }, 9],
  [{ aggregate: "x", pipeline: [{ $group: {} }], cursor: {} }, 15955],
  [{ aggregate: "x", pipeline: [{ $group: { _id: "$a.b" } }], cursor: {} }, 168],
  [{ aggregate: "x", pipeline: [{ $group: { _id: { a: "$a" } } }], cursor: {} }, 168],
  [{ aggregate: "x", pipeline: [{ $group: { _id: null, a: 1 } }], cursor: {} }, 40234],
  [{ aggregate: "x", pipeline: [{ $group: { _id: null, a: { $first: "$$ROOT" } } }], cursor: {} }, 168],
  // Finding C5: over mixed types and large longs these were wrong.
  [{ aggregate: "x", pipeline: [{ $group: { _id: null, a: { $max: "$a" } } }], cursor: {} }, 15952],
  [{ aggregate: "x", pipeline: [{ $group: { _id: null, a: { $min: "$a" } } }], cursor: {} }, 15952],
  [{ aggregate: "x", pipeline: [{ $group: { _id: null, a: { $sum: "$a" } } }], cursor: {} }, 15952],
  [{ aggregate: "x", pipeline: [] }, 9],
  [{ find: "x", filter: { a: { $mod: [2, 0] } } }, 2],
  [{ find: "x", projection: { "a.$": 1 } }, 2],
  [{ find: "x", projection: { a: { $slice: 1 } } }, 2],
  [{ find: "x", projection: { a: { $elemMatch: { b: 1 } } } }, 2],
  [{ find: "x", projection: { a: { $add: [1, 2] } } }, 2],
  [{ find: "x", projection: { a: 1, b: 0 } }, 31254],
  [{ serverStatus: 1 }, 59],
  [{ update: "x", updates: [{ q: {}, u: { $set: {} }, sort: {} }] }, 40415],
  [{ insert: "x", documents: [] }, 16],
  [{ createIndexes: "x", indexes: [{ key: { a: "text" }, name: "t" }] }, 67],
  [{ createIndexes: "x", indexes: [{ key: { a: 1 }, name: "t", expireAfterSeconds: 5 }] }, 197],
  [{ createIndexes: "x", indexes: [{ key: { a: 1 }, name: "t", sparse: true }] }, 197],
  [{ createIndexes: "x", indexes: [{ key: { a: 1 }, name: "t", partialFilterExpression: {} }] }, 197],
  [{ listIndexes: "nowhere" }, 26],
  [{ commitTransaction: 1 }, 251],
  [{ create: "a$b" }, 73],
] as const)("refuses %j with code %i", async (command, code) => {
  await expect(db().command(command)).rejects.toMatchObject({ code });
});

it.each([
  [{ $nonsense: { a: 1 } }, 9],
  [[{ $set: { a: 1 } }], 9],
  [{ $bit: { a: { or: 1 } } }, 9],
  [{ $currentDate: { a: true } }, 9],
  [{ $rename: { s: "t" } }, 9],
  [{ $inc: { s: 1 } }, 14],
  [{ $mul: { n: 2 } }, 9],
  [{ $min: { n: 2 } }, 9],
  [{ $push: { l: 1 } }, 9],
  [{ $addToSet: { l: 1 } }, 9],
  [{ $pull: { l: 1 } }, 9],
  [{ $pullAll: { l: [1] } }, 9],
  [{ $pop: { l: 1 } }, 9],
  [{ $set: { a: 1 }, $inc: { a: 1 } }, 40],
  [{ $set: { "s.x": 1 } }, 2],
  [{ $unset: { "s.x": 1 } }, 2],
  [{ $inc: { "l.0": 1 } }, 2],
  [{ $set: { "l.$": 1 } }, 2],
  [{ $set: { "": 1 } }, 56],
  [{ $set: { $a: 1 } }, 52],
] as const)("refuses the update %j with code %i and leaves the document alone", async (update, code) => {
  const items = db().collection<any>("items");
  await items.insertOne({ _id: 1, s: "text", l: [1] });
  await expect(items.updateOne({ _id: 1 }, update as any)).rejects.toMatchObject({ code });
  expect(await items.findOne()).toEqual({ _id: 1, s: "text", l: [1] });
});

it("refuses to create what exists with other options", async () => {
  const items = await db().createCollection("items");
  await expect(db().createCollection("items")).rejects.toMatchObject({ code: 48 });
  await items.createIndexes([{ key: { a: 1 }, name: "first" }]);
  await expect(items.createIndexes([{ key: { a: 1 }, name: "second" }])).rejects.toMatchObject({ code: 85 });
  await expect(items.createIndexes([{ key: { b: 1 }, name: "first" }])).rejects.toMatchObject({ code: 86 });
  await expect(
    items.createIndexes([{ key: { x: 1, y: 1 } }]).then(() => items.insertOne({ x: [1], y: [1] })),
  ).rejects.toMatchObject({ code: 171 });
});

it("refuses a write concern it cannot meet", async () => {
  const wanting = client()
    .db("concern")
    .collection("items", { writeConcern: { w: 3 } });
  await expect(wanting.insertOne({})).rejects.toMatchObject({ code: 100 });
});

it("says who it is and lists what it holds", async () => {
  await db().collection("b").insertOne({});
  expect(await db().command({ buildInfo: 1 })).toMatchObject({ version: "7.0.14" });
  expect(await db().command({ hello: 1 })).toMatchObject({ isWritablePrimary: true, maxWireVersion: 21 });
  expect(await db().listCollections().toArray()).toMatchObject([{ name: "b", type: "collection" }]);
  await db().dropDatabase();
  expect(await db().listCollections().toArray()).toEqual([]);
});
