"one per process";

import type { Author, Transaction, WriteContext } from "@/lib/platform/db/transaction";
import {
  type ItemChange,
  itemFamilies,
  type ItemKey,
  nameChange,
  type RecordItemFamily,
  type ReleaseKind,
  type ReviewedItem,
} from "@/lib/vocabulary/release-items";
import { byCodeUnit, distinct } from "@/lib/vocabulary/order";
import { endByReturn, requireNoRollout } from "@/lib/records/publishing/rollout";
import { ReleaseModel } from "@/models/release";
import { onlyKey, recordFamilies, storeOf } from "@/lib/platform/db/heads";
import { rawCollection, type RawDocument } from "@/lib/platform/db/connection/connect";
import { namesOf, withoutNull } from "@/lib/vocabulary/members";

export interface OpenRelease {
  /** The `release` number of the PRODUCTION records that the transaction writes. */
  readonly number: number;
  readonly kind: ReleaseKind;
}

export interface ReleaseRemarks {
  readonly name?: string | null;
  readonly note?: string | null;
  /** Why it was published despite findings. */
  readonly reason?: string | null;
  readonly findings?: readonly object[];
  readonly returnedTo?: number | null;
}

/**
 * Call it before the first write to production (`releases.md` L2). Records without a number get a release first. Throws
 * AppError 409 while another release is being rolled out (`fleet.md` S11), which a rollback ends.
 */
export async function beginRelease(tx: Transaction, kind: ReleaseKind): Promise<OpenRelease> {
  propose(tx, { release: kind });
  await (kind === "return" ? endByReturn(tx) : requireNoRollout(tx));
  await adoptUnreleased(tx, null);
  return { number: await tx.nextId("releases"), kind };
}

/** Stores a release with its audit event, in the transaction that makes it (`releases.md` L1). */
export async function recordRelease(
  tx: Transaction,
  { number, kind }: OpenRelease,
  { name = null, note = null, reason = null, findings = [], returnedTo = null }: ReleaseRemarks,
  items: readonly ReleasedItem[],
): Promise<void> {
  const { approval } = tx.writer;
  const approvedBy = approval?.approvedBy ?? null;
  const facts: ReleaseFacts = { kind, name, note, reason, findings, returnedTo, approvedBy };
  const made = { author: approval?.askedBy ?? authorOf(tx.writer), at: tx.now, revision: tx.revision };
  await storeRelease(tx, number, { ...facts, ...made }, items);
}

export function authorOf({ actor, displayName = null, isNameVerified = false }: WriteContext) {
  return { actor, displayName, isNameVerified };
}

export interface ReleasedItem extends ItemKey {
  readonly beforeId: number | null;
  readonly afterId: number | null;
  readonly change: ItemChange;
  readonly summary: string;
}

export interface ReleaseFacts {
  readonly kind: ReleaseKind;
  readonly name: string | null;
  readonly note: string | null;
  readonly reason: string | null;
  readonly findings: readonly object[];
  readonly returnedTo: number | null;
  /** Null if no approval was needed (`people.md` P9). */
  readonly approvedBy: Author | null;
}

interface ReleaseOrigin {
  readonly author: Author | null;
  readonly at: Date;
  readonly revision: number;
}

async function storeRelease(
  tx: Transaction,
  number: number,
  { findings, ...facts }: ReleaseFacts & ReleaseOrigin,
  items: readonly ReleasedItem[],
): Promise<void> {
  const document = { _id: number, ...facts, findings: [...findings], items: items.toSorted(compareItems) };
  await ReleaseModel.insertMany([document], { session: tx.session });
  const { kind, name, note, reason, returnedTo: returned_to, author, approvedBy } = facts;
  const people = approvedBy && { asked_by: nameOf(author), approved_by: nameOf(approvedBy) };
  const told = withoutNull({ name, note, reason, returned_to });
  const after = {
    kind,
    items: items.length,
    ...told,
    ...(findings.length > 0 && { findings: findings.length }),
    ...people,
  };
  tx.record({ action: "releases.publish", target: `release:${number}`, after });
}

const nameOf = (author: Author | null) => author && (author.displayName ?? author.actor);

/** Items that others depend on come first; then by key. */
function compareItems(a: ItemKey, b: ItemKey): number {
  return itemFamilies.indexOf(a.family) - itemFamilies.indexOf(b.family) || byCodeUnit(a.key, b.key);
}

export interface Proposal {
  /** The release it belongs to; null for a decision about apps. */
  readonly release: ReleaseKind | null;
  /** The reviewed items; undefined means the apps that change. */
  readonly items?: readonly ReviewedItem[];
  /** Findings of head units, one text each; null if not checked. */
  readonly findings?: readonly string[] | null;
  /** A rollout is called off: production gets back what most vehicles still have. */
  readonly isCallOff?: boolean;
}

const proposals = new WeakMap<Transaction, Proposal>();

/** Tells the gate what a transaction is about; later calls override members of earlier ones. */
export function propose(tx: Transaction, proposal: Proposal): void {
  proposals.set(tx, { ...proposals.get(tx), ...proposal });
}

export function proposalOf(tx: Transaction): Proposal {
  return proposals.get(tx) ?? { release: null };
}

const inProduction = { status: "PRODUCTION" } as const;
/** In MongoDB, null also matches missing members. */
const unreleased = { ...inProduction, release: null } as const;

/** Creates a release of PRODUCTION records without one, which an earlier version stored (`releases.md` L2). */
export async function adoptUnreleased(tx: Transaction, author: Author | null): Promise<void> {
  const found: { readonly family: RecordItemFamily; readonly records: readonly RawDocument[] }[] = [];
  for (const family of namesOf(recordFamilies)) {
    const records = await collectionOf(family).find(unreleased, inOrder(tx, family)).toArray();
    if (records.length > 0) found.push({ family, records });
  }
  if (found.length === 0) return;
  const number = await tx.nextId("releases");
  const items: ReleasedItem[] = [];
  for (const { family, records } of found) {
    const isFirst = number === 1;
    const before = isFirst ? new Map<string, RawDocument>() : await findBefore(tx, family, records);
    items.push(...buildItems(family, records, before, isFirst));
    // Bypasses the schema, because `updatedAt` is part of the table.
    await collectionOf(family).updateMany(unreleased, { $set: { release: number } }, { session: tx.session });
  }
  const at = latest(found.flatMap(({ records }) => records)) ?? tx.now;
  const kind = number === 1 ? ("first" as const) : ("direct" as const);
  const facts = { kind, name: null, note: null, reason: null, findings: [], returnedTo: null, approvedBy: null };
  // The exact revision is unknown, but at the latest it is the one before this transaction.
  await storeRelease(tx, number, { ...facts, author, at, revision: tx.revision - 1 }, items);
}

const collectionOf = (family: RecordItemFamily) => rawCollection(recordFamilies[family].model);

function inOrder({ session }: Transaction, family: RecordItemFamily) {
  const { keyField } = storeOf(family);
  const ofKey = keyField === null ? {} : { [keyField]: 1 };
  return { session, projection: { ...ofKey, isDeleted: 1, createdAt: 1 }, sort: { _id: 1 } } as const;
}

function keyOf(family: RecordItemFamily, document: RawDocument): string {
  const { keyField } = storeOf(family);
  const key = keyField === null ? onlyKey : document[keyField];
  return typeof key === "string" ? key : "";
}

async function findBefore(tx: Transaction, family: RecordItemFamily, records: readonly RawDocument[]) {
  const { keyField } = storeOf(family);
  const keys = distinct(records.map((record) => keyOf(family, record)));
  const ofKeys = keyField === null ? {} : { [keyField]: { $in: keys } };
  const filter = { ...inProduction, release: { $ne: null }, ...ofKeys };
  return newestByKey(family, await collectionOf(family).find(filter, inOrder(tx, family)).toArray());
}

/** Expects records in ascending order of id. */
function newestByKey(family: RecordItemFamily, records: readonly RawDocument[]): Map<string, RawDocument> {
  return new Map(records.map((record) => [keyOf(family, record), record]));
}

function buildItems(
  family: RecordItemFamily,
  records: readonly RawDocument[],
  before: ReadonlyMap<string, RawDocument>,
  isFirst: boolean,
): ReleasedItem[] {
  return [...newestByKey(family, records)].flatMap(([key, record]) => {
    const beforeId = idOf(before.get(key));
    const afterId = idOf(record);
    // The initial release does not list what was deleted before.
    if (isFirst && afterId === null) return [];
    const change = nameChange(beforeId !== null, afterId !== null);
    const summary = isFirst ? "in production when releases began" : "promoted by an instance of an earlier version";
    return [{ family, key, beforeId, afterId, change, summary }];
  });
}

function idOf(record: RawDocument | undefined): number | null {
  return record === undefined || record.isDeleted === true ? null : record._id;
}

function latest(records: readonly RawDocument[]): Date | null {
  const times = records.flatMap(({ createdAt }) => (createdAt instanceof Date ? [createdAt] : []));
  return times.reduce<Date | null>((newest, time) => (newest === null || time > newest ? time : newest), null);
}
