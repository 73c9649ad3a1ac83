import { z } from "zod";
import { type ConsoleSort } from "@/lib/applications/console/console-schema";
import { decodeCursor, encodeCursor } from "@/lib/records/page";

/** Which stored member decides the order, and in which direction. The id decides between equals. */
export interface ConsoleOrder {
  readonly field: "nameKey" | "updatedAt" | "storedAt";
  readonly direction: 1 | -1;
}

const fields = { name: "nameKey", updated: "updatedAt", waiting: "storedAt" } as const;

/** The order a `sort` member asks for. */
export function buildConsoleOrder(sort: ConsoleSort): ConsoleOrder {
  const isDescending = sort.startsWith("-");
  const name = (isDescending ? sort.slice(1) : sort) as keyof typeof fields;
  return { field: fields[name], direction: isDescending ? -1 : 1 };
}

/** A row at the edge of a page. */
export interface ConsolePosition {
  readonly id: number;
  /** What the row is ordered by; times in milliseconds since 1970. */
  readonly value: string | number;
  /** How many rows stand before it, as far as known when the page was made. Only shown, never searched by. */
  readonly offset: number;
}

/** Beyond it there are no times. */
const greatestTime = 8.64e15;
const content = z.tuple([
  z.enum(["nameKey", "updatedAt", "storedAt"]),
  z.int().positive(),
  z.union([z.string(), z.number().min(-greatestTime).max(greatestTime)]),
  z.int().min(0),
]);

/** The cursor of a row; only this server reads it. */
export function buildConsoleCursor({ field }: ConsoleOrder, { id, value, offset }: ConsolePosition): string {
  return encodeCursor([field, id, value, offset]);
}

/** The row a cursor stands for, or null when it belongs to another order or to nothing. */
export function parseConsoleCursor(order: ConsoleOrder, cursor: string | undefined): ConsolePosition | null {
  const parsed = content.safeParse(decodeCursor(cursor ?? "")).data;
  if (parsed === undefined) return null;
  const [field, id, value, offset] = parsed;
  if (field !== order.field || (typeof value === "string") !== (field === "nameKey")) return null;
  return { id, value, offset };
}
