import type { AppCatalogue, SnapshotApp } from "@/lib/policy/table/snapshot";

/**
 * The app of a requested id in any case (rules A2, A3). Short ids always count: a car that knows uuids still names an
 * app by its short id if it registers without `fullAppID`, as all do with a library before 2019 (SDL-0153).
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
