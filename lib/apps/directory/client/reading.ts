import "server-only";
import { readRevision } from "@/lib/platform/db/revision";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { CounterModel } from "@/models/database/counter";

/** A database revision: what was read must not undo later changes, or an old version would count as the latest. */
export class DirectoryReading {
  /** Revisions that this reading created itself. */
  readonly #own = new Set<number>();

  private constructor(private readonly since: number) {}

  /** Call it before the request to the app directory. Throws DatabaseUnavailable. */
  static async begin(): Promise<DirectoryReading> {
    return new DirectoryReading(await readRevision());
  }

  addOwn(revision: number): void {
    this.#own.add(revision);
  }

  /** Whether somebody else made the change with this revision after the reading began. */
  isOlderThan(revision: number): boolean {
    return revision > this.since && !this.#own.has(revision);
  }
}

/*
 * Counts deletions of apps that did not exist: they leave no trace, so a synchronization that read the app before would
 * store it afterwards. If the number changes meanwhile, it reads everything once more.
 */

const _id = "missed_removals";

/** Durable once it resolves. Throws DatabaseUnavailable. */
export async function noteMissedRemoval(): Promise<void> {
  const options = { upsert: true, writeConcern: { w: "majority" } } as const;
  await inDatabase(() => CounterModel.updateOne({ _id }, { $inc: { value: 1 } }, options));
}

export async function countMissedRemovals(): Promise<number> {
  return (await inDatabase(() => CounterModel.findOne({ _id }).lean()))?.value ?? 0;
}
