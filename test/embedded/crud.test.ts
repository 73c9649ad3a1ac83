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
  expect((await items.find().toArray()).map((item) => Object.keys(item)[0])).toEqual(["_id", "_id"]);
});

it("applies update operators as MongoDB does", async () => {
  const items = db().collection<any>("items");
  const cases: [before: object, update: object, after: object][] = [
    [{ n: 1 }, { $inc: { n: 2, m: 5 } }, { n: 3, m: 5 }],
    [{ n: 4 }, { $max: { n: 3, m: 1 } }, { n: 4, m: 1 }],
    [{ n: 4 }, { $max: { n: 5 } }, { n: 5 }],
    [{ a: { b: 1 }, c: 1 }, { $set: { a: { c: 2 } }, $unset: { c: "", d: "" } }, { a: { c: 2 } }],
    [{ n: new Int32(2 ** 31 - 1) }, { $inc: { n: 1 } }, { n: 2 ** 31 }],
    [{ n: 1 }, { $inc: { n: 0.5 } }, { n: 1.5 }],
  ];
  for (const [before, update, after] of cases) {
    const { insertedId } = await items.insertOne(before);
    await items.updateOne({ _id: insertedId }, update);
    expect(await items.findOne({ _id: insertedId }, { projection: { _id: 0 } })).toEqual(after);
  }
});

it("upserts from the equalities of the filter", async () => {
  const items = db().collection<any>("items");
  const result = await items.updateOne(
    { _id: "x", a: 1, b: { $eq: null }, c: { $gt: 3 } },
    { $set: { d: 2 }, $setOnInsert: { e: 3 } },
    { upsert: true },
  );
  expect(result).toMatchObject({ upsertedId: "x", upsertedCount: 1, matchedCount: 0 });
  expect(await items.findOne()).toEqual({ _id: "x", a: 1, b: null, d: 2, e: 3 });
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
  expect(await items.findOneAndUpdate({ n: 2 }, { $inc: { n: 10 } })).toEqual({ _id: 2, n: 2 });
  expect(await items.findOneAndReplace({ _id: 1 }, { m: 1 }, { returnDocument: "after" })).toEqual({ _id: 1, m: 1 });
  expect(await items.findOneAndDelete({ n: 12 })).toEqual({ _id: 2, n: 12 });
  expect(await items.findOneAndUpdate({ n: 12 }, { $set: { n: 1 } })).toBeNull();
  expect(
    await items.findOneAndUpdate({ _id: 7 }, { $inc: { n: 1 } }, { upsert: true, returnDocument: "after" }),
  ).toEqual({ _id: 7, n: 1 });
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
  expect(await items.deleteMany({ _id: { $gte: 300 } })).toMatchObject({ deletedCount: 200 });
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
  expect(await ids({ "a.b.c": 2 })).toEqual([4]);
  expect(await ids({ "a.b.1.c": 2 })).toEqual([4]);
  expect(await ids({ a: /^te/ })).toEqual([5]);
  expect(await ids({ a: { $regex: "EX", $options: "i" } })).toEqual([5]);
  expect(await ids({ a: { $nin: [null, 3] } })).toEqual([3, 4, 5]);
  expect(await ids({ a: { $not: { $gt: 2 } } })).toEqual([1, 2, 4, 5]);
  expect(await ids({ $or: [{ a: 3 }, { a: "text" }], $and: [{ _id: { $ne: 5 } }] })).toEqual([6]);
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
