import "server-only";
import { randomUUID } from "node:crypto";
import mongoose, { type Model } from "mongoose";
import { inDatabase } from "@/lib/platform/db/connection/connect";

interface Element {
  readonly _id: string;
  readonly attempts: number;
  readonly dueAt: Date;
  readonly lastError: string | null;
  /** Who works on it until `dueAt`. A writer that changes the element clears it, so that no worker removes it unread. */
  readonly claim: string | null;
}

type Ids = readonly { readonly _id: string }[];

export interface Batch<Job extends Ids[number]> {
  readonly claim: string;
  readonly jobs: readonly Job[];
}

export interface Postponement {
  readonly _id: string;
  readonly attempts: number;
  readonly dueAt: Date;
  /** Null: no failure. */
  readonly reason: string | null;
}

export interface QueueSummary {
  readonly waiting: number;
  /** Elements with a failed attempt that counts: malformed apps, decisions that cannot be delivered. */
  readonly failing: number;
  /** When the first element is or was due, ISO 8601; null if the queue is empty. */
  readonly nextDueAt: string | null;
  /** The failure that is retried next, including network failures; null if there is none. */
  readonly lastError: string | null;
}

/** Maximum time that an element waits for its next attempt or stays claimed, in milliseconds. */
const longestWaitMs = 6 * 3_600_000;
const longestReason = 1_000;

export const later = (ms: number) => new Date(Date.now() + ms);
export const cutReason = (reason: string | null) => reason?.slice(0, longestReason) ?? null;
export const ownedBy = (claim: string, jobs: Ids) => ({ _id: { $in: jobs.map(({ _id }) => _id) }, claim });

/** Milliseconds to the next attempt after the first, second, … failure; the last value repeats. */
export function retryDelay(attempts: number, delays: readonly number[]): number {
  return delays[Math.min(Math.max(attempts, 1), delays.length) - 1] ?? 0;
}

/** Every element has a due time; the condition makes MongoDB use the index. */
const all = { dueAt: { $gt: new Date(0) } };
const failing = { attempts: { $gt: 0 } };
const sort = { dueAt: 1 } as const;

/** Reads claimed elements. */
type Read<Job> = (owned: ReturnType<typeof ownedBy>) => Promise<readonly Job[]>;

/**
 * A durable queue, shared by all instances. Every write is one statement on one document, so that none waits for other
 * transactions. Consistency relies on the claim of an element, which names its current worker and expires.
 */
export class JobQueue<Job extends Ids[number]> {
  constructor(
    private readonly model: Pick<Model<unknown>, "collection">,
    private readonly read: Read<Job>,
  ) {}

  get #elements() {
    return mongoose.connection.collection<Element>(this.model.collection.collectionName);
  }

  /** Null if nothing is due; may be empty if another process was faster. */
  claim(max: number, leaseMs: number): Promise<Batch<Job> | null> {
    const now = new Date();
    const conditions = [
      { dueAt: { $lte: now } },
      // Dated by a clock that was ahead: they would wait until real time catches up.
      { dueAt: { $gt: new Date(now.getTime() + longestWaitMs) } },
    ];
    return inDatabase(async () => {
      // One query after the other, because an `$or` would not use the index.
      for (const isDue of conditions) {
        const due = await this.#elements.find(isDue, { projection: { _id: 1 }, sort, limit: max }).toArray();
        if (due.length === 0) continue;
        const claim = randomUUID();
        const owned = ownedBy(claim, due);
        // Another process may have found the same ones; the first to change the due time gets them.
        await this.#elements.updateMany({ _id: owned._id, ...isDue }, { $set: { claim, dueAt: later(leaseMs) } });
        return { claim, jobs: await this.read(owned) };
      }
      return null;
    });
  }

  async renew({ claim, jobs }: Batch<Job>, leaseMs: number): Promise<void> {
    const dueAt = later(leaseMs);
    await inDatabase(() => this.#elements.updateMany(ownedBy(claim, jobs), { $set: { dueAt } }));
  }

  /** Returns how many were removed: an element that was changed in the meantime is no longer claimed and stays. */
  async finish(claim: string, jobs: Ids): Promise<number> {
    if (jobs.length === 0) return 0;
    return (await inDatabase(() => this.#elements.deleteMany(ownedBy(claim, jobs)))).deletedCount;
  }

  async postpone(claim: string, postponed: readonly Postponement[]): Promise<void> {
    const operations = postponed.map(({ _id, attempts, dueAt, reason }) => ({
      updateOne: {
        filter: { _id, claim },
        update: { $set: { attempts, dueAt, claim: null, lastError: cutReason(reason) } },
      },
    }));
    if (operations.length > 0) await inDatabase(() => this.#elements.bulkWrite(operations, { ordered: false }));
  }

  summarize(): Promise<QueueSummary> {
    return inDatabase(async () => {
      const next = await this.#elements.findOne(all, { projection: sort, sort });
      const failed = { ...all, lastError: { $ne: null } };
      const unlucky = await this.#elements.findOne(failed, { projection: { lastError: 1 }, sort });
      return {
        waiting: await this.#elements.countDocuments(all),
        failing: await this.#elements.countDocuments(failing),
        nextDueAt: next?.dueAt.toISOString() ?? null,
        lastError: unlucky?.lastError ?? null,
      };
    });
  }

  countFailing(): Promise<number> {
    return inDatabase(() => this.#elements.countDocuments(failing));
  }
}
