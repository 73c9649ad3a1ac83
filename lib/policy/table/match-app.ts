import type { AppCatalogue, SnapshotApp } from "@/lib/policy/table/snapshot";

/**
 * The app for a requested id (rules A2, A3): of apps that share a short id, a blocked one, otherwise the one with the
 * newest record.
 *
 * @param id as requested, in any case
 * @param fullAppIdSupported long ids match only uuids, short ids only short uuids
 */
export function matchApp(apps: AppCatalogue, id: string, fullAppIdSupported: boolean): SnapshotApp | undefined {
  const lowerCased = id.toLowerCase();
  if (fullAppIdSupported) return apps.byUuid(lowerCased);
  const candidates = apps.byShortId(lowerCased);
  return candidates.find((app) => app.isBlacklisted) ?? newestOf(candidates, lowerCased);
}

function newestOf(apps: readonly SnapshotApp[], shortId: string): SnapshotApp | undefined {
  if (apps.length < 2) return apps[0];
  const newest = (app: SnapshotApp) =>
    Math.max(...app.shortIds.filter((one) => one.shortId.toLowerCase() === shortId).map((one) => one.newestRecordId));
  return apps.toSorted((a, b) => newest(b) - newest(a))[0];
}
