import "server-only";
import { byLowerCase, distinct } from "@/lib/vocabulary/order";
import type { Environment } from "@/lib/vocabulary/terms";
import type { RecordList } from "@/lib/records/store/listing";
import { buildList, selectRecords } from "@/lib/records/store/queries";
import { buildItemRows, isNodeFound, isSearching, type VehicleDataRow } from "@/lib/records/vehicle-data/console-rows";
import { findGroupsUsing, vehicleDataSource } from "@/lib/records/vehicle-data/queries";
import type { VehicleDataListQuery } from "@/lib/records/vehicle-data/console-schema";
import { readOpenItems } from "@/lib/records/vehicle-data/list-address";
import type { VehicleDataRecord } from "@/lib/records/vehicle-data/rules";

export interface VehicleDataList extends RecordList<VehicleDataRow> {
  readonly types: readonly string[];
}

export type VehicleDataFilters = Pick<VehicleDataListQuery, "environment" | "state" | "q" | "type" | "use" | "sort">;

export async function loadVehicleDataList(query: VehicleDataListQuery): Promise<VehicleDataList> {
  const items = await selectItems(query);
  const open = new Set(readOpenItems(query.item));
  const list = await buildList(items, query, async (page, isNew) => {
    const names = page.map(({ name }) => name);
    const using = await findGroupsUsing(names, query.environment);
    return page.flatMap((record) => {
      const facts = { isNew: isNew(record), usedBy: using.get(record.name) ?? [] };
      return buildItemRows(record, facts, { isOpen: open.has(record.id), search: query });
    });
  });
  const types = items.visible.flatMap(({ nodes }) => nodes.map(({ type }) => type));
  return { ...list, types: distinct(types).sort(byLowerCase) };
}

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
