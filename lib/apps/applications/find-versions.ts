import "server-only";
import { ApplicationFlagsModel, type ApplicationFlagsRecord } from "@/models/application-flags";
import { ApplicationModel, type ApplicationRecord } from "@/models/application";
import type { QueryFilter } from "mongoose";
import { z } from "zod";
import { decodeCursor, encodeCursor } from "@/lib/content/records/page";

/** A database filter on versions. */
export type ApplicationFilter = QueryFilter<ApplicationRecord>;

/** Uuids of blocked apps. Blocks are flags of apps, not of versions, and there are few. */
export function listBlocked(): Promise<string[]> {
  return uuidsWith({ isBlacklisted: true });
}

/** Uuids of the apps with these flags. */
export async function uuidsWith(filter: QueryFilter<ApplicationFlagsRecord>): Promise<string[]> {
  const found = await ApplicationFlagsModel.find(filter, { _id: 0, uuid: 1 }).lean();
  return found.map(({ uuid }) => uuid);
}

/** The filter with another condition, which may use the same members. */
export function withCondition(filter: ApplicationFilter, condition: ApplicationFilter): ApplicationFilter {
  return { ...filter, $and: [...(filter.$and ?? []), condition] };
}

/**
 * Finds the ids of all versions that match a filter, sorted and without paging.
 *
 * @param position start after this position
 */
export async function findIds(
  filter: ApplicationFilter,
  sort: ListSort,
  position: ListPosition | null = null,
): Promise<number[]> {
  const { field, direction } = buildListOrder(sort);
  const behind = position === null ? filter : withCondition(filter, buildRange({ field, direction }, position));
  const found = await ApplicationModel.find(behind, { _id: 1 })
    .sort({ [field]: direction, _id: direction })
    .lean();
  return found.map(({ _id }) => _id);
}

/** A page of a list. */
export interface VersionPage {
  readonly ids: readonly number[];
  /** Number of versions before the first one, as far as known. */
  readonly offset: number;
  /** Cursors of the neighboring pages; null if there is none. */
  readonly next: string | null;
  readonly previous: string | null;
}

/** Where a page starts, and whether it is read backwards from there. */
export interface PageStart {
  readonly position: ListPosition;
  readonly isBackward: boolean;
}

/**
 * Finds a page of the versions that match a filter.
 *
 * @param start null: the first page
 */
export async function findVersionPage(
  filter: ApplicationFilter,
  sort: ListSort,
  size: number,
  start: PageStart | null,
): Promise<VersionPage> {
  const isBackward = start?.isBackward ?? false;
  const { field, direction: forward } = buildListOrder(sort);
  const direction = isBackward ? (forward === 1 ? -1 : 1) : forward;
  const range = start && buildRange({ field, direction }, start.position);
  const found = await ApplicationModel.find(range === null ? filter : withCondition(filter, range), positionColumns)
    .sort({ [field]: direction, _id: direction })
    // One more than requested shows whether the list continues.
    .limit(size + 1)
    .lean();
  const goesOn = found.length > size;
  const page = found.slice(0, size);
  if (isBackward) page.reverse();

  const offset = buildOffset(start, page.length);
  const cursorAt = (row: Positioned | undefined, place: number) =>
    row === undefined ? null : buildCursor(sort, { ...positionOf(row, sort), offset: place });
  return {
    ids: page.map(({ _id }) => _id),
    offset,
    next: isBackward || goesOn ? cursorAt(page.at(-1), offset + page.length - 1) : null,
    previous: (isBackward ? goesOn : start !== null) ? cursorAt(page[0], offset) : null,
  };
}

function buildOffset(start: PageStart | null, length: number): number {
  if (start === null) return 0;
  const { offset = 0 } = start.position;
  return start.isBackward ? Math.max(0, offset - length) : offset + 1;
}

/** The stored member of each sort order. */
const fields = {
  id: "_id",
  name: "nameKey",
  updated: "updatedAt",
  updated_ts: "updatedAt",
  waiting: "storedAt",
} as const;
type SortName = keyof typeof fields;
/** Sort order of an app list; `-` is descending. */
type ListSort = SortName | `-${SortName}`;

/** The stored member and direction of a sort order. Ids order equal values. */
export interface ListOrder {
  readonly field: (typeof fields)[SortName];
  readonly direction: 1 | -1;
}

/** Reads a `sort` parameter. */
export function buildListOrder(sort: ListSort): ListOrder {
  const isDescending = sort.startsWith("-");
  const name = (isDescending ? sort.slice(1) : sort) as SortName;
  return { field: fields[name], direction: isDescending ? -1 : 1 };
}

/** An item at the edge of a page. */
export interface ListPosition {
  readonly id: number;
  /** The sort value; times in milliseconds since 1970. */
  readonly value: string | number;
  /** Number of items before it when the page was built, if known. Only displayed, never used for searching. */
  readonly offset?: number | undefined;
}

/** The members that form a position. */
type Positioned = Pick<ApplicationRecord, (typeof fields)[SortName]>;
const positionColumns = { _id: 1, nameKey: 1, updatedAt: 1, storedAt: 1 } as const;

/** The position of a version in a list. */
function positionOf(version: Positioned, sort: ListSort): ListPosition {
  const value = version[buildListOrder(sort).field];
  return { id: version._id, value: value instanceof Date ? value.getTime() : value };
}

/** Greatest valid time. */
const greatestTime = 8.64e15;
const cursorContent = z.tuple([
  z.string(),
  z.int().positive(),
  z.union([z.string(), z.number().min(-greatestTime).max(greatestTime)]),
  z.int().min(0).optional(),
]);

/** The cursor of a position. Only this server reads it. */
export function buildCursor(sort: string, { id, value, offset }: ListPosition): string {
  return encodeCursor([sort, id, value, ...(offset === undefined ? [] : [offset])]);
}

/** The position of a cursor; null if it does not belong to a list in this order. */
export function parseCursor(sort: string, cursor: string | undefined): ListPosition | null {
  const [cursorSort, id, value, offset] = cursorContent.safeParse(decodeCursor(cursor ?? "")).data ?? [];
  if (cursorSort !== sort || id === undefined || value === undefined) return null;
  return (typeof value === "string") === sort.endsWith("name") ? { id, value, offset } : null;
}

/** Everything after a position. An index uses the plain bound; the alternatives order equal values. */
function buildRange({ field, direction }: ListOrder, { id, value }: ListPosition): QueryFilter<ApplicationRecord> {
  const [beyond, from] = direction === 1 ? (["$gt", "$gte"] as const) : (["$lt", "$lte"] as const);
  if (field === "_id") return { _id: { [beyond]: id } };
  const bound = field === "nameKey" ? value : new Date(value);
  return {
    [field]: { [from]: bound },
    $or: [{ [field]: { [beyond]: bound } }, { [field]: bound, _id: { [beyond]: id } }],
  };
}

/** Escapes a text for a regular expression. */
export function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
