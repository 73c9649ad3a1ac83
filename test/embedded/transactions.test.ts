import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Socket } from "node:net";
import { serialize, UUID, type Document } from "bson";
import type { ClientSession } from "mongodb";
import { describe, expect, it } from "vitest";
import { ask, openSocket, withServer } from "./support";

const { client, db, uri } = withServer();

async function inTransaction<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
  const session = client().startSession();
  try {
    session.startTransaction();
    return await work(session);
  } finally {
    await session.endSession();
  }
}

const isWriteConflict = { code: 112, errorLabels: ["TransientTransactionError"] };

async function twoAccounts() {
  const accounts = db().collection<{ _id: number; n: number; k?: string }>("accounts");
  await accounts.createIndexes([{ key: { n: 1 } }]);
  await accounts.insertMany([
    { _id: 1, n: 1 },
    { _id: 2, n: 2 },
  ]);
  return accounts;
}

async function keyedAccounts() {
  const accounts = await twoAccounts();
  for (const _id of [1, 2]) await accounts.updateOne({ _id }, { $set: { k: `key ${_id}` } });
  await accounts.createIndexes([{ key: { k: 1 }, unique: true }]);
  return accounts;
}

it("goes on seeing the state it began with, through the collection, an index and a count", async () => {
  const accounts = await twoAccounts();
  await inTransaction(async (session) => {
    await accounts.findOne({}, { session });
    await accounts.updateOne({ _id: 1 }, { $set: { n: 100 } });
    await accounts.deleteOne({ _id: 2 });
    await accounts.insertOne({ _id: 3, n: 3 });
    const seen = (filter: object) => accounts.find(filter, { session }).sort({ n: 1 }).toArray();
    const before = [
      { _id: 1, n: 1 },
      { _id: 2, n: 2 },
    ];
    expect(await seen({})).toEqual(before);
    expect(await seen({ n: { $gte: 0 } })).toEqual(before);
    expect(await accounts.findOne({ _id: 3 }, { session })).toBeNull();
    expect(await accounts.countDocuments({}, { session })).toBe(2);
    await session.abortTransaction();
  });
  expect(await accounts.countDocuments({ n: { $gte: 3 } })).toBe(2);
});

it("sees its own writes in index order; others see them after the commit", async () => {
  const accounts = await twoAccounts();
  await inTransaction(async (session) => {
    await accounts.insertMany(
      [
        { _id: 5, n: 1.5 },
        { _id: 6, n: 0 },
      ],
      { session },
    );
    await accounts.updateOne({ _id: 1 }, { $set: { n: 9 } }, { session });
    await accounts.deleteOne({ _id: 2 }, { session });
    const numbers = async (options: object, direction: 1 | -1) =>
      (
        await accounts
          .find({ n: { $gte: 0 } }, options)
          .sort({ n: direction })
          .toArray()
      ).map(({ n }) => n);
    expect(await numbers({ session }, 1)).toEqual([0, 1.5, 9]);
    expect(await numbers({ session }, -1)).toEqual([9, 1.5, 0]);
    expect(await numbers({}, 1)).toEqual([1, 2]);
    await session.commitTransaction();
    expect(await numbers({}, 1)).toEqual([0, 1.5, 9]);
  });
});

it("refuses the second of two transactions that write one document", async () => {
  const accounts = await twoAccounts();
  await inTransaction(async (first) => {
    await accounts.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session: first });
    await inTransaction(async (second) => {
      const late = accounts.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session: second });
      await expect(late).rejects.toMatchObject(isWriteConflict);
      await expect(accounts.findOne({}, { session: second })).rejects.toMatchObject({ code: 251 });
    });
    await first.commitTransaction();
  });
  expect(await accounts.findOne({ _id: 1 })).toMatchObject({ n: 2 });
});

it("refuses to write what was changed after it began", async () => {
  const accounts = await twoAccounts();
  await inTransaction(async (session) => {
    await accounts.findOne({}, { session });
    await accounts.updateOne({ _id: 2 }, { $set: { n: 7 } });
    const late = accounts.updateOne({ _id: 2 }, { $inc: { n: 1 } }, { session });
    await expect(late).rejects.toMatchObject(isWriteConflict);
  });
});

it("lets a write outside wait for the transaction that holds the document", async () => {
  const accounts = await twoAccounts();
  await inTransaction(async (session) => {
    await accounts.updateOne({ _id: 1 }, { $set: { n: 10 } }, { session });
    const order: string[] = [];
    const outside = accounts.updateMany({ n: { $lt: 50 } }, { $inc: { n: 1 } }).then(() => order.push("outside"));
    await accounts.findOne({ _id: 2 });
    order.push("commit");
    await session.commitTransaction();
    await outside;
    expect(order).toEqual(["commit", "outside"]);
  });
  expect(await accounts.find().sort({ _id: 1 }).toArray()).toMatchObject([{ n: 11 }, { n: 3 }]);
});

it("waits for a unique key that a transaction has taken or given up", async () => {
  const accounts = await keyedAccounts();
  await inTransaction(async (session) => {
    await accounts.insertOne({ _id: 3, n: 3, k: "a" }, { session });
    const outside = accounts.insertOne({ _id: 4, n: 4, k: "a" });
    const other = inTransaction(async (second) => {
      await accounts.insertOne({ _id: 5, n: 5, k: "a" }, { session: second });
    });
    await expect(other).rejects.toMatchObject(isWriteConflict);
    await session.abortTransaction();
    await outside;
  });
  await inTransaction(async (session) => {
    await accounts.deleteOne({ k: "a" }, { session });
    const outside = accounts.insertOne({ _id: 6, n: 6, k: "a" });
    await accounts.findOne({ _id: 1 });
    await session.commitTransaction();
    await outside;
  });
  expect(await accounts.find({ k: "a" }).toArray()).toMatchObject([{ _id: 6 }]);
});

it("refuses a unique key twice within one transaction, and lets a deleted one be used again", async () => {
  const accounts = await keyedAccounts();
  await accounts.insertOne({ _id: 3, n: 3, k: "a" });
  await inTransaction(async (session) => {
    await accounts.deleteOne({ _id: 3 }, { session });
    await accounts.insertOne({ _id: 4, n: 4, k: "a" }, { session });
    await accounts.insertOne({ _id: 3, n: 33 }, { session });
    await session.commitTransaction();
  });
  expect(await accounts.find({ _id: { $gt: 2 } }).toArray()).toEqual([
    { _id: 3, n: 33 },
    { _id: 4, n: 4, k: "a" },
  ]);
  await inTransaction(async (session) => {
    await expect(accounts.insertOne({ _id: 8, n: 8, k: "a" }, { session })).rejects.toMatchObject({ code: 11000 });
    await expect(session.commitTransaction()).rejects.toMatchObject({ code: 251 });
  });
});

it("loses no update when many transactions change one document", async () => {
  const accounts = await twoAccounts();
  const add = () =>
    client().withSession((session) =>
      session.withTransaction(async () => {
        const found = await accounts.findOne({ _id: 1 }, { session });
        await accounts.updateOne({ _id: 1 }, { $set: { n: found!.n + 1 } }, { session });
      }),
    );
  await Promise.all(Array.from({ length: 20 }, add));
  expect(await accounts.findOne({ _id: 1 })).toMatchObject({ n: 21 });
});

it("commits once when the commit is repeated, and refuses what a transaction cannot do", async () => {
  const accounts = await twoAccounts();
  await inTransaction(async (session) => {
    await accounts.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
    await session.commitTransaction();
    await session.commitTransaction();
  });
  expect(await accounts.findOne({ _id: 1 })).toMatchObject({ n: 2 });
  await inTransaction(async (session) => {
    await expect(accounts.createIndexes([{ key: { z: 1 } }], { session })).rejects.toMatchObject({ code: 263 });
  });
});

it("gives up what the transaction of an ended session held", async () => {
  const accounts = await twoAccounts();
  const session = client().startSession();
  session.startTransaction();
  await accounts.updateOne({ _id: 1 }, { $set: { n: 5 } }, { session });
  await session.endSession();
  await accounts.updateOne({ _id: 1 }, { $inc: { n: 1 } });
  expect(await accounts.findOne({ _id: 1 })).toMatchObject({ n: 2 });
});

it("drops a collection only after the transaction that writes to it", async () => {
  const accounts = await twoAccounts();
  await inTransaction(async (session) => {
    await accounts.insertOne({ _id: 9, n: 9 }, { session });
    const dropped = accounts.drop();
    await db().collection("other").insertOne({});
    expect(await accounts.countDocuments()).toBe(2);
    await session.commitTransaction();
    await dropped;
  });
  expect(await accounts.countDocuments()).toBe(0);
});

it("refuses a waiting write when its collection is dropped first, and starts again afterwards", async () => {
  const accounts = await twoAccounts();
  await inTransaction(async (session) => {
    await accounts.updateOne({ _id: 1 }, { $set: { n: 5 } }, { session });
    const dropped = accounts.drop();
    const late = accounts.updateOne({ _id: 1 }, { $set: { n: 6 } }).catch((error: unknown) => error);
    await db().collection("other").insertOne({});
    await session.commitTransaction();
    await dropped;
    await late;
  });
  await accounts.insertOne({ _id: 1, n: 1 });
  expect(await accounts.find().toArray()).toEqual([{ _id: 1, n: 1 }]);
});

describe("F1: a client that was killed in the middle of a transaction", () => {
  function rawTransaction() {
    const lsid = { id: new UUID(randomUUID()).toBinary() };
    let isBegun = false;
    return async (socket: Socket, command: Document) => {
      const begin = isBegun ? {} : { startTransaction: true };
      isBegun = true;
      const inTransaction = { lsid, txnNumber: 1n, autocommit: false, ...begin };
      return ask(socket, serialize({ ...command, $db: db().databaseName, ...inTransaction }));
    };
  }
  const addTo = (id: number) => ({ update: "accounts", updates: [{ q: { _id: id }, u: { $inc: { n: 10 } } }] });
  const close = async (socket: Socket) => {
    socket.destroy();
    await once(socket, "close");
  };

  it("holds nothing any more: its transaction ends with its connection, and others proceed at once", async () => {
    const accounts = await twoAccounts();
    const [dying, living] = [openSocket(uri()), openSocket(uri())];
    const other = rawTransaction();
    expect(await rawTransaction()(dying, addTo(1))).toMatchObject({ ok: 1, nModified: 1 });
    expect(await rawTransaction()(living, addTo(1))).toMatchObject({ ok: 0, code: 112 });
    expect(await other(living, addTo(2))).toMatchObject({ ok: 1 });
    await close(dying);
    // The server hears of it before it hears any of these.
    for (let times = 0; times < 10; times++) await db().command({ ping: 1 });
    const next = rawTransaction();
    expect(await next(living, addTo(1))).toMatchObject({ ok: 1 });
    expect(await next(living, { commitTransaction: 1 })).toMatchObject({ ok: 1 });
    expect(await other(living, { commitTransaction: 1 })).toMatchObject({ ok: 1 });
    expect(await accounts.find().sort({ _id: 1 }).toArray()).toMatchObject([{ n: 11 }, { n: 12 }]);
    await close(living);
  });

  it("is told by the connection that the last command came through, not by one that was used before", async () => {
    const accounts = await twoAccounts();
    const [first, second] = [openSocket(uri()), openSocket(uri())];
    const send = rawTransaction();
    await send(first, addTo(1));
    await send(second, addTo(2));
    await close(first);
    expect(await send(second, { find: "accounts", filter: {} })).toMatchObject({ ok: 1 });
    expect(await send(second, { commitTransaction: 1 })).toMatchObject({ ok: 1 });
    expect(await accounts.find().sort({ _id: 1 }).toArray()).toMatchObject([{ n: 11 }, { n: 12 }]);
    await close(second);
  });

  it("is made to hold nothing by killSessions; the session goes on with another transaction", async () => {
    const accounts = await twoAccounts();
    await inTransaction(async (session) => {
      await accounts.updateOne({ _id: 1 }, { $set: { n: 5 } }, { session });
      await client()
        .db("admin")
        .command({ killSessions: [session.id] });
      await accounts.updateOne({ _id: 1 }, { $inc: { n: 1 } });
      await expect(session.commitTransaction()).rejects.toMatchObject({ code: 251 });
      session.startTransaction();
      await accounts.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
      await session.commitTransaction();
    });
    expect(await accounts.findOne({ _id: 1 })).toMatchObject({ n: 3 });
  });
});
