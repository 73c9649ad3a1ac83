import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { toDatabaseError } from "@/lib/platform/db/connection/errors";

/** Runs reads and writes outside of a transaction. Throws `DatabaseUnavailable` at once without a connection. */
export async function inDatabase<T>(work: () => Promise<T>): Promise<T> {
  await requireDatabase();
  try {
    return await work();
  } catch (error) {
    throw toDatabaseError(error);
  }
}
