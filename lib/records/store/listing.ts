import { recordOf } from "@/lib/vocabulary/members";
import { byLowerCase } from "@/lib/vocabulary/order";
import type { VersionedRecord } from "@/lib/records/store/views";

/** States of a record: `new`, `edited` and `deleted` are kinds of `modified`, which means not in production. */
export const recordStates = ["all", "modified", "new", "edited", "deleted", "production"] as const;
export type RecordState = (typeof recordStates)[number];

export function isInState(
  { status, isDeleted }: Pick<VersionedRecord, "status" | "isDeleted">,
  isNew: boolean,
  state: RecordState,
): boolean {
  if (state === "all") return true;
  if (state === "production" || status === "PRODUCTION") return state === status.toLowerCase();
  if (state === "modified") return true;
  return state === (isDeleted ? "deleted" : isNew ? "new" : "edited");
}

export type StateCounts = Readonly<Record<RecordState, number>>;

export function countByState<R extends Pick<VersionedRecord, "status" | "isDeleted">>(
  records: readonly R[],
  isNew: (record: R) => boolean,
): StateCounts {
  const count = (state: RecordState) => records.filter((record) => isInState(record, isNew(record), state)).length;
  return recordOf(recordStates, count);
}

export const recordSorts = ["name", "-name", "changed", "-changed"] as const;

/** Sorts by name, by age with `changed`, or by one of `numbers`; a leading `-` is descending. */
export function sortRecords<R extends { readonly id: number }>(
  records: readonly R[],
  sort: string,
  nameOf: (record: R) => string,
  numbers: Readonly<Record<string, (record: R) => number>> = {},
): R[] {
  const sign = sort.startsWith("-") ? -1 : 1;
  // Records are append-only, so a greater id is a later change.
  const byAge = { changed: ({ id }: R) => id };
  const numberOf = new Map(Object.entries({ ...byAge, ...numbers })).get(sort.replace(/^-/, ""));
  const byName = (a: R, b: R) => byLowerCase(nameOf(a), nameOf(b));
  if (numberOf === undefined) return records.toSorted((a, b) => sign * byName(a, b));
  return records.toSorted((a, b) => sign * (numberOf(a) - numberOf(b)) || byName(a, b));
}

export interface ListedRecord extends VersionedRecord {
  readonly name: string;
  /** Not in production; an earlier, deleted item of this name does not count. */
  readonly isNew: boolean;
  /** ISO 8601. */
  readonly changedAt: string;
}

export interface RecordList<Row> {
  readonly rows: readonly Row[];
  readonly counts: StateCounts;
  readonly total: number;
  /** Number of records before the page. Past the end, the last page is shown. */
  readonly after: number;
  /** Number of records on the page, which may have several rows each. */
  readonly shown: number;
  readonly unfiltered: number;
  /** Number of records that are not in production, whatever the filters. */
  readonly waiting: number;
}

interface RowPage<T> {
  readonly page: readonly T[];
  readonly total: number;
  readonly after: number;
}

export function cutPage<T>(rows: readonly T[], query: { readonly size: number; readonly after: number }): RowPage<T> {
  const lastPage = Math.max(0, Math.ceil(rows.length / query.size) - 1) * query.size;
  const after = query.after < rows.length ? query.after : lastPage;
  return { page: rows.slice(after, after + query.size), total: rows.length, after };
}

export const pageSizes = [25, 50, 100] as const;
export type PageSize = (typeof pageSizes)[number];

export const defaultPageSize: PageSize = 50;

/** Cookie with the last page size chosen in this browser. Without it, the server would render lists twice. */
export const pageSizeCookie = "page-size";

export function readPageSize(text: string | null | undefined): PageSize | null {
  return pageSizes.find((size) => String(size) === text) ?? null;
}
