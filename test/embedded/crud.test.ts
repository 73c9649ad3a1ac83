import { Decimal128, Double, Int32, Long, ObjectId } from "mongodb";
import { expect, it } from "vitest";
import { withServer } from "./support";

const { db } = withServer();

it("keeps every number type through inserts and updates of other fields", async () => {
  const items = db().collection("items");
  const doc = { i: new Int32(1), d: new Double(2), l: Long.fromNumber(3), dec: Decimal128.fromString("4.50") };
  const { insertedId } = await items.insertOne(doc);
  await items.updateOne({ _id: insertedId }, { $set: { touched: true } });
  const found = await items.findOne({ _id: insertedId }, { promoteValues: false });
  expect(found).toEqual({ _id: insertedId, ...doc, touched: true });
});

it("adds an _id where there is none and puts it first", async () => {
  const items = db().collection<any>("items");
  await items.insertOne({ a: 1 }, { forceServerObjectId: true });
  await items.insertOne({ b: 2, _id: new ObjectId() });
  const found = await items.find().toArray();
  expect(found.map((item) => Object.keys(item)[0])).toEqual(["_id", "_id"]);
});

it("applies update operators as MongoDB does", async () => {
  const items = db().collection<any>("items");
  const cases: [before: object, update: object, after: object][] = [
    [{ n: 1 }, { $inc: { n: 2, m: 5 } }, { n: 3, m: 5 }],
    [{ n: 4 }, { $mul: { n: 2.5, m: 3 } }, { n: 10, m: 0 }],
    [{ n: 4 }, { $min: { n: 3, m: 1 }, $max: { o: 2 } }, { n: 3, m: 1, o: 2 }],
    [{ a: { b: 1 } }, { $set: { "a.c": 2 }, $unset: { "a.b": "" } }, { a: { c: 2 } }],
    [{ l: [1, 2] }, { $push: { l: { $each: [0, 3], $slice: -3 } } }, { l: [2, 0, 3] }],
    [{ l: [1, 2] }, { $push: { l: { $each: [9], $position: 0 } } }, { l: [9, 1, 2] }],
    [{ l: [1, 2] }, { $addToSet: { l: { $each: [2, 3] } } }, { l: [1, 2, 3] }],
    [{ l: [1, 2, 3] }, { $pull: { l: { $gte: 2 } } }, { l: [1] }],
    [{ l: [{ a: 1 }, { a: 2 }] }, { $pull: { l: { a: 2 } } }, { l: [{ a: 1 }] }],
    [{ l: [1, 2, 1] }, { $pullAll: { l: [1] } }, { l: [2] }],
    [{ l: [1, 2] }, { $pop: { l: -1 } }, { l: [2] }],
    [{ l: [1, 2] }, { $set: { "l.3": 9 } }, { l: [1, 2, null, 9] }],
    [{ l: [{ a: 1 }, { a: 2 }] }, { $inc: { "l.$[].a": 1 } }, { l: [{ a: 2 }, { a: 3 }] }],
  ];
  for (const [before, update, after] of cases) {
    const { insertedId } = await items.insertOne(before);
    await items.updateOne({ _id: insertedId }, update);
    expect(await items.findOne({ _id: insertedId }, { projection: { _id: 0 } })).toEqual(after);
  }
});

it("finds array elements by place and by filter", async () => {
  const items = db().collection<any>("items");
  await items.insertOne({
    _id: 1,
    l: [
      { k: "a", n: 1 },
      { k: "b", n: 2 },
      { k: "b", n: 3 },
    ],
  });
  await items.updateOne({ "l.k": "b" }, { $set: { "l.1.n": 20 } });
  await items.updateOne({ _id: 1 }, { $inc: { "l.$[x].n": 1 } }, { arrayFilters: [{ "x.n": { $lt: 10 } }] });
  expect((await items.findOne({}))?.l.map((element: { n: number }) => element.n)).toEqual([2, 20, 4]);
});

it("upserts from the equalities of the filter", async () => {
  const items = db().collection<any>("items");
  const result = await items.updateOne(
    { _id: "x", "a.b": 1, c: { $gt: 3 } },
    { $set: { d: 2 }, $setOnInsert: { e: 3 } },
    { upsert: true },
  );
  expect(result).toMatchObject({ upsertedId: "x", upsertedCount: 1, matchedCount: 0 });
  expect(await items.findOne()).toEqual({ _id: "x", a: { b: 1 }, d: 2, e: 3 });
  await items.replaceOne({ _id: "y" }, { z: 1 }, { upsert: true });
  expect(await items.findOne({ _id: "y" })).toEqual({ _id: "y", z: 1 });
});

it("counts an update that changes nothing as matched only", async () => {
  const items = db().collection<any>("items");
  await items.insertMany([{ a: 1 }, { a: 1 }, { a: 2 }]);
  expect(await items.updateMany({ a: 1 }, { $set: { a: 1 } })).toMatchObject({ matchedCount: 2, modifiedCount: 0 });
  expect(await items.updateMany({}, { $inc: { a: 1 } })).toMatchObject({ matchedCount: 3, modifiedCount: 3 });
  await expect(items.updateOne({}, { $set: { _id: 5 } })).rejects.toMatchObject({ code: 66 });
});

it("answers findAndModify with the document before or after", async () => {
  const items = db().collection<any>("items");
  await items.insertMany([
    { _id: 1, n: 1 },
    { _id: 2, n: 2 },
  ]);
  expect(await items.findOneAndUpdate({}, { $inc: { n: 10 } }, { sort: { _id: -1 } })).toEqual({ _id: 2, n: 2 });
  expect(await items.findOneAndReplace({ _id: 1 }, { m: 1 }, { returnDocument: "after" })).toEqual({ _id: 1, m: 1 });
  expect(await items.findOneAndDelete({ n: 12 }, { projection: { _id: 0 } })).toEqual({ n: 12 });
  expect(await items.findOneAndUpdate({ n: 12 }, { $set: { n: 1 } })).toBeNull();
  expect(
    await items.findOneAndUpdate({ _id: 7 }, { $inc: { n: 1 } }, { upsert: true, returnDocument: "after" }),
  ).toEqual({
    _id: 7,
    n: 1,
  });
});

it("tells which statement of a batch failed, and stops there when ordered", async () => {
  const items = db().collection<any>("items");
  const batch = [{ _id: 1 }, { _id: 1 }, { _id: 2 }];
  await expect(items.insertMany(batch)).rejects.toMatchObject({ code: 11000, insertedCount: 1 });
  await expect(items.insertMany(batch, { ordered: false })).rejects.toMatchObject({
    writeErrors: [{ index: 0 }, { index: 1 }],
  });
  expect(await items.countDocuments()).toBe(2);
});

it("hands a long result out in batches that later writes do not change", async () => {
  const items = db().collection<any>("items");
  await items.insertMany(Array.from({ length: 500 }, (_, n) => ({ _id: n })));
  const cursor = items.find({}, { batchSize: 50 }).sort({ _id: 1 });
  const first = await cursor.next();
  await items.deleteMany({ _id: { $gte: 300 } });
  const rest = await cursor.toArray();
  expect([first, ...rest].map(({ _id }) => _id)).toEqual(Array.from({ length: 500 }, (_, n) => n));
  const abandoned = items.find({}, { batchSize: 2 });
  await abandoned.next();
  const id = abandoned.id!;
  await abandoned.close();
  await expect(db().command({ getMore: id, collection: "items" })).rejects.toMatchObject({ code: 43 });
});

it("matches arrays, null and missing fields, nested paths and types", async () => {
  const items = db().collection<any>("items");
  await items.insertMany([
    { _id: 1, a: null },
    { _id: 2 },
    { _id: 3, a: [1, 5] },
    { _id: 4, a: { b: [{ c: 1 }, { c: 2 }] } },
    { _id: 5, a: "text" },
    { _id: 6, a: 3 },
  ]);
  const ids = async (filter: object) => (await items.find(filter).sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
  expect(await ids({ a: null })).toEqual([1, 2]);
  expect(await ids({ a: { $exists: true } })).toEqual([1, 3, 4, 5, 6]);
  expect(await ids({ a: 5 })).toEqual([3]);
  expect(await ids({ a: { $gt: 2, $lt: 4 } })).toEqual([3, 6]);
  expect(await ids({ a: { $elemMatch: { $gt: 2, $lt: 4 } } })).toEqual([]);
  expect(await ids({ "a.b.c": 2 })).toEqual([4]);
  expect(await ids({ "a.b.1.c": 2 })).toEqual([4]);
  expect(await ids({ a: { $type: "string" } })).toEqual([5]);
  expect(await ids({ a: /^te/ })).toEqual([5]);
  expect(await ids({ a: { $regex: "EX", $options: "i" } })).toEqual([5]);
  expect(await ids({ a: { $size: 2 } })).toEqual([3]);
  expect(await ids({ a: { $all: [1, 5] } })).toEqual([3]);
  expect(await ids({ a: { $nin: [null, 3] } })).toEqual([3, 4, 5]);
  expect(await ids({ a: { $not: { $type: "number" } } })).toEqual([1, 2, 4, 5]);
  expect(await ids({ $or: [{ a: 3 }, { a: "text" }], $nor: [{ _id: 5 }] })).toEqual([6]);
  expect(await items.distinct("a", { _id: { $in: [3, 6] } })).toEqual([1, 3, 5]);
});

it("sorts all types in MongoDB's order", async () => {
  const items = db().collection<any>("items");
  const ordered = [null, 1, Long.fromString("9007199254740993"), 1e17, "a", "\u{e000}", "\u{1f600}", { a: 1 }, true];
  const dated = [...ordered, new Date(5)];
  await items.insertMany(dated.map((v, _id) => ({ _id, v })).reverse());
  expect((await items.find().sort({ v: 1 }).toArray()).map(({ _id }) => _id)).toEqual([...dated.keys()]);
});

it("keeps a field called documents, of any depth, as it is", async () => {
  const items = db().collection<any>("items");
  const value = { documents: [{ a: 1 }, { documents: [{ b: 2 }] }] };
  await items.insertOne({ _id: 1, ...value });
  await items.updateOne({ _id: 1 }, { $set: { other: value } });
  expect(await items.findOne(value)).toEqual({ _id: 1, ...value, other: value });
});
