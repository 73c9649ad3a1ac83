import "server-only";
import { ApplicationFlagsModel, type ApplicationFlagsRecord } from "@/models/application-flags";
import { ApplicationModel, type ApplicationRecord } from "@/models/application";
import type { QueryFilter } from "mongoose";
import { z } from "zod";
import { decodeCursor, encodeCursor } from "@/lib/content/records/page";

/** What is asked of a version. */
export type ApplicationFilter = QueryFilter<ApplicationRecord>;

/** Uuids of blocked apps: flags, and not versions, say who is blocked, and there are few of them. */
export function listBlocked(): Promise<string[]> {
  return uuidsWith({ isBlacklisted: true });
}

/** Uuids of the apps with these flags. */
export async function uuidsWith(filter: QueryFilter<ApplicationFlagsRecord>): Promise<string[]> {
  const found = await ApplicationFlagsModel.find(filter, { _id: 0, uuid: 1 }).lean();
  return found.map(({ uuid }) => uuid);
}

/** The filter with one more condition, which may name members that it names already. */
export function withCondition(filter: ApplicationFilter, condition: ApplicationFilter): ApplicationFilter {
  return { ...filter, $and: [...(filter.$and ?? []), condition] };
}

/**
 * Finds the ids of all versions that meet a filter, in an order and without pages.
 *
 * @param position what they stand behind
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

/** A part of a list. */
export interface VersionPage {
  readonly ids: readonly number[];
  /** How many versions stand before the first one, as far as known. */
  readonly offset: number;
  /** Cursors of the neighbouring pages; null where there is none. */
  readonly next: string | null;
  readonly previous: string | null;
}

/** What a page begins behind, and whether it is read backwards from there. */
export interface PageStart {
  readonly position: ListPosition;
  readonly isBackward: boolean;
}

/**
 * Finds a page of the versions that meet a filter.
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
    // One more than wanted tells whether the list goes on.
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

/** The stored member that each order goes by. */
const fields = {
  id: "_id",
  name: "nameKey",
  updated: "updatedAt",
  updated_ts: "updatedAt",
  waiting: "storedAt",
} as const;
type SortName = keyof typeof fields;
/** An order of a list of apps; `-` is descending. */
export type ListSort = SortName | `-${SortName}`;

/** Which stored member decides the order, and in which direction. The id decides between equals. */
export interface ListOrder {
  readonly field: (typeof fields)[SortName];
  readonly direction: 1 | -1;
}

/** The order a `sort` member asks for. */
export function buildListOrder(sort: ListSort): ListOrder {
  const isDescending = sort.startsWith("-");
  const name = (isDescending ? sort.slice(1) : sort) as SortName;
  return { field: fields[name], direction: isDescending ? -1 : 1 };
}

/** An element at the edge of a page. */
export interface ListPosition {
  readonly id: number;
  /** What the element is ordered by; times in milliseconds since 1970. */
  readonly value: string | number;
  /** How many elements stand before it, as far as known when the page was made. Only shown, never searched by. */
  readonly offset?: number | undefined;
}

/** The members that a position is made of. */
type Positioned = Pick<ApplicationRecord, (typeof fields)[SortName]>;
const positionColumns = { _id: 1, nameKey: 1, updatedAt: 1, storedAt: 1 } as const;

/** The position of a version in a list. */
function positionOf(version: Positioned, sort: ListSort): ListPosition {
  const value = version[buildListOrder(sort).field];
  return { id: version._id, value: value instanceof Date ? value.getTime() : value };
}

/** Beyond it there are no times. */
const greatestTime = 8.64e15;
const cursorContent = z.tuple([
  z.string(),
  z.int().positive(),
  z.union([z.string(), z.number().min(-greatestTime).max(greatestTime)]),
  z.int().min(0).optional(),
]);

/** The cursor of a position; only this server reads it. */
export function buildCursor(sort: ListSort, { id, value, offset }: ListPosition): string {
  return encodeCursor([sort, id, value, ...(offset === undefined ? [] : [offset])]);
}

/** The position a cursor stands for, or null when it is none of a list in this order. */
export function parseCursor(sort: ListSort, cursor: string | undefined): ListPosition | null {
  const [cursorSort, id, value, offset] = cursorContent.safeParse(decodeCursor(cursor ?? "")).data ?? [];
  if (cursorSort !== sort || id === undefined || value === undefined) return null;
  return (typeof value === "string") === (buildListOrder(sort).field === "nameKey") ? { id, value, offset } : null;
}

/** Everything behind a position. The plain bound lets an index find the place, the alternatives decide between equals. */
function buildRange({ field, direction }: ListOrder, { id, value }: ListPosition): QueryFilter<ApplicationRecord> {
  const [beyond, from] = direction === 1 ? (["$gt", "$gte"] as const) : (["$lt", "$lte"] as const);
  if (field === "_id") return { _id: { [beyond]: id } };
  const bound = field === "nameKey" ? value : new Date(value);
  return {
    [field]: { [from]: bound },
    $or: [{ [field]: { [beyond]: bound } }, { [field]: bound, _id: { [beyond]: id } }],
  };
}

/** The text as a regular expression that finds exactly it. */
export function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
