import { whenMain } from "@/lib/process/channel";
import type { Settings } from "@/lib/settings";

/**
 * The connection string of the database: the one of the settings, or that of the embedded database, which `main` tells as
 * soon as it serves.
 */
export async function findDatabaseAddress({ mongodbUri }: Pick<Settings, "mongodbUri">): Promise<string> {
  return mongodbUri ?? (await whenMain("database")).address;
}
