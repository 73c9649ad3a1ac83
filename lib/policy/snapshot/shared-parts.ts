import type { ClientSession } from "mongoose";
import { namesOf, recordOf } from "@/lib/vocabulary/members";
import type { RecordItemFamily } from "@/lib/vocabulary/release-items";
import type { RecordStatus } from "@/lib/vocabulary/terms";
import {
  groupDocument,
  messageDocument,
  moduleConfigDocument,
  vehicleDataDocument,
} from "@/lib/policy/documents/documents";
import type { ReportDamage } from "@/lib/policy/snapshot/damage";
import { PermissionLoader, RpcSpecificationLoader } from "@/lib/policy/snapshot/load-lists";
import { type SnapshotSource, RecordViews } from "@/lib/policy/snapshot/load-records";
import { RolloutLoader } from "@/lib/policy/snapshot/load-rollout";
import type {
  PolicySnapshot,
  SnapshotGroup,
  SnapshotMessage,
  SnapshotModuleConfig,
  SnapshotVehicleData,
  TableRecords,
  Views,
} from "@/lib/policy/table/snapshot";

export interface SnapshotRecord {
  readonly id: number;
  readonly status: RecordStatus;
  readonly isDeleted?: boolean;
}

export type RecordMembers = Pick<PolicySnapshot, keyof TableRecords>;
export type RecordLists = TableRecords;

export interface SnapshotFamily<T extends SnapshotRecord> extends SnapshotSource<T> {
  readonly member: keyof RecordMembers;
  viewsOf(snapshot: RecordMembers): Views<T>;
  listOf(lists: RecordLists): readonly T[];
}

/** The families that policy tables are built from, in the order of a release. */
export const snapshotFamilies = {
  message: {
    ...{ family: "message", member: "messages", document: messageDocument },
    keyOf: ({ category }) => category,
    viewsOf: ({ messages }) => messages,
    listOf: ({ messages }) => messages,
  },
  vehicle_data: {
    ...{ family: "vehicle_data", member: "vehicleData", document: vehicleDataDocument },
    keyOf: ({ name }) => name,
    viewsOf: ({ vehicleData }) => vehicleData,
    listOf: ({ vehicleData }) => vehicleData,
  },
  group: {
    ...{ family: "group", member: "groups", document: groupDocument },
    keyOf: ({ name }) => name,
    viewsOf: ({ groups }) => groups,
    listOf: ({ groups }) => groups,
  },
  module_config: {
    ...{ family: "module_config", member: "moduleConfigs", document: moduleConfigDocument, isRenewedInPlace: true },
    keyOf: () => "",
    viewsOf: ({ moduleConfigs }) => moduleConfigs,
    listOf: ({ moduleConfigs }) => moduleConfigs,
  },
} satisfies {
  readonly message: SnapshotFamily<SnapshotMessage>;
  readonly vehicle_data: SnapshotFamily<SnapshotVehicleData>;
  readonly group: SnapshotFamily<SnapshotGroup>;
  readonly module_config: SnapshotFamily<SnapshotModuleConfig>;
};

export const snapshotFamily = (family: RecordItemFamily): SnapshotFamily<SnapshotRecord> => snapshotFamilies[family];

const collect = (make: (family: SnapshotFamily<SnapshotRecord>) => unknown) =>
  Object.fromEntries(
    namesOf(snapshotFamilies).map((name) => [snapshotFamilies[name].member, make(snapshotFamily(name))]),
  );

/** Builds views for each family. They must contain that family's records: TypeScript cannot tell families apart. */
export const mapViews = (make: (family: SnapshotFamily<SnapshotRecord>) => Views<SnapshotRecord>) =>
  collect(make) as RecordMembers;
export const mapLists = (make: (family: SnapshotFamily<SnapshotRecord>) => readonly SnapshotRecord[]) =>
  collect(make) as RecordLists;

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
