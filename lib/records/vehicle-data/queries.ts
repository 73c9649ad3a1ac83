import "server-only";
import type { ClientSession } from "mongoose";
import { findHeads, recordFamilies, findHeadIds } from "@/lib/platform/db/heads";
import { pickMembers, recordOf } from "@/lib/vocabulary/members";
import { byLowerCase } from "@/lib/vocabulary/order";
import { type Environment, limitNames } from "@/lib/vocabulary/terms";
import type { RecordSource } from "@/lib/records/store/family";
import { listRecords } from "@/lib/records/store/queries";
import { isVisible } from "@/lib/records/store/views";
import type { VehicleDataNode, VehicleDataRecord } from "@/lib/records/vehicle-data/rules";
import type { VehicleDataQuery } from "@/lib/records/vehicle-data/schema";
import { findSpecificationNames } from "@/lib/records/vehicle-data/specification";
import {
  buildWireTypes,
  buildWireVehicleData,
  vehicleDataTemplate,
  type WireVehicleData,
} from "@/lib/records/vehicle-data/wire";
import { CustomVehicleDataModel, type CustomVehicleDataRecord } from "@/models/custom-vehicle-data";
import type { GroupLink } from "@/lib/records/vehicle-data/console-rows";
import { FunctionalGroupModel } from "@/models/functional-group";

export const vehicleDataSource: RecordSource<VehicleDataRecord> = {
  ...recordFamilies.vehicle_data,
  load: loadVehicleDataRecords,
  keyOf: ({ name }) => name,
  compareKeys: byLowerCase,
  searchTexts: ({ nodes }) => nodes.flatMap(({ name, key }) => [name, key]),
};

export async function findVehicleDataByNode(
  nodeId: number,
  environment: Environment,
): Promise<VehicleDataRecord | null> {
  const record = await findRecordOfNode(nodeId);
  if (record === null) return null;
  const [head] = await findHeads("vehicle_data", environment, { keys: [record.name] });
  return head?.id === record.id && isVisible(record, environment) ? record : null;
}

export async function findRecordOfNode(nodeId: number): Promise<VehicleDataRecord | null> {
  const stored = await CustomVehicleDataModel.findOne({ "nodes.id": nodeId }).lean();
  return stored === null ? null : toRecord(stored);
}

/** Reads records by id, unordered. */
export async function loadVehicleDataRecords(
  ids: readonly number[],
  session?: ClientSession,
): Promise<VehicleDataRecord[]> {
  const documents = await CustomVehicleDataModel.find({ _id: { $in: ids } })
    .session(session ?? null)
    .lean();
  return documents.map(toRecord);
}

export async function loadWireVehicleData(query: VehicleDataQuery): Promise<{
  readonly custom_vehicle_data: readonly WireVehicleData[];
  /** Only with `limit`. */
  readonly next_cursor?: string | null;
}> {
  if (query.template) return { custom_vehicle_data: [vehicleDataTemplate] };
  if (query.id !== undefined) {
    const record = await findVehicleDataByNode(query.id, query.environment);
    const tree = record && buildWireVehicleData(record, query.id);
    return { custom_vehicle_data: tree === null ? [] : [tree] };
  }
  const { items, nextCursor } = await listRecords(vehicleDataSource, query);
  const trees = items.flatMap((record) => buildWireVehicleData(record) ?? []);
  return { custom_vehicle_data: trees, ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }) };
}

export async function loadWireTypes() {
  const names = await findSpecificationNames();
  return buildWireTypes(names?.enumerations ?? []);
}

function toRecord({ _id, ...stored }: CustomVehicleDataRecord): VehicleDataRecord {
  return {
    id: _id,
    name: stored.name,
    status: stored.status,
    isDeleted: stored.isDeleted,
    createdAt: stored.createdAt,
    updatedAt: stored.updatedAt,
    nodes: stored.nodes.map(toNode),
  };
}

function toNode(node: CustomVehicleDataRecord["nodes"][number]): VehicleDataNode {
  return {
    id: node.id,
    parentId: node.parentId ?? null,
    ...pickMembers(node, ["name", "key", "type", "mandatory", "array"]),
    ...recordOf(limitNames, (limit) => node[limit] ?? null),
  };
}

interface UsingGroup {
  readonly _id: number;
  readonly name: string;
  readonly isDeleted: boolean;
  readonly rpcs: readonly { readonly parameters?: readonly string[] }[];
}

/** Finds the groups of a view that allow items, by item name; groups marked for deletion do not count. */
export async function findGroupsUsing(
  names: readonly string[],
  environment: Environment,
): Promise<ReadonlyMap<string, readonly GroupLink[]>> {
  const using = new Map<string, GroupLink[]>();
  if (names.length === 0) return using;
  const ids = await findHeadIds("group", environment);
  const groups = await FunctionalGroupModel.find(
    { _id: { $in: ids }, "rpcs.parameters": { $in: [...names] } },
    { name: 1, isDeleted: 1, "rpcs.parameters": 1 },
  ).lean<readonly UsingGroup[]>();
  const wanted = new Set(names);
  for (const { _id, name, isDeleted, rpcs } of groups.toSorted((a, b) => byLowerCase(a.name, b.name))) {
    if (isDeleted) continue;
    for (const parameter of new Set(rpcs.flatMap(({ parameters = [] }) => parameters))) {
      if (wanted.has(parameter)) using.set(parameter, [...(using.get(parameter) ?? []), { id: _id, name }]);
    }
  }
  return using;
}
