"one per process";

import { oncePer } from "@/lib/platform/once-per";
import { mapLists, mapViews, type RecordMembers, type SnapshotRecord } from "@/lib/policy/snapshot/families";
import type { PolicySnapshot, SnapshotRollout, TableRecords, Views } from "@/lib/policy/table/snapshot";

/** The same records, where possible as the objects that the snapshot has anyway: what is built from those is shared. */
export function shareRecords(records: TableRecords, snapshot: RecordMembers): TableRecords {
  return mapLists((family) => {
    const own = family.listOf(records);
    const views = family.viewsOf(snapshot);
    const known = new Map([...views.staging, ...views.production].map((record) => [record.id, record]));
    const shared = own.map((record) => known.get(record.id) ?? record);
    const { production } = views;
    const isSame = shared.length === production.length && shared.every((record, at) => record === production[at]);
    return isSame ? production : shared.every((record, at) => record === own[at]) ? own : shared;
  });
}

/** What vehicles outside of the rollout are served: the records of the release before, and everything else of today. */
export const snapshotBefore = (snapshot: PolicySnapshot, { records }: SnapshotRollout): PolicySnapshot => ({
  ...snapshot,
  ...mapViews((family) => {
    const views = family.viewsOf(snapshot);
    const list = family.listOf(records);
    return list === views.production ? views : besideOf(views)(list);
  }),
  rollout: null,
});

/** One object for the same lists, so that later revisions find what was built from it. */
const besideOf = oncePer((views: Views<SnapshotRecord>) =>
  oncePer((production: readonly SnapshotRecord[]): Views<SnapshotRecord> => ({ staging: views.staging, production })),
);
