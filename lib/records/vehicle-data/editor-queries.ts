import "server-only";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import type { Environment, RecordStatus } from "@/lib/vocabulary/terms";
import { findStates, loadVisible } from "@/lib/records/store/queries";
import { isVisible } from "@/lib/records/store/views";
import type { GroupLink } from "@/lib/records/vehicle-data/console-rows";
import type { VehicleDataPageQuery } from "@/lib/records/vehicle-data/console-schema";
import {
  findGroupsUsing,
  findRecordOfNode,
  loadWireTypes,
  vehicleDataSource,
} from "@/lib/records/vehicle-data/queries";
import type { VehicleDataRecord } from "@/lib/records/vehicle-data/rules";
import { findSpecificationNames } from "@/lib/records/vehicle-data/specification";
import { buildWireVehicleData, vehicleDataTemplate, type WireVehicleData } from "@/lib/records/vehicle-data/wire";

export interface VehicleDataPage {
  readonly item: WireVehicleData;
  /** The node with the requested id: the item itself or a node inside it; null for a new item. */
  readonly nodeId: number | null;
  readonly environment: Environment;
  readonly status: RecordStatus | null;
  readonly isPromoted: boolean;
  /** ISO 8601; null for a new item. */
  readonly changedAt: string | null;
  readonly usedBy: readonly GroupLink[];
  readonly types: readonly string[];
  /** False if no RPC specification is stored; then other types may be valid too. */
  readonly isSpecified: boolean;
  readonly natives: readonly string[];
  /** The other items in staging, which a new item must not overwrite. */
  readonly taken: Readonly<Record<string, number>>;
}

/** Finds the item of a URL. An outdated id leads to the newest version (`movedTo`), to the node with the same path. */
export async function findVehicleDataPage(
  query: VehicleDataPageQuery,
): Promise<VehicleDataPage | { readonly movedTo: number; readonly environment: Environment } | null> {
  await requireDatabase();
  if (query.id === undefined) return findNewItem(query);
  const stored = await findRecordOfNode(query.id);
  if (stored === null) return null;
  const environment = query.environment ?? (stored.status === "STAGING" ? "staging" : "production");
  const record = await findNewest(stored.name, environment);
  if (record === null) return null;
  if (record.id !== stored.id) return { movedTo: findSameNode(record, stored, query.id), environment };
  const item = buildWireVehicleData(record);
  if (item === null) return null;
  const production = environment === "staging" ? await findNewest(record.name, "production") : record;
  const using = await findGroupsUsing([record.name], environment);
  return {
    ...(await loadSurroundings(record.name)),
    item,
    nodeId: query.id,
    environment,
    status: record.status,
    isPromoted: production !== null,
    changedAt: record.createdAt.toISOString(),
    usedBy: using.get(record.name) ?? [],
  };
}

function findSameNode(record: VehicleDataRecord, stored: VehicleDataRecord, nodeId: number): number {
  const names: string[] = [];
  let node = stored.nodes.find(({ id }) => id === nodeId);
  while (node !== undefined && node.parentId !== null) {
    names.unshift(node.name);
    const { parentId } = node;
    node = stored.nodes.find(({ id }) => id === parentId);
  }
  let found = record.id;
  for (const name of names) {
    const next = record.nodes.find((one) => one.parentId === found && one.name === name);
    if (next === undefined) return record.id;
    found = next.id;
  }
  return found;
}

async function findNewItem({ from }: VehicleDataPageQuery): Promise<VehicleDataPage | null> {
  const source = from === undefined ? null : await findRecordOfNode(from);
  if (from !== undefined && source === null) return null;
  const copy = source && buildWireVehicleData(source);
  return {
    ...(await loadSurroundings(null)),
    item: copy ? { ...copy, name: `${copy.name ?? ""}Copy`, is_deleted: false } : vehicleDataTemplate,
    nodeId: null,
    environment: "staging",
    status: null,
    isPromoted: false,
    changedAt: null,
    usedBy: [],
  };
}

async function findNewest(name: string, environment: Environment): Promise<VehicleDataRecord | null> {
  const [record] = await loadVisible(vehicleDataSource, environment, { keys: [name] });
  return record ?? null;
}

async function loadSurroundings(ownName: string | null) {
  const [types, names, states] = await Promise.all([
    loadWireTypes(),
    findSpecificationNames(),
    findStates("vehicle_data", "staging"),
  ]);
  const others = states.filter((state) => state.key !== ownName && isVisible(state, "staging"));
  return {
    types: types.map(({ name }) => name),
    isSpecified: names !== null,
    natives: [...(names?.natives ?? [])],
    taken: Object.fromEntries(others.map(({ key, id }) => [key, id])),
  };
}
