import { serialize } from "bson";
import { MongoClient } from "mongodb";
import { describe, expect, it, onTestFinished } from "vitest";
import { ask, openSocket, withServer } from "./support";

const { client, db, uri } = withServer();
function open() {
  const socket = openSocket(uri());
  onTestFinished(() => void socket.destroy());
  return socket;
}

describe("finding G5: damaged BSON from a client", () => {
  it("is answered with an error, and the connection goes on", async () => {
    const socket = open();
    const ping = Buffer.from(serialize({ ping: 1, text: "some text", $db: "db" }));
    const unknownType = Buffer.from(ping);
    unknownType[4] = 0x55;
    const longText = Buffer.from(ping);
    longText.writeInt32LE(0x7ffffff, longText.indexOf("some text") - 4);
    const noText = Buffer.from(ping);
    noText[noText.indexOf("some text")] = 0xff;
    for (const damaged of [unknownType, longText, noText]) {
      expect(await ask(socket, damaged)).toMatchObject({ ok: 0, code: 22, codeName: "InvalidBSON" });
    }
    expect(await ask(socket, serialize({ ping: 1, $db: "db" }))).toMatchObject({ ok: 1 });
  });

  it("is not stored inside of a document either, where it would fail every reader", async () => {
    const items = db().collection("items");
    const socket = open();
    const document = { _id: 1, inner: { text: "some text" } };
    const sound = Buffer.from(serialize({ insert: "items", documents: [document], $db: db().databaseName }));
    const text = sound.indexOf("some text");
    for (const [place, byte] of [
      [text, 0xff], // no UTF-8
      [text - 10, 0x55], // no type
      [text - 4, 0x7f], // longer than its document
    ] as const) {
      const damaged = Buffer.from(sound);
      damaged[place] = byte;
      expect(await ask(socket, damaged)).toMatchObject({ n: 0, writeErrors: [{ index: 0, code: 22 }] });
    }
    expect(await items.countDocuments()).toBe(0);
  });
});

describe("finding C5: what is not implemented is refused", () => {
  it("a write with a transaction number outside of transactions, as drivers send for retries, with code 20", async () => {
    const retrying = await MongoClient.connect(uri().replace("retryWrites=false", "retryWrites=true"));
    onTestFinished(() => retrying.close());
    const items = retrying.db(db().databaseName).collection("items");
    await expect(items.insertOne({})).rejects.toThrow(/does not support retryable writes/);
    expect(await items.countDocuments()).toBe(0);
    const session = retrying.startSession();
    const command = { insert: "items", documents: [{ a: 1 }], lsid: session.id, txnNumber: 1n };
    await expect(retrying.db("db").command(command)).rejects.toMatchObject({ code: 20 });
    await session.endSession();
  });

  it.each([
    [{ level: "snapshot" }, 72],
    [{ level: "nonsense" }, 72],
    [{ level: "local", atClusterTime: 1 }, 40415],
    ["majority", 2],
  ])("readConcern %j", async (readConcern, code) => {
    await expect(db().command({ find: "items", readConcern })).rejects.toMatchObject({ code });
  });

  it.each(["local", "available", "majority", "linearizable"])("but not the level %s, which is met", async (level) => {
    expect(await db().command({ find: "items", readConcern: { level } })).toMatchObject({ ok: 1 });
  });

  it("in a transaction linearizable is refused, snapshot is met", async () => {
    const find = (level: "snapshot" | "linearizable") =>
      client().withSession(async (session) => {
        session.startTransaction({ readConcern: { level } });
        return db().collection("items").find({}, { session }).toArray();
      });
    expect(await find("snapshot")).toEqual([]);
    await expect(find("linearizable")).rejects.toMatchObject({ code: 72 });
  });
});
