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
import type { RecordSource } from "@/lib/content/records/family";
import { isInState, type RecordSort, type RecordState, sortRecords } from "@/lib/content/records/listing";
import { loadPage, type Page, type Paging } from "@/lib/content/records/page";
import { isVisible, type VersionedRecord } from "@/lib/content/records/views";
import { byLowerCase } from "@/lib/labels/order";
import type { Environment } from "@/lib/labels/vocabulary";

/** Reads what the records of a view are, deleted ones included and without their contents; in no particular order. */
export async function findStates(
  family: StoredFamily,
  environment: Environment,
  options: HeadOptions = {},
): Promise<HeadState[]> {
  return options.keys?.length === 0 ? [] : findHeadStates(family, environment, options);
}

/** Finds what a view has, without deleted records: their ids by key. In production these are what vehicles receive. */
export async function findLiving(
  family: StoredFamily,
  environment: Environment,
  options?: HeadOptions,
): Promise<Map<string, number>> {
  const states = await findStates(family, environment, options);
  return new Map(states.filter(({ isDeleted }) => !isDeleted).map(({ key, id }) => [key, id]));
}

/** Lists the keys in use, unpromoted deletions included, by lower case (`api.md` 11.3 and 12.2). */
export async function listNames(family: StoredFamily): Promise<string[]> {
  const states = await findStates(family, "staging");
  return states
    .filter((state) => isVisible(state, "staging"))
    .map(({ key }) => key)
    .sort(byLowerCase);
}

/** Loads the records of a view, deleted ones included; in no particular order. */
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

/** The records of a view that a list of it shows; throws as `loadNewest`. */
export async function loadVisible<R extends VersionedRecord>(
  source: Pick<RecordSource<R>, "load" | "model" | "keyField">,
  environment: Environment,
  options?: HeadOptions,
): Promise<R[]> {
  return (await loadNewest(source, environment, options)).filter((record) => isVisible(record, environment));
}

/** Lists what a view shows, page by page; AppError 400 for a cursor of another list. */
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

/** The record to restore a deleted key from: of production, else the newest. Null: it never had content. */
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
  /** All that the view shows, whatever the filters. */
  readonly visible: readonly R[];
  /** What passes the filters, in every state. */
  readonly passing: readonly R[];
  /** What the list shows, in its order and without pages. */
  readonly listed: readonly R[];
  /** Whether a record waits for a promotion, and production has nothing under its key. */
  readonly isNew: (record: R) => boolean;
}

/** Selects what a list of the console shows: what passes `filter`, the state and the order. */
export async function selectRecords<R extends VersionedRecord>(
  source: RecordSource<R>,
  query: { readonly environment: Environment; readonly state: RecordState; readonly sort: RecordSort },
  filter: (records: readonly R[]) => readonly R[] | Promise<readonly R[]>,
): Promise<Selection<R>> {
  const visible = await loadVisible(source, query.environment);
  const keys = visible.filter(({ status }) => status === "STAGING").map((record) => source.keyOf(record));
  const promoted = await findLiving(source, "production", { keys });
  const isNew = (record: R) => record.status === "STAGING" && !promoted.has(source.keyOf(record));
  const passing = await filter(visible);
  const inState = passing.filter((record) => isInState(record, isNew(record), query.state));
  return { visible, passing, listed: sortRecords(inState, query.sort, (record) => source.keyOf(record)), isNew };
}
