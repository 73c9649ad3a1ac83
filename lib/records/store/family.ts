import type { ClientSession } from "mongoose";
import type { CounterName } from "@/lib/platform/db/counters";
import type { RecordStore } from "@/lib/platform/db/heads";
import type { Transaction } from "@/lib/platform/db/transaction";
import type { RecordItemFamily } from "@/lib/vocabulary/release-items";
import type { RecordStatus } from "@/lib/vocabulary/terms";
import type { VersionedRecord } from "@/lib/records/store/views";

/** Members that storing adds to the content. Families that are never deleted have no `isDeleted`. */
export interface StoredMembers extends Pick<VersionedRecord, "id" | "status"> {
  readonly isDeleted?: boolean;
}

export type NewRecord<C> = C & {
  readonly id: number;
  readonly status: RecordStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export interface RecordSource<R> extends RecordStore {
  load(ids: readonly number[], session?: ClientSession): Promise<readonly R[]>;
  /** Records with the same key are versions of one thing. A constant for families with only one. */
  keyOf(record: R): string;
  compareKeys(a: string, b: string): number;
  searchTexts(record: R): readonly (string | null)[];
}

/**
 * What is specific to a family of versioned records (`api.md` section 1). C is the content of a save, R the stored
 * record. Functions are methods, so that families of any content can be published together.
 */
export interface RecordFamily<C, R extends C & StoredMembers> extends RecordStore {
  readonly model: RecordStore["model"] & {
    insertMany(documents: readonly object[], options: InsertOptions): Promise<unknown>;
  };
  readonly item: RecordItemFamily;
  /** Prefix of the verb in audit events, e.g. `groups`. */
  readonly area: string;
  keyOf(content: C): string;
  /** Target of audit events, e.g. `group:Location-1`. */
  targetOf(content: C): string;
  /** The record as subject of a sentence, e.g. `The group`. */
  subjectOf(content: C): string;
  /** Whether an edit based on any record may start a new key; otherwise only one without `base_id`, or with 0. */
  readonly takesOverNames?: boolean;
  readonly isPermanent?: true;
  /** Members that a rollback leaves unchanged. */
  readonly ofToday?: readonly string[];
  load(ids: readonly number[], session?: ClientSession): Promise<readonly R[]>;
  /** The record in the form of its route's response, for conflicts; also what an edit submitted. */
  toJson(record: C & Partial<StoredMembers>, session: ClientSession): Promise<unknown>;
  /** The record as a body for its save route, without ids, times and secrets; null if it is damaged. */
  toBody(record: R): object | null;
  /** The same for comparisons, with fingerprints in place of secrets; default: `toBody`. */
  toComparable?(record: R): object | null;
  /** The content of a body in the form of `toBody`; throws a ZodError or AppError 400. */
  contentOf(body: object, tx: Transaction): Promise<C>;
  number(tx: Transaction, contents: readonly C[]): Promise<readonly (C & { readonly id: number })[]>;
  /** Members that are stored in another form. */
  seal?(record: NewRecord<C>): object;
  /** Checks a save against the database; throws AppError 400. */
  requireSavable?(tx: Transaction, contents: readonly C[]): Promise<void>;
  /** Checks that everything these records need is in production with them; throws AppError 400. */
  requirePromotable?(tx: Transaction, records: readonly R[]): Promise<void>;
}

interface InsertOptions {
  readonly session: ClientSession;
  readonly timestamps: false;
}

export function comparableOf<C, R extends C & StoredMembers>(family: RecordFamily<C, R>, record: R): object | null {
  return family.toComparable === undefined ? family.toBody(record) : family.toComparable(record);
}

export type AnyFamily = RecordFamily<object, StoredMembers>;

/** Reserves `count` new ids, to be taken one at a time; then throws a RangeError. */
export async function takeIds(tx: Transaction, counter: CounterName, count: number): Promise<() => number> {
  const ids = (await tx.nextIds(counter, count)).values();
  return () => {
    const { value } = ids.next();
    if (value === undefined) throw new RangeError(`more than ${count} ids of ${counter} are taken`);
    return value;
  };
}

export async function numberEach<C extends object>(
  tx: Transaction,
  counter: CounterName,
  contents: readonly C[],
): Promise<(C & { readonly id: number })[]> {
  const nextId = await takeIds(tx, counter, contents.length);
  return contents.map((content) => ({ ...content, id: nextId() }));
}
