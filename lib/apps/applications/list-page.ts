import type { QueryFilter } from "mongoose";
import { z } from "zod";
import { decodeCursor, encodeCursor } from "@/lib/content/records/page";
import type { ApplicationRecord } from "@/models/application";

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
export type Positioned = Pick<ApplicationRecord, (typeof fields)[SortName]>;
export const positionColumns = { _id: 1, nameKey: 1, updatedAt: 1, storedAt: 1 } as const;

/** The position of a version in a list. */
export function positionOf(version: Positioned, sort: ListSort): ListPosition {
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
export function buildRange(
  { field, direction }: ListOrder,
  { id, value }: ListPosition,
): QueryFilter<ApplicationRecord> {
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
