import "server-only";
import { byLowerCase, distinct } from "@/lib/labels/order";
import type { Environment } from "@/lib/labels/vocabulary";
import { countByState, cutPage, type RecordList, sortRecords } from "@/lib/content/records/listing";
import { loadVisible, selectRecords } from "@/lib/content/records/queries";
import {
  buildItemRows,
  type GroupLink,
  isNodeFound,
  isSearching,
  type VehicleDataRow,
  compareItems,
  type ItemChange,
} from "@/lib/content/vehicle-data/console-rows";
import { findGroupsUsing, vehicleDataSource } from "@/lib/content/vehicle-data/queries";
import type { VehicleDataListQuery } from "@/lib/content/vehicle-data/console-schema";
import { readOpenItems } from "@/lib/content/vehicle-data/list-address";
import type { VehicleDataRecord } from "@/lib/content/vehicle-data/rules";
import type { CsvValue } from "@/lib/platform/http/csv";
import { describeState, type ExportForm } from "@/lib/content/records/export";
import { buildRecordBody, buildWireVehicleData, type WireVehicleData } from "@/lib/content/vehicle-data/wire";

/** An item that the next promotion takes along. */
export interface PendingItem extends ItemChange {
  readonly id: number;
  readonly name: string;
  readonly isInProduction: boolean;
  /** Of a deleted one: the groups in production that grant it. */
  readonly usedBy: readonly GroupLink[];
}

/** One page of the list, by its items: one may have many rows. */
export interface VehicleDataList extends RecordList<VehicleDataRow> {
  /** How many items the page shows. */
  readonly shown: number;
  /** How many items the view has without any filter. */
  readonly unfiltered: number;
  /** The types that occur in the view. */
  readonly types: readonly string[];
  /** All that is not in production; empty where production itself is shown. */
  readonly pending: readonly PendingItem[];
}

/** What narrows and orders the list, whatever the page. */
export type VehicleDataFilters = Pick<VehicleDataListQuery, "environment" | "state" | "q" | "type" | "use" | "sort">;

/**
 * Loads a page of the list of custom vehicle data. Searches look into all depths, so all trees of the
 * view are read; what is inside an item goes to the page only where it is shown.
 *
 * @throws DatabaseUnavailable
 */
export async function loadVehicleDataList(query: VehicleDataListQuery): Promise<VehicleDataList> {
  const { environment } = query;
  const { visible, isNew, passing, listed } = await selectItems(query);
  const { page, ...place } = cutPage(listed, query);
  const using = await findGroupsUsing(
    page.map(({ name }) => name),
    environment,
  );
  const open = new Set(readOpenItems(query.item));
  return {
    rows: page.flatMap((record) =>
      buildItemRows(
        record,
        { isNew: isNew(record), usedBy: using.get(record.name) ?? [] },
        { isOpen: open.has(record.id), search: query },
      ),
    ),
    counts: countByState(passing, isNew),
    ...place,
    shown: page.length,
    unfiltered: visible.length,
    types: distinct(visible.flatMap(({ nodes }) => nodes.map(({ type }) => type))).sort(byLowerCase),
    pending: await buildPending(visible),
  };
}

/**
 * Finds every item that the list shows under these filters, in its order.
 *
 * @throws DatabaseUnavailable
 */
export async function findListedItems(filters: VehicleDataFilters): Promise<readonly VehicleDataRecord[]> {
  return (await selectItems(filters)).listed;
}

function selectItems(filters: VehicleDataFilters) {
  return selectRecords(vehicleDataSource, filters, (items) => {
    const found = isSearching(filters)
      ? items.filter(({ nodes }) => nodes.some((node) => isNodeFound(node, filters)))
      : items;
    return filters.use === "unused" ? keepUnused(found, filters.environment) : found;
  });
}

async function keepUnused(records: readonly VehicleDataRecord[], environment: Environment) {
  const using = await findGroupsUsing(
    records.map(({ name }) => name),
    environment,
  );
  return records.filter(({ name }) => !using.has(name));
}

/** What the next promotion takes along, by name. */
export async function listPendingItems(): Promise<PendingItem[]> {
  return buildPending(await loadVisible(vehicleDataSource, "staging"));
}

async function buildPending(records: readonly VehicleDataRecord[]): Promise<PendingItem[]> {
  const staged = records.filter(({ status }) => status === "STAGING");
  const deleted = staged.filter(({ isDeleted }) => isDeleted).map(({ name }) => name);
  const [using, promoted] = await Promise.all([
    findGroupsUsing(deleted, "production"),
    loadVisible(vehicleDataSource, "production", { keys: staged.map(({ name }) => name) }),
  ]);
  const production = new Map(promoted.map((record) => [record.name, record]));
  return sortRecords(staged, "name", ({ name }) => name).map((record) => ({
    id: record.id,
    name: record.name,
    isInProduction: production.has(record.name),
    ...compareItems(production.get(record.name) ?? null, record),
    usedBy: using.get(record.name) ?? [],
  }));
}

const nodeColumns = [
  "name",
  "type",
  "key",
  "array",
  "mandatory",
  "min_value",
  "max_value",
  "min_length",
  "max_length",
  "min_size",
  "max_size",
] as const;

/**
 * Items as files, with all that is inside: a table with one line for each node, or bodies that `POST vehicle-data` takes one
 * by one.
 */
export const vehicleDataFiles: ExportForm<VehicleDataRecord> = {
  name: "vehicle-data",
  member: "custom_vehicle_data",
  toBody: buildRecordBody,
  columns: ["item", "status", "path", ...nodeColumns],
  lines: (item) => {
    const tree = buildWireVehicleData(item);
    return tree === null ? [] : listLines(tree, [item.name, describeState(item)], []);
  },
};

/** The line of a node and those of what is inside. */
function listLines(node: WireVehicleData, start: readonly CsvValue[], above: readonly string[]): CsvValue[][] {
  const path = [...above, node.name ?? ""];
  const line = [...start, path.join(" > "), ...nodeColumns.map((name) => node[name])];
  return [line, ...node.params.flatMap((child) => listLines(child, start, path))];
}
