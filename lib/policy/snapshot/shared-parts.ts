import type { ClientSession } from "mongoose";
import type { ReportDamage } from "@/lib/policy/snapshot/damage";
import { mapLists, mapViews, snapshotFamilies, snapshotFamily } from "@/lib/policy/snapshot/families";
import { PermissionLoader, RpcSpecificationLoader } from "@/lib/policy/snapshot/load-lists";
import { RecordViews } from "@/lib/policy/snapshot/load-records";
import { RolloutLoader } from "@/lib/policy/snapshot/load-rollout";
import type { PolicySnapshot, TableRecords } from "@/lib/policy/table/snapshot";
import { namesOf, recordOf } from "@/lib/vocabulary/members";
import type { RecordItemFamily } from "@/lib/vocabulary/release-items";

/** Reads one part of the snapshot, and returns a function that applies it once the whole reading has succeeded. */
export interface SharedPart {
  read(session: ClientSession, pace: () => Promise<void>, sinceRevision: number): Promise<() => void>;
}

export interface SharedParts {
  readonly all: readonly SharedPart[];
  readonly records: Readonly<Record<RecordItemFamily, SharedPart>>;
  readonly contents: () => Omit<PolicySnapshot, "revision" | "apps">;
}

/** Each reader keeps what it has read and reads only changes. The first reading continues from `known`. */
export function createSharedParts(report: ReportDamage, known: PolicySnapshot | null = null): SharedParts {
  const records = recordOf(namesOf(snapshotFamilies), (name) => {
    const family = snapshotFamily(name);
    return new RecordViews(family, report, known && family.viewsOf(known));
  });
  const permissions = new PermissionLoader(report, known?.permissions);
  const rpcSpec = new RpcSpecificationLoader(report, known?.rpcSpec);
  const rollout = new RolloutLoader(report, loadRecordsAsOf, known?.rollout);
  return {
    records,
    all: [...Object.values(records), permissions, rpcSpec, rollout],
    contents: () => ({
      ...mapViews(({ family }) => records[family].views),
      permissions: permissions.list,
      rpcSpec: rpcSpec.newest,
      rollout: rollout.rollout,
    }),
  };
}

/** The records of production as of a release (`releases.md` L3). Damaged ones are missing. */
export async function loadRecordsAsOf(
  release: number,
  session: ClientSession,
  pace: () => Promise<void>,
): Promise<TableRecords> {
  const readers = recordOf(namesOf(snapshotFamilies), (name) => {
    return new RecordViews({ ...snapshotFamily(name), asOf: release }, () => undefined);
  });
  for (const reader of Object.values(readers)) (await reader.read(session, pace))();
  return mapLists(({ family }) => readers[family].views.production);
}
