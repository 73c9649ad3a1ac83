import "server-only";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { ApplicationModel } from "@/models/application";

/**
 * The names of apps, by uuid, of their newest versions; apps that are not stored are left out.
 *
 * @throws DatabaseUnavailable
 */
export async function loadAppNames(uuids: readonly string[]): Promise<Map<string, string>> {
  if (uuids.length === 0) return new Map();
  await requireDatabase();
  const found = await ApplicationModel.find(
    { uuid: { $in: uuids }, isLatest: true },
    { _id: 0, uuid: 1, name: 1 },
  ).lean();
  return new Map(found.map(({ uuid, name }) => [uuid, name]));
}
