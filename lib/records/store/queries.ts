import "server-only";
import {
  findHeads,
  findHeadStates,
  type HeadOptions,
  type HeadState,
  storeOf,
  type StoredFamily,
} from "@/lib/platform/db/heads";
import { rawCollection } from "@/lib/platform/db/connection/connect";
import type { RecordSource } from "@/lib/records/store/family";
import {
  countByState,
  cutPage,
  isInState,
  type RecordList,
  type RecordState,
  sortRecords,
} from "@/lib/records/store/listing";
import { loadPage, type Page, type Paging } from "@/lib/records/store/page";
import { isVisible, type VersionedRecord } from "@/lib/records/store/views";
import { byLowerCase } from "@/lib/vocabulary/order";
import type { Environment } from "@/lib/vocabulary/terms";

/** Reads the states of a view's records without their contents, including deleted ones; unordered. */
export async function findStates(
  family: StoredFamily,
  environment: Environment,
  options: HeadOptions = {},
): Promise<HeadState[]> {
  return options.keys?.length === 0 ? [] : findHeadStates(family, environment, options);
}

/** Finds the ids of a view's records by key, without deleted ones. In production these are what vehicles receive. */
export async function findLiving(
  family: StoredFamily,
  environment: Environment,
  options?: HeadOptions,
): Promise<Map<string, number>> {
  const states = await findStates(family, environment, options);
  return new Map(states.filter(({ isDeleted }) => !isDeleted).map(({ key, id }) => [key, id]));
}

/** Lists the keys in use, including unpublished deletions, in lower-case order (`api.md` 11.3 and 12.2). */
export async function listNames(family: StoredFamily): Promise<string[]> {
  const states = await findStates(family, "staging");
  return states
    .filter((state) => isVisible(state, "staging"))
    .map(({ key }) => key)
    .sort(byLowerCase);
}

/** Loads the records of a view, including deleted ones; unordered. */
export async function loadNewest<R>(
  source: Pick<RecordSource<R>, "load" | "model" | "keyField">,
  environment: Environment,
  options: HeadOptions = {},
): Promise<readonly R[]> {
  if (options.keys?.length === 0) return [];
  const heads = await findHeads(source, environment, options);
  return source.load(
    heads.map(({ id }) => id),
    options.session,
  );
}

export async function loadVisible<R extends VersionedRecord>(
  source: Pick<RecordSource<R>, "load" | "model" | "keyField">,
  environment: Environment,
  options?: HeadOptions,
): Promise<R[]> {
  return (await loadNewest(source, environment, options)).filter((record) => isVisible(record, environment));
}

export async function listRecords<R extends VersionedRecord>(
  source: RecordSource<R>,
  query: { readonly environment: Environment; readonly hideDeleted?: boolean } & Paging,
): Promise<Page<R>> {
  const { environment, hideDeleted = false } = query;
  return loadPage<R>({
    heads: await findHeads(source, environment),
    paging: query,
    compareKeys: (a, b) => source.compareKeys(a, b),
    load: (ids) => source.load(ids),
    isShown: (record) => isVisible(record, environment, { hideDeleted }),
    searchTexts: (record) => source.searchTexts(record),
  });
}

/** The record to restore a deleted key from: of production, else the newest. Null if it never had content. */
export async function findLastContent(family: StoredFamily, key: string): Promise<number | null> {
  const { model, keyField } = storeOf(family);
  const ofKey = keyField === null ? {} : { [keyField]: key };
  const findLast = async (ofStatus: { readonly status?: string }) => {
    const filter = { ...ofKey, ...ofStatus, isDeleted: false };
    const last = rawCollection(model).find(filter, { projection: { _id: 1 } });
    return (await last.sort({ _id: -1 }).limit(1).toArray())[0]?._id ?? null;
  };
  return (await findLast({ status: "PRODUCTION" })) ?? (await findLast({}));
}

export interface Selection<R> {
  readonly visible: readonly R[];
  readonly passing: readonly R[];
  readonly listed: readonly R[];
  readonly isNew: (record: R) => boolean;
}

export async function selectRecords<R extends VersionedRecord>(
  source: RecordSource<R>,
  query: { readonly environment: Environment; readonly state: RecordState; readonly sort: string },
  filter: (records: readonly R[]) => readonly R[] | Promise<readonly R[]>,
  numbers?: Parameters<typeof sortRecords<R>>[3],
): Promise<Selection<R>> {
  const visible = await loadVisible(source, query.environment);
  const keys = visible.filter(({ status }) => status === "STAGING").map((record) => source.keyOf(record));
  const promoted = await findLiving(source, "production", { keys });
  const isNew = (record: R) => record.status === "STAGING" && !promoted.has(source.keyOf(record));
  const passing = await filter(visible);
  const inState = passing.filter((record) => isInState(record, isNew(record), query.state));
  const listed = sortRecords(inState, query.sort, (record) => source.keyOf(record), numbers);
  return { visible, passing, listed, isNew };
}

export async function buildList<R extends VersionedRecord, Row>(
  { visible, passing, listed, isNew }: Selection<R>,
  query: { readonly size: number; readonly after: number },
  buildRows: (page: readonly R[], isNew: (record: R) => boolean) => readonly Row[] | Promise<readonly Row[]>,
): Promise<RecordList<Row>> {
  const { page, ...place } = cutPage(listed, query);
  return {
    rows: await buildRows(page, isNew),
    ...place,
    shown: page.length,
    counts: countByState(passing, isNew),
    unfiltered: visible.length,
    waiting: visible.filter(({ status }) => status === "STAGING").length,
  };
}
