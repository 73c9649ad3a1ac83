import type { AppCatalogue, SnapshotApp } from "@/lib/policy/table/snapshot";

/**
 * The app for a requested id (rules A2, A3): of apps that share a short id, a blocked one, otherwise the one with the
 * newest record.
 *
 * @param id as requested, in any case
 * @param fullAppIdSupported whether uuids count. Short ids always do: a car that knows uuids still names an app by its short
 *   id if the app registers without `fullAppID`, as all do with a library before 2019 (SDL-0153)
 */
export function matchApp(apps: AppCatalogue, id: string, fullAppIdSupported: boolean): SnapshotApp | undefined {
  const lowerCased = id.toLowerCase();
  const named = fullAppIdSupported ? apps.byUuid(lowerCased) : undefined;
  if (named !== undefined) return named;
  const candidates = apps.byShortId(lowerCased);
  return candidates.find((app) => app.isBlacklisted) ?? newestOf(candidates, lowerCased);
}

function newestOf(apps: readonly SnapshotApp[], shortId: string): SnapshotApp | undefined {
  if (apps.length < 2) return apps[0];
  const newest = (app: SnapshotApp) =>
    Math.max(...app.shortIds.filter((one) => one.shortId.toLowerCase() === shortId).map((one) => one.newestRecordId));
  return apps.toSorted((a, b) => newest(b) - newest(a))[0];
}
