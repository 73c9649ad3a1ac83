import { rm } from "node:fs/promises";
import { serialize } from "bson";
import { MongoClient } from "mongodb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startEmbeddedDatabase, type EmbeddedDatabase } from "@/test/support/embedded-database";
import { ask, newFolder, openSocket } from "./support";

let dataDir: string;
let database: EmbeddedDatabase;
const ends: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  dataDir = await newFolder();
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await rm(dataDir, { recursive: true });
});

async function start(options: object = {}): Promise<MongoClient> {
  database = await startEmbeddedDatabase({ dataDir, ...options });
  const client = await MongoClient.connect(database.uri);
  ends.push(async () => {
    await client.close();
    await database.close();
  });
  return client;
}

describe("finding G5: damaged BSON from a client", () => {
  it("is answered with an error, and the connection goes on", async () => {
    await start();
    const socket = openSocket(database.uri);
    ends.push(() => Promise.resolve(socket.destroy()));
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
    const client = await start();
    const items = client.db("db").collection("items");
    const socket = openSocket(database.uri);
    ends.push(() => Promise.resolve(socket.destroy()));
    const document = { _id: 1, inner: { text: "some text" } };
    const sound = Buffer.from(serialize({ insert: "items", documents: [document], $db: "db" }));
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
    await start();
    const retrying = await MongoClient.connect(database.uri.replace("retryWrites=false", "retryWrites=true"));
    ends.push(() => retrying.close());
    const items = retrying.db("db").collection("items");
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
    const client = await start();
    await expect(client.db("db").command({ find: "items", readConcern })).rejects.toMatchObject({ code });
  });

  it.each(["local", "available", "majority", "linearizable"])("but not the level %s, which is met", async (level) => {
    const client = await start();
    expect(await client.db("db").command({ find: "items", readConcern: { level } })).toMatchObject({ ok: 1 });
  });

  it("in a transaction linearizable is refused, snapshot is met", async () => {
    const client = await start();
    const find = (level: "snapshot" | "linearizable") =>
      client.withSession(async (session) => {
        session.startTransaction({ readConcern: { level } });
        return client.db("db").collection("items").find({}, { session }).toArray();
      });
    expect(await find("snapshot")).toEqual([]);
    await expect(find("linearizable")).rejects.toMatchObject({ code: 72 });
  });
});
