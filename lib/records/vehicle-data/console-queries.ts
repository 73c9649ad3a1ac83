import "server-only";
import { byLowerCase, distinct } from "@/lib/vocabulary/order";
import type { Environment } from "@/lib/vocabulary/terms";
import { countByState, cutPage, type RecordList } from "@/lib/records/store/listing";
import { selectRecords } from "@/lib/records/store/queries";
import { buildItemRows, isNodeFound, isSearching, type VehicleDataRow } from "@/lib/records/vehicle-data/console-rows";
import { findGroupsUsing, vehicleDataSource } from "@/lib/records/vehicle-data/queries";
import type { VehicleDataListQuery } from "@/lib/records/vehicle-data/console-schema";
import { readOpenItems } from "@/lib/records/vehicle-data/list-address";
import type { VehicleDataRecord } from "@/lib/records/vehicle-data/rules";

/** One page of the list, counted in items, because an item may have many rows. */
export interface VehicleDataList extends RecordList<VehicleDataRow> {
  readonly shown: number;
  readonly unfiltered: number;
  readonly types: readonly string[];
  readonly waiting: number;
}

export type VehicleDataFilters = Pick<VehicleDataListQuery, "environment" | "state" | "q" | "type" | "use" | "sort">;

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
    waiting: visible.filter(({ status }) => status === "STAGING").length,
  };
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
