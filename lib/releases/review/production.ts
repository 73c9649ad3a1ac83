import { listApps } from "@/lib/policy/snapshot/app-index";
import {
  mapLists,
  mapViews,
  type RecordLists,
  snapshotFamilies,
  snapshotFamily,
  type SnapshotRecord,
} from "@/lib/policy/snapshot/families";
import type { AppCatalogue, PolicySnapshot, SnapshotApp, Views } from "@/lib/policy/table/snapshot";
import type { StagedChange } from "@/lib/releases/review/changes";
import { namesOf } from "@/lib/vocabulary/members";
import type { ItemKey } from "@/lib/vocabulary/release-items";

export interface NewContents extends RecordLists {
  readonly apps: readonly SnapshotApp[];
}

export function contentsOf(snapshot: PolicySnapshot, chosen: readonly StagedChange[]): NewContents {
  const lists = mapLists((source) => {
    const ids = new Set(chosen.flatMap((change) => (change.family === source.family ? change.id : [])));
    return source.viewsOf(snapshot).staging.filter(({ id }) => ids.has(id));
  });
  const apps = chosen.flatMap(({ family, key }) =>
    family === "app" ? (snapshot.apps.byUuid(key.toLowerCase()) ?? []) : [],
  );
  return { ...lists, apps };
}

export function itemsOf(contents: NewContents): ItemKey[] {
  const records = namesOf(snapshotFamilies).flatMap((family) => {
    const source = snapshotFamily(family);
    return source.listOf(contents).map((record) => ({ family, key: source.keyOf(record) }));
  });
  return [...records, ...contents.apps.map(({ uuid: key }) => ({ family: "app", key }) as const)];
}

/** The snapshot after publishing at `now` (ms since 1970): copies get new ids; later edits stay in staging. */
export function buildPublished(snapshot: PolicySnapshot, contents: NewContents, now: number): PolicySnapshot {
  const inTime = { ...contents, vehicleData: contents.vehicleData.map((record) => ({ ...record, savedAt: now })) };
  const views = mapViews((source) =>
    replace(source.viewsOf(snapshot), source.listOf(inTime), (record) => source.keyOf(record)),
  );
  return { ...snapshot, ...views, apps: withApps(snapshot.apps, contents.apps.map(accept)) };
}

/** Returns the same views if there are no contents. */
function replace<T extends SnapshotRecord>(views: Views<T>, contents: readonly T[], keyOf: (record: T) => string) {
  if (contents.length === 0) return views;
  const greatest = [...views.staging, ...views.production].reduce((best, { id }) => Math.max(best, id), 0);
  const copies = contents.map((record, index): T => ({ ...record, id: greatest + 1 + index, status: "PRODUCTION" }));
  const published = new Set(contents.map(({ id }) => id));
  const keys = new Set(copies.map(keyOf));
  // Edits that are not published keep waiting: a rollback stores them again after the copies.
  const waiting = views.staging.filter((record) => record.status === "STAGING" && !published.has(record.id));
  const waitingKeys = new Set(waiting.map(keyOf));
  return {
    staging: [
      ...views.staging.filter((record) => waitingKeys.has(keyOf(record)) || !keys.has(keyOf(record))),
      ...copies.filter((copy) => !waitingKeys.has(keyOf(copy))),
    ],
    production: [...views.production.filter((record) => !keys.has(keyOf(record))), ...copies],
  };
}

function accept(app: SnapshotApp): SnapshotApp {
  if (app.staged === null) return app;
  const accepted = { ...app.staged, approvalStatus: "ACCEPTED" } as const;
  return { ...app, accepted, staged: accepted };
}

/** A catalogue with some apps replaced, without copying all of them. */
export function withApps(apps: AppCatalogue, replaced: readonly SnapshotApp[]): AppCatalogue {
  if (replaced.length === 0) return apps;
  const byKey = new Map(replaced.map((app) => [app.uuid.toLowerCase(), app]));
  const newest = (app: SnapshotApp) => byKey.get(app.uuid.toLowerCase()) ?? app;
  const catalogue = {
    byUuid: (uuid: string) => byKey.get(uuid) ?? apps.byUuid(uuid),
    byShortId: (shortId: string) => apps.byShortId(shortId).map(newest),
    size: apps.size,
    *values() {
      for (const app of listApps(apps)) yield newest(app);
    },
  };
  return catalogue;
}
