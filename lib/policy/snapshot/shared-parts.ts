import type { ClientSession } from "mongoose";
import type { ReportDamage } from "@/lib/policy/snapshot/damage";
import { PermissionLoader, RpcSpecificationLoader } from "@/lib/policy/snapshot/load-lists";
import { RecordViews } from "@/lib/policy/snapshot/load-records";
import { vehicleDataDocument } from "@/lib/policy/snapshot/vehicle-data-documents";
import { groupDocument, messageDocument, moduleConfigDocument, type PolicySnapshot } from "@/lib/policy/table/snapshot";

/** How the records of each family are read. */
export const recordSources = {
  groups: { family: "groups", document: groupDocument },
  messages: { family: "messages", document: messageDocument },
  moduleConfigs: { family: "moduleConfigs", document: moduleConfigDocument, isRenewedInPlace: true },
  vehicleData: { family: "vehicleData", document: vehicleDataDocument },
} as const;

/** Reads one part of the snapshot, and returns what takes it over once the whole reading has succeeded. */
export interface Part {
  read(session: ClientSession, pace: () => Promise<void>, sinceRevision: number): Promise<() => void>;
}

/** Everything of a snapshot that is not about single apps. */
export interface SharedParts {
  readonly all: readonly Part[];
  /** What they hold by now. */
  readonly contents: () => Omit<PolicySnapshot, "revision" | "apps">;
}

/** Makes the readers of the sections that all vehicles share. Each keeps what it has read, and reads what is new. */
export function createSharedParts(report: ReportDamage): SharedParts {
  const groups = new RecordViews(recordSources.groups, report);
  const messages = new RecordViews(recordSources.messages, report);
  const moduleConfigs = new RecordViews(recordSources.moduleConfigs, report);
  const vehicleData = new RecordViews(recordSources.vehicleData, report);
  const permissions = new PermissionLoader(report);
  const rpcSpec = new RpcSpecificationLoader(report);
  return {
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
