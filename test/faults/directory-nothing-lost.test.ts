import { setTimeout as wait } from "node:timers/promises";
import { type Db, MongoClient } from "mongodb";
import { expect, it } from "vitest";
import { type FaultyDirectory, startFaultyDirectory } from "@/test/support/faulty-directory/start";
import type { FaultKind } from "@/test/support/faulty-directory/faults";
import { type Random, seededRandom } from "@/bench/example-directory/random";
import type { DirectoryRecord } from "@/example-directory/catalog";
import { isDelivered } from "@/example-directory/webhooks";
import { makeRandomChange } from "@/bench/example-directory/random-change";
import { runs, seed as runSeed } from "@/test/support/extent";
import { announce, settingsOf, taskDone } from "@/test/support/directory-server";
import { whenAnswered } from "@/test/support/processes";
import { emptyDataDir, freePort, startDatabase, startServer, type TestServer, impatient } from "@/test/support/server";
import { eventually } from "@/test/support/vehicle";

/* NOTHING_LOST_ROUNDS makes it longer, NOTHING_LOST_SEED repeats a run that failed. */

const rounds = Number(process.env.NOTHING_LOST_ROUNDS ?? runs(12));
const seed = Number(process.env.NOTHING_LOST_SEED ?? runSeed);

const faults: readonly FaultKind[] = [
  { kind: "status", status: 500 },
  { kind: "status", status: 503 },
  { kind: "garbage" },
  { kind: "truncated" },
  { kind: "hang" },
  { kind: "slow", ms: 700 },
  { kind: "stall", ms: 700 },
  { kind: "reset" },
  { kind: "cut" },
  { kind: "shape", shape: "no-data" },
  { kind: "shape", shape: "object-for-list" },
];

it(`loses nothing in ${rounds} rounds of failures (seed ${seed})`, async () => {
  const random = seededRandom(seed);
  const world = await World.start(random);
  try {
    for (let round = 0; round < rounds; round++) await world.disturb();
    await world.decideOne();
    await world.settle();
    await world.compareTaken();
    await world.restart();
    await world.compare();
  } finally {
    await world.end();
  }
});

class World {
  readonly #random: Random;
  readonly #directory: FaultyDirectory;
  readonly #databaseDir = emptyDataDir();
  readonly #dataDir = emptyDataDir();
  readonly #notifications = new Set<Promise<unknown>>();
  readonly #taken = new Map<string, DirectoryRecord>();
  readonly #blacklistedOnce = new Set<string>();
  #database: Awaited<ReturnType<typeof startDatabase>> | null = null;
  #server: TestServer | null = null;
  #uri = "";
  #port = 0;

  static async start(random: Random): Promise<World> {
    const world = new World(random, await startFaultyDirectory({ apps: 150, webhookPausesMs: [200, 400, 800] }));
    world.#port = await freePort();
    await world.#startDatabase();
    await world.#startServer("/health/ready");
    await taskDone(world.#running());
    return world;
  }

  constructor(random: Random, directory: FaultyDirectory) {
    this.#random = random;
    this.#directory = directory;
  }

  async disturb(): Promise<void> {
    const life = this.#live(5 + Math.floor(this.#random() * 20));
    await this.#sometime(300);
    const [failure] = this.#shuffle([
      () => this.#failDirectory(),
      () => this.#failDatabase(),
      () => this.#failServer(),
      () => this.#failAll(),
    ]);
    await failure?.();
    await life;
  }

  /** However few of the decisions made during failures were stored, one is. */
  async decideOne(): Promise<void> {
    await whenAnswered(`${this.#origin()}/health/ready`);
    await eventually(() => this.#decide(null).catch(() => false));
  }

  async settle(): Promise<void> {
    this.#directory.faults.clear();
    this.#directory.faults.release();
    await Promise.all(this.#notifications);
    await whenAnswered(`${this.#origin()}/health/ready`);
    await this.#withDatabase(async (database) => {
      for (const queue of ["webhook_jobs", "feedback"]) {
        // Each look makes due what a failed attempt has put off, as if the minutes until then had passed.
        await eventually(async () => {
          await database.collection(queue).updateMany({}, { $set: { dueAt: new Date(1) } });
          await wait(300);
          return (await database.collection(queue).countDocuments()) === 0;
        });
      }
    });
  }

  async compareTaken(): Promise<void> {
    const ours = await this.#storedVersions();
    const wrong = [...this.#taken.values()].flatMap((record) => {
      const now = this.#directory.apps.app(record.uuid);
      // What happened to the app after that was announced later, or never.
      if (now === null || now.updated_ts !== record.updated_ts || now.version_id !== record.version_id) return [];
      const isGone = record.deleted_ts !== null;
      if (record.blacklisted_ts !== null || (ours.get(record.uuid) ?? null) === (isGone ? null : record.version_id))
        return [];
      return [
        `${record.uuid} has ${record.version_id}${isGone ? ", deleted" : ""}, stored is ${ours.get(record.uuid)}`,
      ];
    });
    expect(wrong).toEqual([]);
  }

  async restart(): Promise<void> {
    const restartedAt = Date.now();
    await this.#server?.stop();
    await this.#startServer("/health/ready");
    await taskDone(this.#running(), "applications", restartedAt);
    await this.settle();
  }

  async compare(): Promise<void> {
    const ours = await this.#storedVersions();
    const [versions = [], flags = []] = await this.#withDatabase((database) =>
      Promise.all(["applications", "application_flags"].map((name) => database.collection(name).find({}).toArray())),
    );
    const blacklisted = new Set(flags.filter(({ isBlacklisted }) => isBlacklisted).map(({ uuid }) => uuid as string));

    const wrong: string[] = [];
    for (const { uuid, version_id, deleted_ts, blacklisted_ts } of this.#directory.apps.all()) {
      const here = ours.get(uuid) ?? null;
      if (deleted_ts !== null && here !== null) wrong.push(`${uuid} is deleted, but version ${here} is stored`);
      if (deleted_ts !== null) continue;
      // The version of a blacklisted app is not stored (D2), and the flag is not lifted by the directory.
      if (blacklisted_ts === null && here !== version_id) wrong.push(`${uuid} has ${version_id}, stored is ${here}`);
      if (blacklisted_ts !== null && !blacklisted.has(uuid)) wrong.push(`${uuid} is blacklisted, but not here`);
      if (blacklisted.has(uuid) && !this.#blacklistedOnce.has(uuid)) wrong.push(`${uuid} is blacklisted only here`);
    }
    expect(wrong).toEqual([]);
    expect(versions.length).toBe(new Set(versions.map(({ uuid, versionId }) => `${uuid}:${versionId}`)).size);

    const decided = versions.filter(({ approvalStatus }) => ["ACCEPTED", "LIMITED"].includes(approvalStatus));
    expect(decided.length).toBeGreaterThan(0);
    const told = decided.map(({ versionId }) => this.#directory.approvals.find(versionId)?.status ?? null);
    expect(told).toEqual(decided.map(({ approvalStatus }) => approvalStatus));
    expect(
      this.#running()
        .log()
        .filter(({ msg }) => msg === "unhandled promise rejection"),
    ).toEqual([]);
  }

  async end(): Promise<void> {
    await this.#directory.close();
    await this.#server?.stop("SIGKILL");
    await this.#database?.kill();
  }

  async #live(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) {
      const record = makeRandomChange(this.#directory.apps, this.#random);
      if (record.blacklisted_ts !== null) this.#blacklistedOnce.add(record.uuid);
      // Now and then a notification never arrives.
      if (this.#random() < 0.9) {
        const sending = this.#announce(record).finally(() => this.#notifications.delete(sending));
        this.#notifications.add(sending);
      }
      if (this.#random() < 0.3) await this.#decide(AbortSignal.timeout(2_000)).catch(() => undefined);
      await this.#sometime(60);
    }
  }

  async #announce(record: DirectoryRecord): Promise<void> {
    const attempts = await announce(this.#directory, { origin: this.#origin() }, record);
    if (isDelivered(attempts)) this.#taken.set(record.uuid, record);
  }

  /** Whether a decision was stored, or no app waits for one. Fails as often as the server or its database does. */
  async #decide(signal: AbortSignal | null): Promise<boolean> {
    const list = await fetch(`${this.#origin()}/api/v1/applications?approval_status=PENDING&limit=20`, { signal });
    const { data } = await list.json();
    const [app] = this.#shuffle(data.applications as { id: number; uuid: string }[]);
    if (app === undefined) return true;
    const [approval_status] = this.#shuffle(["ACCEPTED", "LIMITED"]);
    const { ok } = await fetch(`${this.#origin()}/api/v1/applications/action`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: app.id, uuid: app.uuid, approval_status, denial_message: null }),
      signal,
    });
    return ok;
  }

  async #failDirectory(): Promise<void> {
    const [fault] = this.#shuffle(faults);
    if (fault !== undefined) this.#directory.faults.set(fault);
    await this.#sometime(1_500);
    this.#directory.faults.clear();
    this.#directory.faults.release(this.#random() < 0.5 ? "answer" : "drop");
  }

  async #failDatabase(): Promise<void> {
    await this.#database?.kill();
    await this.#sometime(1_500);
    await this.#startDatabase();
  }

  async #failServer(): Promise<void> {
    await this.#server?.stop("SIGKILL");
    await this.#sometime(500);
    // Not ready yet: the next failure may find it at any point of its start.
    await this.#startServer("/health");
  }

  async #failAll(): Promise<void> {
    await Promise.all([this.#failDirectory(), this.#failDatabase(), this.#failServer()]);
  }

  async #startDatabase(): Promise<void> {
    this.#database = await startDatabase(this.#databaseDir);
    this.#uri = this.#database.uri;
  }

  async #startServer(readyPath: string): Promise<void> {
    const env = { ...settingsOf(this.#directory), MONGODB_URI: impatient(this.#uri) };
    this.#server = await startServer({ dataDir: this.#dataDir, env, readyPath, port: this.#port });
  }

  async #storedVersions(): Promise<ReadonlyMap<string, number>> {
    const latest = await this.#withDatabase((database) =>
      database.collection("applications").find({ isLatest: true }).toArray(),
    );
    return new Map(latest.map(({ uuid, versionId }) => [uuid, versionId]));
  }

  async #withDatabase<T>(work: (database: Db) => Promise<T>): Promise<T> {
    // What gets no answer fails, and says where.
    const client = await MongoClient.connect(this.#uri, { socketTimeoutMS: 60_000 });
    try {
      return await work(client.db("policy_server"));
    } finally {
      await client.close();
    }
  }

  #origin(): string {
    return this.#running().origin;
  }

  #running(): TestServer {
    if (this.#server === null) throw new Error("the server was never started");
    return this.#server;
  }

  #sometime(maxMs: number): Promise<void> {
    return wait(this.#random() * maxMs);
  }

  #shuffle<T>(items: readonly T[]): T[] {
    const drawn = items.map((item) => ({ item, at: this.#random() }));
    return drawn.toSorted((one, other) => one.at - other.at).map(({ item }) => item);
  }
}
