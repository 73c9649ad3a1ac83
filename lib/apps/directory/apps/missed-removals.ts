import "server-only";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { CounterModel } from "@/models/database/counter";

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
