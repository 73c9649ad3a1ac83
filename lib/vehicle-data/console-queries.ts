import "server-only";
import { requireDatabase } from "@/lib/db/connection/connect";
import { findHeads } from "@/lib/db/heads";
import { byLowerCase, distinct } from "@/lib/words/order";
import { type Environment } from "@/lib/words/vocabulary";
import { isVisible } from "@/lib/records/views";
import {
  buildItemRows,
  type GroupLink,
  isNodeFound,
  isSearching,
  type VehicleDataRow,
} from "@/lib/vehicle-data/console-rows";
import { compareItems, type ItemChange } from "@/lib/vehicle-data/describe";
import { findGroupsUsing } from "@/lib/vehicle-data/group-use";
import {
  readOpenItems,
  type VehicleDataListQuery,
  type VehicleDataSort,
  type VehicleDataState,
} from "@/lib/vehicle-data/list-address";
import { loadVehicleDataRecords } from "@/lib/vehicle-data/queries";
import { type VehicleDataRecord } from "@/lib/vehicle-data/rules";

/** An item that the next promotion takes along. */
export interface PendingItem extends ItemChange {
  readonly id: number;
  readonly name: string;
  readonly isInProduction: boolean;
  /** Of a deleted one: the groups in production that grant it. */
  readonly usedBy: readonly GroupLink[];
}

/** One page of the list. */
export interface VehicleDataList {
  readonly rows: readonly VehicleDataRow[];
  /** How many items pass the other filters, by state. */
  readonly counts: Readonly<Record<VehicleDataState, number>>;
  /** How many items the chosen state has, and how many stand before the page shown. */
  readonly total: number;
  readonly after: number;
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
 * Loads a page of the list of custom vehicle data (`pages.md` 2.9.1). Searches look into all depths, so all trees of the
 * view are read; what is inside an item goes to the page only where it is shown.
 *
 * @throws DatabaseUnavailable
 */
export async function loadVehicleDataList(query: VehicleDataListQuery): Promise<VehicleDataList> {
  const { environment } = query;
  const { all, production, isNew, listState } = await loadView(query);
  const listed = listState(query.state);
  const after = Math.min(query.after, Math.max(0, Math.ceil(listed.length / query.size) - 1) * query.size);
  const page = listed.slice(after, after + query.size);
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
    counts: {
      all: listState("all").length,
      modified: listState("modified").length,
      new: listState("new").length,
      deleted: listState("deleted").length,
    },
    total: listed.length,
    after,
    shown: page.length,
    unfiltered: all.length,
    types: distinct(all.flatMap(({ nodes }) => nodes.map(({ type }) => type))).sort(byLowerCase),
    pending: await buildPending(all, production),
  };
}

/**
 * Finds every item that the list shows under these filters, in its order.
 *
 * @throws DatabaseUnavailable
 */
export async function findListedItems(filters: VehicleDataFilters): Promise<readonly VehicleDataRecord[]> {
  return (await loadView(filters)).listState(filters.state);
}

/** All items of the view, and those that pass the filters by their state. */
async function loadView(filters: VehicleDataFilters) {
  await requireDatabase();
  const { environment } = filters;
  const heads = await findHeads("vehicleData", environment);
  const all = (await loadVehicleDataRecords(heads.map(({ id }) => id))).filter((record) =>
    isVisible(record, environment),
  );
  const production = await loadPromoted(all.filter(({ status }) => status === "STAGING"));
  const isNew = (record: VehicleDataRecord) => record.status === "STAGING" && !production.has(record.name);
  const searched = all.filter(({ nodes }) => !isSearching(filters) || nodes.some((node) => isNodeFound(node, filters)));
  const passing = sortItems(
    filters.use === "unused" ? await keepUnused(searched, environment) : searched,
    filters.sort,
  );
  const listState = (state: VehicleDataState) => passing.filter((record) => isInState(record, state, isNew(record)));
  return { all, production, isNew, listState };
}

/** What production has of these items, by name; deleted ones are not there. */
async function loadPromoted(staged: readonly VehicleDataRecord[]): Promise<ReadonlyMap<string, VehicleDataRecord>> {
  if (staged.length === 0) return new Map();
  const heads = await findHeads("vehicleData", "production", { keys: staged.map(({ name }) => name) });
  const records = await loadVehicleDataRecords(heads.map(({ id }) => id));
  return new Map(records.filter(({ isDeleted }) => !isDeleted).map((record) => [record.name, record]));
}

async function keepUnused(records: readonly VehicleDataRecord[], environment: Environment) {
  const using = await findGroupsUsing(
    records.map(({ name }) => name),
    environment,
  );
  return records.filter(({ name }) => !using.has(name));
}

function isInState(record: VehicleDataRecord, state: VehicleDataState, isNew: boolean): boolean {
  if (state === "all") return true;
  if (record.status !== "STAGING") return false;
  if (state === "deleted") return record.isDeleted;
  return state === "modified" || (isNew && !record.isDeleted);
}

function sortItems(records: readonly VehicleDataRecord[], sort: VehicleDataSort): VehicleDataRecord[] {
  const sign = sort.startsWith("-") ? -1 : 1;
  // Records are append-only: the greater id is the later change.
  const compare = (a: VehicleDataRecord, b: VehicleDataRecord) =>
    sort.endsWith("changed") ? a.id - b.id : byLowerCase(a.name, b.name);
  return records.toSorted((a, b) => sign * compare(a, b));
}

async function buildPending(
  records: readonly VehicleDataRecord[],
  production: ReadonlyMap<string, VehicleDataRecord>,
): Promise<PendingItem[]> {
  const staged = records.filter(({ status }) => status === "STAGING");
  const deleted = staged.filter(({ isDeleted }) => isDeleted).map(({ name }) => name);
  const using = await findGroupsUsing(deleted, "production");
  return staged
    .toSorted((a, b) => byLowerCase(a.name, b.name))
    .map((record) => ({
      id: record.id,
      name: record.name,
      isInProduction: production.has(record.name),
      ...compareItems(production.get(record.name) ?? null, record),
      usedBy: using.get(record.name) ?? [],
    }));
}

/** What the next promotion takes along, by name. */
export async function listPendingItems(): Promise<PendingItem[]> {
  const heads = await findHeads("vehicleData", "staging");
  const records = (await loadVehicleDataRecords(heads.map(({ id }) => id))).filter((one) => isVisible(one, "staging"));
  const staged = records.filter(({ status }) => status === "STAGING");
  return buildPending(staged, await loadPromoted(staged));
}
