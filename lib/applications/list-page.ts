import { z } from "zod";
import { type ApplicationSort } from "@/lib/applications/schema";
import { decodeCursor, encodeCursor } from "@/lib/records/page";

/** Which stored member decides the order, and in which direction. The id decides between equals. */
export interface ListOrder {
  readonly field: "_id" | "nameKey" | "updatedAt";
  readonly direction: 1 | -1;
}

const fields = { id: "_id", name: "nameKey", updated_ts: "updatedAt" } as const;

/** The order a `sort` parameter asks for. */
export function buildListOrder(sort: ApplicationSort): ListOrder {
  const isDescending = sort.startsWith("-");
  const name = (isDescending ? sort.slice(1) : sort) as keyof typeof fields;
  return { field: fields[name], direction: isDescending ? -1 : 1 };
}

/** Where a page ended: the last element's id and the value it was ordered by. */
export interface ListPosition {
  readonly id: number;
  readonly value: string | number;
}

/** Beyond it there are no times. */
const greatestTime = 8.64e15;
const cursorContent = z.tuple([
  z.string(),
  z.int().positive(),
  z.union([z.string(), z.number().min(-greatestTime).max(greatestTime)]),
]);

/** The `cursor` that continues behind a position; only this server reads it. */
export function buildCursor(sort: ApplicationSort, { id, value }: ListPosition): string {
  return encodeCursor([sort, id, value]);
}

/** The position a cursor stands for, or null when it is none of a list in this order. */
export function parseCursor(sort: ApplicationSort, cursor: string): ListPosition | null {
  const [cursorSort, id, value] = cursorContent.safeParse(decodeCursor(cursor)).data ?? [];
  if (cursorSort !== sort || id === undefined || value === undefined) return null;
  return (typeof value === "string") === (buildListOrder(sort).field === "nameKey") ? { id, value } : null;
}

/** The text as a regular expression that finds exactly it. */
export function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
