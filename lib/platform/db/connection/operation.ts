import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { toDatabaseError } from "@/lib/platform/db/connection/errors";

/**
 * Runs reads and writes that belong to no transaction.
 *
 * @throws DatabaseUnavailable at once while there is no connection, and when it is lost; else what the database says
 */
export async function inDatabase<T>(work: () => Promise<T>): Promise<T> {
  await requireDatabase();
  try {
    return await work();
  } catch (error) {
    throw toDatabaseError(error);
  }
}
