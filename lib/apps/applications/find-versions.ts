import "server-only";
import { ApplicationFlagsModel, type ApplicationFlagsRecord } from "@/models/application-flags";
import { ApplicationModel, type ApplicationRecord } from "@/models/application";
import type { QueryFilter } from "mongoose";
import { z } from "zod";
import { decodeCursor, encodeCursor } from "@/lib/records/store/page";

export type ApplicationFilter = QueryFilter<ApplicationRecord>;

/** Blocks are flags of apps, not of versions, and there are few. */
export function listBlocked(): Promise<string[]> {
  return uuidsWith({ isBlacklisted: true });
}

export async function uuidsWith(filter: QueryFilter<ApplicationFlagsRecord>): Promise<string[]> {
  const found = await ApplicationFlagsModel.find(filter, { _id: 0, uuid: 1 }).lean();
  return found.map(({ uuid }) => uuid);
}

/** The condition may use the same members as the filter. */
export function withCondition(filter: ApplicationFilter, condition: ApplicationFilter): ApplicationFilter {
  return { ...filter, $and: [...(filter.$and ?? []), condition] };
}

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

export interface VersionPage {
  readonly ids: readonly number[];
  /** Number of versions before the first one, as far as known. */
  readonly offset: number;
  /** Null: no such page. */
  readonly next: string | null;
  readonly previous: string | null;
}

export interface PageStart {
  readonly position: ListPosition;
  readonly isBackward: boolean;
}

/** `start` is null for the first page. */
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

const fields = {
  id: "_id",
  name: "nameKey",
  updated: "updatedAt",
  updated_ts: "updatedAt",
  waiting: "storedAt",
} as const;
type SortName = keyof typeof fields;
type ListSort = SortName | `-${SortName}`;

/** Ids order equal values. */
export interface ListOrder {
  readonly field: (typeof fields)[SortName];
  readonly direction: 1 | -1;
}

export function buildListOrder(sort: ListSort): ListOrder {
  const isDescending = sort.startsWith("-");
  const name = (isDescending ? sort.slice(1) : sort) as SortName;
  return { field: fields[name], direction: isDescending ? -1 : 1 };
}

export interface ListPosition {
  readonly id: number;
  /** The sort value; times in milliseconds since 1970. */
  readonly value: string | number;
  /** Number of items before it when the page was built, if known. Only displayed, never used for searching. */
  readonly offset?: number | undefined;
}

type Positioned = Pick<ApplicationRecord, (typeof fields)[SortName]>;
const positionColumns = { _id: 1, nameKey: 1, updatedAt: 1, storedAt: 1 } as const;

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

/** Only this server reads it. */
export function buildCursor(sort: string, { id, value, offset }: ListPosition): string {
  return encodeCursor([sort, id, value, ...(offset === undefined ? [] : [offset])]);
}

/** Null if it does not belong to a list in this order. */
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

export function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
