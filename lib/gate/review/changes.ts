import { listApps } from "@/lib/policy/snapshot/app-index";
import { snapshotFamily } from "@/lib/policy/snapshot/shared-parts";
import type { PolicySnapshot, SnapshotApp } from "@/lib/policy/table/snapshot";
import {
  type ItemChange,
  itemFamilies,
  type ItemKey,
  itemText,
  nameChange,
  type RecordItemFamily,
} from "@/lib/labels/release-items";
import { byLowerCase } from "@/lib/labels/order";
import type { Environment, RecordStatus } from "@/lib/labels/vocabulary";

/** Something that production does not have yet (rule L5). */
export interface StagedChange extends ItemKey {
  /** The record to be published; of an app its version. */
  readonly id: number;
  /** What production has now; null: nothing. */
  readonly productionId: number | null;
  readonly change: ItemChange;
}

/** One record of a view, whatever its family. */
export interface ViewRecord {
  readonly key: string;
  readonly id: number;
  readonly status: RecordStatus;
  readonly isDeleted: boolean;
}

/** The records of one view of a family, deleted ones included. */
export function listViewRecords(
  snapshot: PolicySnapshot,
  family: RecordItemFamily,
  environment: Environment,
): ViewRecord[] {
  const source = snapshotFamily(family);
  return source.viewsOf(snapshot)[environment].map((record) => {
    const { id, status, isDeleted = false } = record;
    return { key: source.keyOf(record), id, status, isDeleted };
  });
}

/**
 * Everything that staging has and production does not (rule L5): records whose newest version waits, and apps whose newest
 * granted version in staging is not the one in production. In the order in which a release lists its items.
 */
export function listStagedChanges(snapshot: PolicySnapshot): StagedChange[] {
  return itemFamilies.flatMap((family) =>
    (family === "app" ? listStagedApps(snapshot) : listStagedRecords(snapshot, family)).sort((a, b) =>
      byLowerCase(a.key, b.key),
    ),
  );
}

function listStagedRecords(snapshot: PolicySnapshot, family: RecordItemFamily): StagedChange[] {
  const production = new Map(
    listViewRecords(snapshot, family, "production").flatMap(({ key, id, isDeleted }) => (isDeleted ? [] : [[key, id]])),
  );
  return listViewRecords(snapshot, family, "staging").flatMap(({ key, id, status, isDeleted }) => {
    if (status !== "STAGING") return [];
    const productionId = production.get(key) ?? null;
    return [{ family, key, id, productionId, change: nameChange(productionId !== null, !isDeleted) }];
  });
}

function listStagedApps({ apps }: PolicySnapshot): StagedChange[] {
  const changes: StagedChange[] = [];
  for (const app of listApps(apps)) {
    const change = findStagedApp(app);
    if (change !== null) changes.push(change);
  }
  return changes;
}

/** The version of an app that waits in staging; null: none, or the app is blocked and gets nothing anyway. */
export function findStagedApp({ uuid, isBlacklisted, staged, accepted }: SnapshotApp): StagedChange | null {
  if (isBlacklisted || staged === null || staged.id === accepted?.id) return null;
  const productionId = accepted?.id ?? null;
  return { family: "app", key: uuid, id: staged.id, productionId, change: nameChange(productionId !== null, true) };
}

/** Those of the changes that are chosen; undefined: all. */
export function chooseChanges(changes: readonly StagedChange[], items: readonly ItemKey[] | undefined): StagedChange[] {
  if (items === undefined) return [...changes];
  const chosen = new Set(items.map(itemText));
  return changes.filter((change) => chosen.has(itemText(change)));
}
