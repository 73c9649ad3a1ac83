import type { Author, Transaction, WriteContext } from "@/lib/platform/db/transaction";
import type { ReleaseCheckJson } from "@/lib/content/releases/answer-schema";
import {
  type ItemChange,
  itemFamilies,
  type ItemKey,
  nameChange,
  type RecordItemFamily,
  type ReleaseKind,
  type ReviewedItem,
} from "@/lib/labels/release-items";
import { byCodeUnit, distinct } from "@/lib/labels/order";
import { ReleaseModel } from "@/models/release";
import { processGlobal } from "@/lib/platform/process-globals";
import { onlyKey, recordFamilies, storeOf } from "@/lib/platform/db/heads";
import { rawCollection, type RawDocument } from "@/lib/platform/db/connection/connect";
import { namesOf } from "@/lib/labels/members";

/** A release whose transaction has begun. */
export interface OpenRelease {
  /** What the PRODUCTION records that the transaction writes carry as `release`. */
  readonly number: number;
  readonly kind: ReleaseKind;
}

/** What is said of a release beside what it does. */
export interface ReleaseRemarks {
  readonly name?: string | null;
  readonly note?: string | null;
  /** Why it was published with findings. */
  readonly reason?: string | null;
  readonly findings?: readonly ReleaseCheckJson[];
  /** The release whose content a return brings back. */
  readonly returnedTo?: number | null;
}

/**
 * Begins a release: to be called before anything is written into production, in the transaction that writes it
 * (`releases.md` L2). PRODUCTION records that carry no number yet, because an instance of an earlier version wrote them, get a
 * release of their own first.
 */
export async function beginRelease(tx: Transaction, kind: ReleaseKind): Promise<OpenRelease> {
  propose(tx, { release: kind });
  await adoptUnreleased(tx, null);
  return { number: await tx.nextId("releases"), kind };
}

/** Stores a release in the transaction that makes it (`releases.md` L1), with its audit event. */
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

/** Who writes, as releases keep it. */
export function authorOf({ actor, displayName = null, isNameVerified = false }: WriteContext) {
  return { actor, displayName, isNameVerified };
}

export interface ReleasedItem extends ItemKey {
  /** The production record before; null: it was not there. */
  readonly beforeId: number | null;
  /** The one afterwards; null: it is not there. */
  readonly afterId: number | null;
  readonly change: ItemChange;
  readonly summary: string;
}

export interface ReleaseFacts {
  readonly kind: ReleaseKind;
  readonly name: string | null;
  readonly note: string | null;
  readonly reason: string | null;
  readonly findings: readonly ReleaseCheckJson[];
  readonly returnedTo: number | null;
  /** Null: nobody had to (`people.md` P9). */
  readonly approvedBy: Author | null;
}

interface ReleaseOrigin {
  /** Null: nobody knows. */
  readonly author: Author | null;
  readonly at: Date;
  readonly revision: number;
}

/** Stores the document of a release, and what the audit trail has of it. */
async function storeRelease(
  tx: Transaction,
  number: number,
  { findings, ...facts }: ReleaseFacts & ReleaseOrigin,
  items: readonly ReleasedItem[],
): Promise<void> {
  const document = { _id: number, ...facts, findings: [...findings], items: items.toSorted(compareItems) };
  await ReleaseModel.insertMany([document], { session: tx.session });
  tx.record({ action: "releases.publish", target: `release:${number}`, after: items.length });
}

/** What others need comes first; then by key. */
function compareItems(a: ItemKey, b: ItemKey): number {
  return itemFamilies.indexOf(a.family) - itemFamilies.indexOf(b.family) || byCodeUnit(a.key, b.key);
}

/** What a door says of the change that it makes. */
export interface Proposal {
  /** The release that it is part of; null: a decision about apps. */
  readonly release: ReleaseKind | null;
  /** What was reviewed; undefined: the apps that change. */
  readonly items?: readonly ReviewedItem[];
  /** What head units would object to, one text each; null: nobody has looked. */
  readonly findings?: readonly string[] | null;
}

const proposals = processGlobal("proposals", () => new WeakMap<Transaction, Proposal>());

/** Tells the gate what a transaction is about; the last word counts. */
export function propose(tx: Transaction, proposal: Proposal): void {
  proposals.set(tx, { ...proposals.get(tx), ...proposal });
}

/** What was said of a transaction; a decision about apps while nothing was. */
export function proposalOf(tx: Transaction): Proposal {
  return proposals.get(tx) ?? { release: null };
}

const inProduction = { status: "PRODUCTION" } as const;
/** Equal to null: what is not stored, too. */
const unreleased = { ...inProduction, release: null } as const;

/**
 * Makes a release of the PRODUCTION records that carry none: those of a database of an earlier version, and what an instance
 * of one promotes while another serves this version already (`releases.md` L2). The first release there is, is of kind
 * `first`.
 *
 * @param author who brought them into production; null: nobody knows
 */
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
    // Past the schema: `updatedAt` is part of what a table is made from (rule V1).
    await collectionOf(family).updateMany(unreleased, { $set: { release: number } }, { session: tx.session });
  }
  const at = latest(found.flatMap(({ records }) => records)) ?? tx.now;
  const kind = number === 1 ? ("first" as const) : ("direct" as const);
  const facts = { kind, name: null, note: null, reason: null, findings: [], returnedTo: null, approvedBy: null };
  // Whatever revision they came with, it is served since the last one before this transaction at the latest.
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

/** What production had of these keys. */
async function findBefore(tx: Transaction, family: RecordItemFamily, records: readonly RawDocument[]) {
  const { keyField } = storeOf(family);
  const keys = distinct(records.map((record) => keyOf(family, record)));
  const ofKeys = keyField === null ? {} : { [keyField]: { $in: keys } };
  const filter = { ...inProduction, release: { $ne: null }, ...ofKeys };
  return newestByKey(family, await collectionOf(family).find(filter, inOrder(tx, family)).toArray());
}

/** Records come in ascending id. */
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
    // What was deleted long ago is no part of what there is at the beginning.
    if (isFirst && afterId === null) return [];
    const change = nameChange(beforeId !== null, afterId !== null);
    const summary = isFirst ? "in production when releases began" : "promoted by an instance of an earlier version";
    return [{ family, key, beforeId, afterId, change, summary }];
  });
}

/** Null for a deletion: then nothing is there. */
function idOf(record: RawDocument | undefined): number | null {
  return record === undefined || record.isDeleted === true ? null : record._id;
}

function latest(records: readonly RawDocument[]): Date | null {
  const times = records.flatMap(({ createdAt }) => (createdAt instanceof Date ? [createdAt] : []));
  return times.reduce<Date | null>((newest, time) => (newest === null || time > newest ? time : newest), null);
}
