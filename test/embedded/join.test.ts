import { MongoClient } from "mongodb";
import { expect, it } from "vitest";
import { joinServer, startServer } from "@/embedded/server";
import { temporaryFolder } from "@/test/support/temporary-folder";

it("joins the process that serves a folder already, and leaves it alone; else it serves the folder itself", async () => {
  const dataDir = temporaryFolder();
  const count = async (uri: string) => {
    const client = await MongoClient.connect(uri);
    try {
      return await client.db("joined").collection("items").countDocuments();
    } finally {
      await client.close();
    }
  };
  const running = await startServer({ dataDir });
  const client = await MongoClient.connect(running.uri);
  await client.db("joined").collection("items").insertOne({ name: "one" });
  await client.close();

  const joined = await joinServer({ dataDir });
  expect([joined.uri, await count(joined.uri)]).toEqual([running.uri, 1]);
  await joined.close();
  expect(await count(running.uri)).toBe(1);
  await running.close();

  const alone = await joinServer({ dataDir });
  expect(await count(alone.uri)).toBe(1);
  await alone.close();
  await expect(count(`${alone.uri}&serverSelectionTimeoutMS=1`)).rejects.toThrow();
});
