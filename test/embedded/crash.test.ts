import { setTimeout as wait } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { expect, it } from "vitest";
import { runs } from "@/test/support/extent";
import { temporaryFolder } from "@/test/support/temporary-folder";
import { startProcess } from "./support";

const rounds = Number(process.env.CRASH_ROUNDS ?? runs(20, 8));
const writers = 8;

/** What clients were told in one round; a write under way at the kill may have happened or not. */
interface Round {
  readonly acknowledged: Set<string>;
  readonly attempted: Set<string>;
  isKilled: boolean;
}

async function writeUntilKilled(client: MongoClient, name: string, round: Round): Promise<void> {
  const singles = client.db("crash").collection<{ _id: string }>("singles");
  const left = client.db("crash").collection<{ _id: string }>("left");
  const right = client.db("crash").collection<{ _id: string }>("right");
  try {
    for (let n = 0; ; n++) {
      const _id = `${name}-${n}`;
      round.attempted.add(_id);
      if (n % 2 === 0) await singles.insertOne({ _id });
      else {
        await client.withSession((session) =>
          session.withTransaction(async () => {
            await left.insertOne({ _id }, { session });
            await right.insertOne({ _id }, { session });
            await left.updateOne({ _id: `total-${name}` }, { $inc: { n: 1 } }, { session, upsert: true });
          }),
        );
      }
      round.acknowledged.add(_id);
    }
  } catch (error) {
    if (!round.isKilled) throw error;
  }
}

/** A client that notices soon that its server is gone; that it takes long to connect on a busy machine is no failure. */
async function connect(uri: string): Promise<MongoClient> {
  for (;;) {
    const client = new MongoClient(uri, { serverSelectionTimeoutMS: 200 });
    try {
      return await client.connect();
    } catch {
      await client.close();
    }
  }
}

it(`loses nothing acknowledged and keeps nothing by half in ${rounds} kills`, async () => {
  const dataDir = temporaryFolder();
  const acknowledged = new Set<string>();
  const attempted = new Set<string>();
  for (let number = 0; number < rounds; number++) {
    const round: Round = { acknowledged, attempted, isKilled: false };
    // A small limit, so that kills also hit compactions.
    const database = await startProcess(dataDir, "--compaction-bytes", "20000");
    const client = await connect(database.uri);
    const work = Array.from({ length: writers }, (_, writer) => writeUntilKilled(client, `${number}-${writer}`, round));
    const before = acknowledged.size;
    const begun = async () => {
      while (acknowledged.size < before + writers) await wait(1);
    };
    await Promise.race([begun(), Promise.all(work)]);
    await wait(Math.random() * 200);
    round.isKilled = true;
    await database.end("SIGKILL");
    await Promise.all(work);
    await client.close();
  }
  const database = await startProcess(dataDir);
  const client = await MongoClient.connect(database.uri);
  const ids = async (name: string) =>
    new Set((await client.db("crash").collection<any>(name).find().toArray()).map(({ _id }) => _id));
  const [singles, left, right] = [await ids("singles"), await ids("left"), await ids("right")];
  const totals = await client
    .db("crash")
    .collection<any>("left")
    .find({ n: { $exists: true } })
    .toArray();
  await client.close();
  await database.end("SIGTERM");

  for (const { _id } of totals) left.delete(_id);
  expect([...acknowledged].filter((id) => !singles.has(id) && !(left.has(id) && right.has(id)))).toEqual([]);
  expect([...left].sort()).toEqual([...right].sort());
  expect(totals.reduce<number>((sum, { n }) => sum + Number(n), 0)).toBe(left.size);
  expect([...singles, ...left].filter((id) => !attempted.has(id))).toEqual([]);
  expect(acknowledged.size).toBeGreaterThan(rounds);
  console.log(`${rounds} kills, ${acknowledged.size} acknowledged writes, ${left.size} transactions`);
});
