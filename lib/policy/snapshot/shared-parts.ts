import type { ClientSession } from "mongoose";
import type { ReportDamage } from "@/lib/policy/snapshot/damage";
import { PermissionLoader, RpcSpecificationLoader } from "@/lib/policy/snapshot/load-lists";
import { RecordViews } from "@/lib/policy/snapshot/load-records";
import { vehicleDataDocument } from "@/lib/policy/snapshot/vehicle-data-documents";
import type { RecordFamilyName } from "@/lib/platform/db/heads";
import {
  groupDocument,
  messageDocument,
  moduleConfigDocument,
  type PolicySnapshot,
  type SnapshotGroup,
  type SnapshotMessage,
  type SnapshotVehicleData,
} from "@/lib/policy/table/snapshot";

/** How the records of each family are read. */
export const recordSources = {
  groups: { family: "groups", document: groupDocument, keyOf: ({ name }: SnapshotGroup) => name },
  messages: { family: "messages", document: messageDocument, keyOf: ({ category }: SnapshotMessage) => category },
  moduleConfigs: { family: "moduleConfigs", document: moduleConfigDocument, keyOf: () => "", isRenewedInPlace: true },
  vehicleData: { family: "vehicleData", document: vehicleDataDocument, keyOf: ({ name }: SnapshotVehicleData) => name },
} as const;

/** Reads one part of the snapshot, and returns what takes it over once the whole reading has succeeded. */
export interface Part {
  read(session: ClientSession, pace: () => Promise<void>, sinceRevision: number): Promise<() => void>;
}

/** Everything of a snapshot that is not about single apps. */
export interface SharedParts {
  readonly all: readonly Part[];
  /** The same of each family of records. */
  readonly records: Readonly<Record<RecordFamilyName, Part>>;
  /** What they hold by now. */
  readonly contents: () => Omit<PolicySnapshot, "revision" | "apps">;
}

/**
 * Makes the readers of the sections that all vehicles share. Each keeps what it has read, and reads what is new.
 *
 * @param known what there was at an earlier revision, after which the first reading goes on
 */
export function createSharedParts(report: ReportDamage, known: PolicySnapshot | null = null): SharedParts {
  const groups = new RecordViews(recordSources.groups, report, known?.groups);
  const messages = new RecordViews(recordSources.messages, report, known?.messages);
  const moduleConfigs = new RecordViews(recordSources.moduleConfigs, report, known?.moduleConfigs);
  const vehicleData = new RecordViews(recordSources.vehicleData, report, known?.vehicleData);
  const permissions = new PermissionLoader(report, known?.permissions);
  const rpcSpec = new RpcSpecificationLoader(report, known?.rpcSpec);
  return {
    records: { groups, messages, moduleConfigs, vehicleData },
    all: [groups, messages, moduleConfigs, vehicleData, permissions, rpcSpec],
    contents: () => ({
      groups: groups.views,
      messages: messages.views,
      moduleConfigs: moduleConfigs.views,
      vehicleData: vehicleData.views,
      permissions: permissions.list,
      rpcSpec: rpcSpec.newest,
    }),
  };
}
