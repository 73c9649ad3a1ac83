import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import mongoose, { Schema, type Connection } from "mongoose";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startEmbeddedDatabase, type EmbeddedDatabase } from "@/test/support/embedded-database";

let dataDir: string;
let server: EmbeddedDatabase;
let connection: Connection;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "embedded-Mongoose-"));
  server = await startEmbeddedDatabase({ dataDir });
  connection = await mongoose.createConnection(server.uri, { dbName: "shop" }).asPromise();
});

afterAll(async () => {
  await connection.close();
  await server.close();
  await rm(dataDir, { recursive: true });
});

const schema = new Schema({ name: String, stock: Number, tags: [String] });
schema.index({ name: 1 }, { unique: true });

it("serves a mongoose model: indexes, create, find, update, upsert, delete", async () => {
  const Item = connection.model("Item", schema);
  await Item.init();
  const bolt = await Item.create({ name: "bolt", stock: 5, tags: ["metal"] });
  await expect(Item.create({ name: "bolt" })).rejects.toMatchObject({ code: 11000, keyPattern: { name: 1 } });
  expect(await Item.findById(bolt._id).lean()).toMatchObject({ name: "bolt", stock: 5, tags: ["metal"] });
  const changed = await Item.findOneAndUpdate(
    { name: "bolt" },
    { $inc: { stock: -2 }, $set: { tags: ["metal", "small"] } },
    { returnDocument: "after" },
  );
  expect(changed).toMatchObject({ stock: 3, tags: ["metal", "small"] });
  await Item.updateOne({ name: "nut" }, { $set: { stock: 1 }, $setOnInsert: { tags: ["new"] } }, { upsert: true });
  expect((await Item.find().sort({ name: -1 }).lean()).map((item) => item.name)).toEqual(["nut", "bolt"]);
  expect(await Item.countDocuments({ stock: { $gte: 1 } })).toBe(2);
  expect((await Item.deleteMany({ stock: 1 })).deletedCount).toBe(1);
  expect((await Item.collection.indexes()).map(({ name }) => name)).toEqual(["_id_", "name_1"]);
});

it("commits and aborts a mongoose transaction as a whole", async () => {
  const Account = connection.model("Account", new Schema({ _id: Number, balance: Number }));
  await Account.create([
    { _id: 1, balance: 10 },
    { _id: 2, balance: 0 },
  ]);
  const transfer = (amount: number, fail: boolean) =>
    connection.transaction(async (session) => {
      await Account.updateOne({ _id: 1 }, { $inc: { balance: -amount } }, { session });
      await Account.updateOne({ _id: 2 }, { $inc: { balance: amount } }, { session });
      expect((await Account.findById(1).session(session).lean())?.balance).toBe(10 - amount);
      expect((await Account.findById(1).lean())?.balance).toBe(10);
      if (fail) throw new Error("changed my mind");
    });
  await expect(transfer(3, true)).rejects.toThrow("changed my mind");
  expect(await Account.find().sort({ _id: 1 }).lean()).toMatchObject([{ balance: 10 }, { balance: 0 }]);
  await transfer(4, false);
  expect(await Account.find().sort({ _id: 1 }).lean()).toMatchObject([{ balance: 6 }, { balance: 4 }]);
});

it("listens on a socket in its folder that only the owner can use", async () => {
  const { mode } = await stat(join(dataDir, "database.sock"));
  expect(mode & 0o777).toBe(0o600);
});
