import "server-only";
import { readRevision } from "@/lib/platform/db/revision";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { CounterModel } from "@/models/database/counter";

/**
 * When something was read from the app directory, as a database revision. Later changes here are newer than what was
 * read. A delayed record must not undo them, or an old version would count as the latest.
 */
export class DirectoryReading {
  /** Revisions that this reading created itself. */
  readonly #own = new Set<number>();

  private constructor(private readonly since: number) {}

  /** Notes the current revision; call it before the request to the app directory. Throws DatabaseUnavailable. */
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
 * Counts deletions of apps that did not exist. Such a deletion leaves no trace, so a synchronization that read the app
 * before its deletion and stores it afterwards would not notice. If the number changes during a synchronization, it reads
 * everything once more.
 */

const _id = "missed_removals";

/** Counts one; durable once it resolves. Throws DatabaseUnavailable. */
export async function noteMissedRemoval(): Promise<void> {
  const options = { upsert: true, writeConcern: { w: "majority" } } as const;
  await inDatabase(() => CounterModel.updateOne({ _id }, { $inc: { value: 1 } }, options));
}

/** The number so far. Throws DatabaseUnavailable. */
export async function countMissedRemovals(): Promise<number> {
  return (await inDatabase(() => CounterModel.findOne({ _id }).lean()))?.value ?? 0;
}
