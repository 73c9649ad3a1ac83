import { z } from "zod";
import { AppError } from "@/lib/platform/errors";
import type { RecordHead } from "@/lib/platform/db/heads";
import type { ListSort } from "@/lib/records/store/query";

export interface Paging {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly search?: string | undefined;
  readonly sort: ListSort;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Null after the last item; undefined without a limit. */
  readonly nextCursor: string | null | undefined;
}

export interface PageSource<T extends { readonly id: number }> {
  readonly heads: readonly RecordHead[];
  readonly paging: Paging;
  compareKeys(a: string, b: string): number;
  load(ids: readonly number[]): Promise<readonly T[]>;
  isShown(item: T): boolean;
  searchTexts(item: T): readonly (string | null)[];
}

const batchSize = 200;
const cursorContent = z.tuple([z.string(), z.string(), z.int()]);

/** Loads one page of a view and no more than it needs; AppError 400 for a cursor of another list. */
export async function loadPage<T extends { readonly id: number }>(source: PageSource<T>): Promise<Page<T>> {
  const { paging } = source;
  const compare = comparison(paging.sort, source.compareKeys.bind(source));
  const after = paging.cursor === undefined ? null : readCursor(paging.cursor, paging.sort);
  const heads = source.heads.filter((head) => after === null || compare(head, after) > 0).sort(compare);
  const wanted = paging.limit ?? Infinity;
  const step = paging.limit === undefined ? Math.max(heads.length, 1) : batchSize;
  const items: T[] = [];
  for (let from = 0; from < heads.length && items.length <= wanted; from += step) {
    const ids = heads.slice(from, from + step).map(({ id }) => id);
    const byId = new Map((await source.load(ids)).map((item) => [item.id, item]));
    items.push(...ids.flatMap((id) => byId.get(id) ?? []).filter((item) => isWanted(item, source)));
  }
  const page = items.slice(0, wanted);
  const last = items.length > wanted ? page.at(-1) : undefined;
  const lastHead = heads.find(({ id }) => id === last?.id);
  const nextCursor = lastHead ? buildCursor(paging.sort, lastHead) : null;
  return { items: page, nextCursor: paging.limit === undefined ? undefined : nextCursor };
}

function isWanted<T extends { readonly id: number }>(item: T, source: PageSource<T>): boolean {
  return source.isShown(item) && matches(source.searchTexts(item), source.paging.search);
}

function matches(texts: readonly (string | null)[], search: string | undefined): boolean {
  if (search === undefined || search === "") return true;
  const wanted = search.toLowerCase();
  return texts.some((text) => text?.toLowerCase().includes(wanted) === true);
}

function comparison(sort: string, compareKeys: (a: string, b: string) => number) {
  const sign = sort.startsWith("-") ? -1 : 1;
  const byId = sort.replace(/^-/, "") === "id";
  return (a: RecordHead, b: RecordHead) => sign * (byId ? a.id - b.id : compareKeys(a.key, b.key));
}

function buildCursor(sort: string, { key, id }: RecordHead): string {
  return encodeCursor([sort, key, id]);
}

function readCursor(cursor: string, sort: string): RecordHead {
  const [cursorSort, key, id] = cursorContent.safeParse(decodeCursor(cursor)).data ?? [];
  if (cursorSort !== sort || key === undefined || id === undefined) {
    throw new AppError("invalid", "cursor must be the next_cursor of the same list in the same order");
  }
  return { key, id };
}

export function encodeCursor(content: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(content)).toString("base64url");
}

/** Decodes a cursor without validating it, because clients can send anything. Null if it is not a cursor. */
export function decodeCursor(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}
