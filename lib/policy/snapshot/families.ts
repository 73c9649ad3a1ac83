import {
  groupDocument,
  messageDocument,
  moduleConfigDocument,
  vehicleDataDocument,
} from "@/lib/policy/documents/documents";
import type { SnapshotSource } from "@/lib/policy/snapshot/load-records";
import type {
  PolicySnapshot,
  SnapshotGroup,
  SnapshotMessage,
  SnapshotModuleConfig,
  SnapshotVehicleData,
  TableRecords,
  Views,
} from "@/lib/policy/table/snapshot";
import { namesOf } from "@/lib/vocabulary/members";
import type { RecordItemFamily } from "@/lib/vocabulary/release-items";
import type { RecordStatus } from "@/lib/vocabulary/terms";

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
