import { mapLists, type RecordMembers } from "@/lib/policy/snapshot/families";
import { shareRecords } from "@/lib/policy/rollout/before";
import type { SnapshotRollout, TableRecords } from "@/lib/policy/table/snapshot";

/** Records that the snapshot has anyway are saved as their ids (`fleet.md` S14). */
export interface SavedRollout extends Omit<SnapshotRollout, "records"> {
  readonly ids: Readonly<Record<keyof TableRecords, readonly number[]>>;
  readonly records: TableRecords;
}

export function packRollout({ records, ...facts }: SnapshotRollout, snapshot: RecordMembers): SavedRollout {
  const ids = idsOf(records);
  const own = mapLists((family) => {
    const known = new Set<object>(Object.values(family.viewsOf(snapshot)).flat());
    return family.listOf(records).filter((record) => !known.has(record));
  });
  return { ...facts, ids, records: own };
}

export function unpackRollout({ ids, records: own, ...facts }: SavedRollout, snapshot: RecordMembers): SnapshotRollout {
  const records = mapLists((family) => {
    const views = family.viewsOf(snapshot);
    const known = new Map([...views.staging, ...views.production].map((record) => [record.id, record]));
    for (const record of family.listOf(own)) known.set(record.id, record);
    return ids[family.member].flatMap((id) => known.get(id) ?? []);
  });
  return { ...facts, records: shareRecords(records, snapshot) };
}

const idsOf = ({ groups, messages, moduleConfigs, vehicleData }: TableRecords): SavedRollout["ids"] => {
  const of = (records: readonly { readonly id: number }[]) => records.map(({ id }) => id);
  return {
    groups: of(groups),
    messages: of(messages),
    moduleConfigs: of(moduleConfigs),
    vehicleData: of(vehicleData),
  };
};
