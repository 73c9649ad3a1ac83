import { limitNames } from "@/lib/vocabulary/terms";
import { pickMembers, recordOf, snakeName, toSnakeMembers } from "@/lib/vocabulary/members";
import { byLowerCase } from "@/lib/vocabulary/order";
import {
  basicTypes,
  nodeMembers,
  type VehicleDataContent,
  type VehicleDataInput,
  type VehicleDataNode,
  type VehicleDataRecord,
} from "@/lib/records/vehicle-data/rules";
import { z } from "zod";
import { nextCursor, nullableText, recordStatus, timestamp } from "@/lib/platform/http/answer-schema";
import { newFindings } from "@/lib/policy/answer/answer-schema";

export type WireVehicleData = z.infer<typeof vehicleDataAnswer>;

export const vehicleDataTemplate: WireVehicleData = {
  id: null,
  parent_id: null,
  status: "STAGING",
  name: null,
  type: null,
  key: null,
  mandatory: false,
  ...toSnakeMembers(recordOf(limitNames, () => null)),
  array: false,
  is_deleted: false,
  params: [],
};

type UnsavedVehicleData = VehicleDataContent & Partial<VehicleDataRecord>;

/** Builds the tree of a record or of one node, children by name. Null if the record has no such node. */
export function buildWireVehicleData(
  record: UnsavedVehicleData,
  nodeId = record.id ?? record.nodes[0]?.id,
): WireVehicleData | null {
  const { id, status = "STAGING", createdAt, updatedAt } = record;
  const children = new Map<number, VehicleDataNode[]>();
  for (const node of record.nodes) {
    if (node.parentId === null) continue;
    children.set(node.parentId, [...(children.get(node.parentId) ?? []), node]);
  }
  const build = (node: VehicleDataNode): WireVehicleData => ({
    ...(id === undefined ? { id: null, parent_id: null } : { id: node.id, parent_id: node.parentId }),
    status,
    ...wireMembers(node),
    // Only a root can be deleted, together with its children.
    is_deleted: node.parentId === null && record.isDeleted,
    ...(createdAt && { created_ts: createdAt.toISOString() }),
    ...(updatedAt && { updated_ts: updatedAt.toISOString() }),
    params: (children.get(node.id) ?? []).toSorted((a, b) => byLowerCase(a.name, b.name)).map(build),
  });
  const start = record.nodes.find((node) => node.id === nodeId);
  return start === undefined ? null : build(start);
}

export function buildRecordBody(record: VehicleDataRecord) {
  const tree = buildWireVehicleData(record);
  return tree && { ...toBodyNode(tree), is_deleted: tree.is_deleted };
}

type BodyNode = Pick<WireVehicleData, (typeof wireNodeMembers)[number]> & { readonly params: readonly BodyNode[] };

function toBodyNode(node: WireVehicleData): BodyNode {
  return { ...pickMembers(node, wireNodeMembers), params: node.params.map(toBodyNode) };
}

export function buildWireTypes(enumerations: readonly string[]) {
  const basic = basicTypes.map((name) => ({ name, allow_params: name === "Struct" }));
  return [...basic, ...enumerations.map((name) => ({ name, allow_params: false }))];
}

const wireNodeMembers = nodeMembers.map(snakeName);

function wireMembers(node: Omit<VehicleDataInput, "params">) {
  return toSnakeMembers(pickMembers(node, nodeMembers));
}

const limit = z.number().nullable();

export const vehicleDataAnswer = z
  .object({
    id: z.int().nullable(),
    parent_id: z.int().nullable(),
    status: recordStatus,
    name: nullableText,
    type: nullableText,
    key: nullableText,
    mandatory: z.boolean(),
    min_length: limit,
    max_length: limit,
    min_size: limit,
    max_size: limit,
    min_value: limit,
    max_value: limit,
    array: z.boolean(),
    is_deleted: z.boolean(),
    created_ts: timestamp.optional().describe("Absent in the template"),
    updated_ts: timestamp.optional().describe("Absent in the template"),
    get params() {
      return z.array(vehicleDataAnswer);
    },
  })
  .meta({ id: "VehicleData", description: "An item of custom vehicle data, with the items inside it" });

export const vehicleDataListAnswer = z.object({
  custom_vehicle_data: z.array(vehicleDataAnswer),
  next_cursor: nextCursor,
});

export const savedVehicleDataAnswer = z.object({ custom_vehicle_data: z.array(vehicleDataAnswer), ...newFindings });

export const vehicleDataTypesAnswer = z.object({
  type: z.array(z.object({ name: z.string(), allow_params: z.boolean() })),
});

export const exportVehicleDataAnswer = z.object({
  custom_vehicle_data: z.array(z.looseObject({ name: z.string(), key: z.string(), type: z.string() })),
});
