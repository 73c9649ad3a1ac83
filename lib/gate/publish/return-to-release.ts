import "server-only";
import { isDeepStrictEqual } from "node:util";
import { findHeads, findHeadsAsOf } from "@/lib/platform/db/heads";
import type { Transaction } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { type AnyFamily, comparableOf, type StoredMembers } from "@/lib/content/records/family";
import { copyToProduction, type Publication } from "@/lib/content/records/publish";
import { storeRecords } from "@/lib/content/records/store";
import { loadSnapshotAsOf } from "@/lib/gate/publish/as-of";
import { recordItems } from "@/lib/gate/items/families";
import { findOrigins } from "@/lib/gate/publish/origins";
import type { Published } from "@/lib/gate/publish/publish-release";
import { findingText, type Insistence, requirePublishable } from "@/lib/gate/publish/refusals";
import { reviewContents } from "@/lib/gate/publish/review";
import { readState } from "@/lib/gate/publish/state";
import { requireRelease } from "@/lib/content/releases/queries";
import { beginRelease, recordRelease } from "@/lib/content/releases/record-release";
import { propose } from "@/lib/content/releases/proposal";
import { contentsAsOf } from "@/lib/gate/review/returned";
import type { ReleasedItem } from "@/lib/content/releases/store-release";
import { itemStores, type RecordItemFamily } from "@/lib/content/releases/stores";
import { namesOf } from "@/lib/labels/members";

/** What is said of a return. */
export interface ReturnRequest extends Insistence {
  readonly name: string | null;
  readonly note: string | null;
}

/**
 * Makes production, item by item, what it was as of a release (rule L12): contents of then are copied, items that were not
 * there are deleted, certificates and apps stay those of today (rules L3 and L4). Edits that wait in staging are stored again
 * behind the copies, so that they keep waiting.
 *
 * @throws AppError 404 for an unknown release; 409 when production is as it was then already, and with `data.checks` for what
 *   refuses it, and where another person has to approve it. The transaction must be left by it
 */
export async function returnToRelease(tx: Transaction, number: number, request: ReturnRequest): Promise<Published> {
  await requireRelease(number, tx.session);
  const publications = await loadReturned(tx, number);
  if (publications.length === 0) {
    throw new AppError("conflict", `Production is already what it was as of release ${number}`);
  }
  const state = await readState(tx);
  const keys = new Map(
    publications.map(({ item, family, records }) => [item, new Set(records.map((record) => family.keyOf(record)))]),
  );
  const contents = contentsAsOf(state, await loadSnapshotAsOf(number, state), keys);
  const review = await reviewContents(state, contents, tx.now);
  const findings = requirePublishable(review.checks, request);
  const waiting = await loadWaiting(tx, publications);
  const release = await beginRelease(tx, "return");
  const items = await copyToProduction(tx, release, publications);
  for (const one of waiting) await storeBehind(tx, one);
  const { name, note } = request;
  const reason = findings.length === 0 ? null : request.reason;
  propose(tx, { release: "return", items: items.map(replacedBy), findings: findings.map(findingText) });
  await recordRelease(tx, release, { name, note, reason, findings, returnedTo: number }, items);
  return { number: release.number, review, items };
}

/** What a return does to an item is known by what it replaces: what it brings back never changes. */
export function replacedBy({ family, key, beforeId }: ReleasedItem) {
  return { family, key, id: beforeId ?? 0 };
}

interface ItemPublication extends Publication {
  readonly item: RecordItemFamily;
}

/** What production must get to be what it was; families without any are left out. */
async function loadReturned(tx: Transaction, number: number): Promise<ItemPublication[]> {
  const found: ItemPublication[] = [];
  // One after the other: operations of a transaction must not run at the same time.
  for (const item of namesOf(itemStores)) {
    const records = await loadReturnedOf(tx, item, number);
    if (records.length > 0) found.push({ item, family: recordItems[item], records });
  }
  return found;
}

async function loadReturnedOf(tx: Transaction, item: RecordItemFamily, number: number): Promise<StoredMembers[]> {
  const family = recordItems[item];
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
    const wanted = past ?? (present === undefined || item === "module_config" ? null : { ...present, isDeleted: true });
    if (wanted === null) return [];
    const content = item === "module_config" ? { ...wanted, ...certificateOf(present ?? wanted) } : wanted;
    return present !== undefined && isSame(family, present, content) ? [] : [content];
  });
}

/** Whether two records say the same; a deletion says nothing. */
function isSame(family: AnyFamily, one: StoredMembers, other: StoredMembers): boolean {
  if (one.isDeleted === true || other.isDeleted === true) return one.isDeleted === other.isDeleted;
  return isDeepStrictEqual(comparableOf(family, one), comparableOf(family, other));
}

/** Certificates are renewed and expire: a return leaves them alone (rule L3). */
function certificateOf(config: object): object {
  const members = new Map<string, unknown>(Object.entries(config));
  return Object.fromEntries(["certificate", "privateKey", "expirationTs"].map((name) => [name, members.get(name)]));
}

/** The edits of the returned items that wait in staging. */
async function loadWaiting(tx: Transaction, publications: readonly ItemPublication[]): Promise<ItemPublication[]> {
  const waiting: ItemPublication[] = [];
  for (const { item, family, records } of publications) {
    const keys = records.map((record) => family.keyOf(record));
    const heads = await findHeads(family, "staging", { keys, session: tx.session });
    const newest = await family.load(
      heads.map(({ id }) => id),
      tx.session,
    );
    const staged = newest.filter(({ status }) => status === "STAGING");
    if (staged.length > 0) waiting.push({ item, family, records: staged });
  }
  return waiting;
}

/** Stores edits once more, so that they stay the newest records of their keys; the audit trail tells whose they are. */
async function storeBehind(tx: Transaction, { item, family, records }: ItemPublication): Promise<void> {
  const audited = records.map((record) => ({ id: record.id, target: family.targetOf(record) }));
  const origins = await findOrigins(item, audited, tx.session);
  const copies = await storeRecords(family, tx, records, { status: "STAGING" });
  for (const [index, { id, target }] of audited.entries()) {
    const origin = origins.get(id);
    const before = { id, author: origin?.author ?? null, at: origin?.at ?? null };
    tx.record({ action: `${family.area}.keep`, target, before, after: copies[index]?.id ?? null });
  }
}
