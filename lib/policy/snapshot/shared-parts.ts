import type { ClientSession } from "mongoose";
import { namesOf, recordOf } from "@/lib/labels/members";
import type { RecordItemFamily } from "@/lib/labels/release-items";
import type { RecordStatus } from "@/lib/labels/vocabulary";
import {
  groupDocument,
  messageDocument,
  moduleConfigDocument,
  vehicleDataDocument,
} from "@/lib/policy/documents/documents";
import type { ReportDamage } from "@/lib/policy/snapshot/damage";
import { PermissionLoader, RpcSpecificationLoader } from "@/lib/policy/snapshot/load-lists";
import { type RecordSource, RecordViews } from "@/lib/policy/snapshot/load-records";
import type {
  PolicySnapshot,
  SnapshotGroup,
  SnapshotMessage,
  SnapshotModuleConfig,
  SnapshotVehicleData,
  Views,
} from "@/lib/policy/table/snapshot";

/** A record as a snapshot has it, whatever its family. */
export interface SnapshotRecord {
  readonly id: number;
  readonly status: RecordStatus;
  readonly isDeleted?: boolean;
}

/** The views of all families, as a snapshot has them. */
export type RecordMembers = Pick<PolicySnapshot, "groups" | "messages" | "moduleConfigs" | "vehicleData">;
/** A list of records of each family, under the same names. */
export type RecordLists = { readonly [Member in keyof RecordMembers]: RecordMembers[Member]["staging"] };

/** How the records of a family are read, and where a snapshot has them. */
export interface SnapshotFamily<T extends SnapshotRecord> extends RecordSource<T> {
  readonly member: keyof RecordMembers;
  viewsOf(snapshot: RecordMembers): Views<T>;
  listOf(lists: RecordLists): readonly T[];
}

/** The families that policy tables are made from, in the order in which a release lists them. */
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

/** A family, for what asks no more than keys and states. */
export const snapshotFamily = (family: RecordItemFamily): SnapshotFamily<SnapshotRecord> => snapshotFamilies[family];

const collect = (make: (family: SnapshotFamily<SnapshotRecord>) => unknown) =>
  Object.fromEntries(
    namesOf(snapshotFamilies).map((name) => [snapshotFamilies[name].member, make(snapshotFamily(name))]),
  );

/** Makes views for each family. They must be of records of that family: the compiler takes one for another. */
export const mapViews = (make: (family: SnapshotFamily<SnapshotRecord>) => Views<SnapshotRecord>) =>
  collect(make) as RecordMembers;
/** The same for one list of each family. */
export const mapLists = (make: (family: SnapshotFamily<SnapshotRecord>) => readonly SnapshotRecord[]) =>
  collect(make) as RecordLists;

/** Reads one part of the snapshot, and returns what takes it over once the whole reading has succeeded. */
export interface Part {
  read(session: ClientSession, pace: () => Promise<void>, sinceRevision: number): Promise<() => void>;
}

/** Everything of a snapshot that is not about single apps. */
export interface SharedParts {
  readonly all: readonly Part[];
  /** The same of each family of records. */
  readonly records: Readonly<Record<RecordItemFamily, Part>>;
  /** What they hold by now. */
  readonly contents: () => Omit<PolicySnapshot, "revision" | "apps">;
}

/**
 * Makes the readers of the sections that all vehicles share. Each keeps what it has read, and reads what is new.
 *
 * @param known what there was at an earlier revision, after which the first reading goes on
 */
export function createSharedParts(report: ReportDamage, known: PolicySnapshot | null = null): SharedParts {
  const records = recordOf(namesOf(snapshotFamilies), (name) => {
    const family = snapshotFamily(name);
    return new RecordViews(family, report, known && family.viewsOf(known));
  });
  const permissions = new PermissionLoader(report, known?.permissions);
  const rpcSpec = new RpcSpecificationLoader(report, known?.rpcSpec);
  return {
    records,
    all: [...Object.values(records), permissions, rpcSpec],
    contents: () => ({
      ...mapViews(({ family }) => records[family].views),
      permissions: permissions.list,
      rpcSpec: rpcSpec.newest,
    }),
  };
}
