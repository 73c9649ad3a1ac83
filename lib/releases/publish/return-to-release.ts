import "server-only";
import { isDeepStrictEqual } from "node:util";
import { findHeads, findHeadsAsOf } from "@/lib/platform/db/heads";
import type { Transaction, WriteContext } from "@/lib/platform/db/transaction";
import type { KeptAppJson, PublishedAnswer } from "@/lib/releases/answer-schema";
import type { ReturnBody } from "@/lib/releases/publish/schema";
import { AppError } from "@/lib/platform/errors";
import { mapLists } from "@/lib/policy/snapshot/families";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import { type AnyFamily, comparableOf, type StoredMembers } from "@/lib/records/store/family";
import { recordItems } from "@/lib/records/families";
import { loadSnapshotAsOf } from "@/lib/releases/publish/as-of";
import { findKeptApps } from "@/lib/releases/publish/kept-apps";
import { inOneStep, type Published, type ReleaseRequest, remarksOf } from "@/lib/releases/publish/publish-release";
import { requirePublishable, reviewContents } from "@/lib/releases/publish/review";
import { loadState, readState } from "@/lib/releases/review/changes";
import { type Publication, writeRelease } from "@/lib/releases/publish/write-release";
import { requireRelease } from "@/lib/releases/queries";
import type { NewContents } from "@/lib/releases/review/production";
import { listSome } from "@/lib/vocabulary/format-number";
import { recordOf } from "@/lib/vocabulary/members";
import type { RecordItemFamily } from "@/lib/vocabulary/release-items";

export async function saveReturn(
  number: number,
  { dry_run: isDryRun, ...request }: ReturnBody,
  writer: WriteContext,
): Promise<PublishedAnswer> {
  const answer = await inOneStep(writer, isDryRun, (tx) => returnToRelease(tx, number, request));
  return isDryRun ? { ...answer, apps_kept: await findKeptApps(number, await loadState()) } : answer;
}

/**
 * Makes production, item by item, what it was as of a release (`releases.md` L12); certificates and apps stay as they
 * are. Waiting edits are stored again after the copies, so that they keep waiting. Throws AppError 404 for an unknown
 * release; 409 if nothing differs but decisions about apps (`data.apps_kept`), with `data.checks` for what blocks it,
 * and where another person has to approve it. The error must abort the transaction. `agree` returns the findings that are
 * accepted, or throws.
 */
export async function returnToRelease(
  tx: Transaction,
  number: number,
  request: ReleaseRequest,
  agree: typeof requirePublishable = requirePublishable,
): Promise<Published> {
  await requireRelease(number, tx.session);
  const publications = await loadReturned(tx, number);
  const state = await readState(tx);
  if (publications.length === 0) throw describeNothing(number, await findKeptApps(number, state));
  const keys = new Map(
    publications.map(({ family, records }) => [family.item, new Set(records.map((record) => family.keyOf(record)))]),
  );
  const contents = contentsAsOf(state, await loadSnapshotAsOf(number, state), keys);
  const review = await reviewContents(state, contents, tx.now);
  const findings = await agree(review, request);
  const waiting = await loadWaiting(tx, publications);
  const remarks = { ...remarksOf(request, findings), returnedTo: number };
  const released = await writeRelease(tx, "return", { publications, waiting, ...remarks });
  return { ...released, review };
}

/** Whether production has the contents of a release, so that there is nothing to roll back. */
export const isAsOfRelease = async (tx: Transaction, number: number): Promise<boolean> =>
  (await loadReturned(tx, number)).length === 0;

function describeNothing(number: number, kept: readonly KeptAppJson[]): AppError {
  if (kept.length === 0) return new AppError("conflict", `Production is already what it was as of release ${number}`);
  const names = listSome(
    kept.map(({ name }) => name),
    maxNames,
  );
  const sentence = `Only apps differ from release ${number}, and a rollback leaves decisions about apps as they are. To take them back, decide about ${names}`;
  return new AppError("conflict", sentence, { data: { apps_kept: kept } });
}

const maxNames = 4;

async function loadReturned(tx: Transaction, number: number): Promise<Publication[]> {
  const found: Publication[] = [];
  // Sequential, because operations of a transaction must not run concurrently.
  for (const family of Object.values(recordItems)) {
    const records = await loadReturnedOf(tx, family, number);
    if (records.length > 0) found.push({ family, records });
  }
  return found;
}

async function loadReturnedOf(tx: Transaction, family: AnyFamily, number: number): Promise<StoredMembers[]> {
  const { session } = tx;
  const idsOf = (heads: Awaited<ReturnType<typeof findHeads>>) => new Map(heads.map(({ key, id }) => [key, id]));
  const now = idsOf(await findHeads(family, "production", { session }));
  const then = idsOf(await findHeadsAsOf(family, number, { session }));
  const differing = [...now].filter(([key, id]) => then.get(key) !== id);
  const ids = differing.flatMap(([key, id]) => [id, then.get(key) ?? id]);
  const byId = new Map((await family.load([...new Set(ids)], session)).map((record) => [record.id, record]));
  return differing.flatMap(([key, id]) => {
    const present = byId.get(id);
    const past = byId.get(then.get(key) ?? 0);
    const wanted = past ?? (present === undefined || family.isPermanent ? null : { ...present, isDeleted: true });
    if (wanted === null) return [];
    const content = { ...wanted, ...membersOfToday(family, present ?? wanted) };
    return present !== undefined && isSame(family, present, content) ? [] : [content];
  });
}

/** Whether two records have the same content. All deletions are the same. */
function isSame(family: AnyFamily, one: StoredMembers, other: StoredMembers): boolean {
  if (one.isDeleted === true || other.isDeleted === true) return one.isDeleted === other.isDeleted;
  return isDeepStrictEqual(comparableOf(family, one), comparableOf(family, other));
}

/** Certificates are renewed and expire, so a rollback keeps today's (`releases.md` L3). */
function membersOfToday({ ofToday = [] }: AnyFamily, record: object): object {
  const members = new Map<string, unknown>(Object.entries(record));
  return recordOf(ofToday, (name) => members.get(name));
}

async function loadWaiting(tx: Transaction, publications: readonly Publication[]): Promise<Publication[]> {
  const waiting: Publication[] = [];
  for (const { family, records } of publications) {
    const keys = records.map((record) => family.keyOf(record));
    const heads = await findHeads(family, "staging", { keys, session: tx.session });
    const newest = await family.load(
      heads.map(({ id }) => id),
      tx.session,
    );
    const staged = newest.filter(({ status }) => status === "STAGING");
    if (staged.length > 0) waiting.push({ family, records: staged });
  }
  return waiting;
}

/** What a rollback restores. `then` has the views of that release; `keys` that did not exist then become deletions. */
export function contentsAsOf(
  now: PolicySnapshot,
  then: PolicySnapshot,
  keys: ReadonlyMap<RecordItemFamily, ReadonlySet<string>>,
): NewContents {
  const lists = mapLists((source) => {
    const wanted = keys.get(source.family);
    const past = source.viewsOf(then).production;
    const known = new Set(past.map((record) => source.keyOf(record)));
    const gone = source.viewsOf(now).production.filter((record) => !known.has(source.keyOf(record)));
    const all = [...past, ...gone.map((record) => ({ ...record, isDeleted: true }))];
    return all.filter((record) => wanted?.has(source.keyOf(record)));
  });
  const moduleConfigs = lists.moduleConfigs.map((config) => {
    const { certificate, privateKey } = now.moduleConfigs.production[0] ?? config;
    return { ...config, certificate, privateKey };
  });
  return { ...lists, moduleConfigs, apps: [] };
}
