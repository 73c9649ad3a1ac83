import "server-only";
import { readRevision } from "@/lib/platform/db/revision";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { CounterModel } from "@/models/database/counter";

/**
 * When something was read from the directory, in revisions of the database. What was changed here after that is newer
 * than what was read: a record that waited meanwhile must not undo it, or an old version would count as the latest.
 */
export class Reading {
  /** Revisions that this reading has made itself. */
  readonly #own = new Set<number>();

  private constructor(private readonly since: number) {}

  /** Notes the present; to be called before the directory is asked. Throws DatabaseUnavailable. */
  static async begin(): Promise<Reading> {
    return new Reading(await readRevision());
  }

  addOwn(revision: number): void {
    this.#own.add(revision);
  }

  /** Whether somebody else changed, after this reading began, what carries the revision. */
  isOlderThan(revision: number): boolean {
    return revision > this.since && !this.#own.has(revision);
  }
}

/*
 * Deletions of apps that were not there. Such a deletion leaves no trace by which a synchronisation, that read the app
 * before it was deleted and stores it afterwards, could notice that it is late. So they are counted: a synchronisation
 * during which the number changed reads everything once more.
 */

const _id = "missed_removals";

/** Counts one; durable when it returns. Throws DatabaseUnavailable. */
export async function noteMissedRemoval(): Promise<void> {
  const options = { upsert: true, writeConcern: { w: "majority" } } as const;
  await inDatabase(() => CounterModel.updateOne({ _id }, { $inc: { value: 1 } }, options));
}

/** How many there have been. Throws DatabaseUnavailable. */
export async function countMissedRemovals(): Promise<number> {
  return (await inDatabase(() => CounterModel.findOne({ _id }).lean()))?.value ?? 0;
}
