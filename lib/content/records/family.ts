import type { ClientSession } from "mongoose";
import type { CounterName } from "@/lib/platform/db/counters";
import type { RecordStore } from "@/lib/platform/db/heads";
import type { Transaction } from "@/lib/platform/db/transaction";
import type { RecordItemFamily } from "@/lib/labels/release-items";
import type { RecordStatus } from "@/lib/labels/vocabulary";
import type { VersionedRecord } from "@/lib/content/records/views";

/** What storing adds to what a save decides; a family whose records are never deleted does not say that they are. */
export interface StoredMembers extends Pick<VersionedRecord, "id" | "status"> {
  readonly isDeleted?: boolean;
}

export type NewRecord<C> = C & {
  readonly id: number;
  readonly status: RecordStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** How the records of a family are read and listed. */
export interface RecordSource<R> extends RecordStore {
  load(ids: readonly number[], session?: ClientSession): Promise<readonly R[]>;
  /** Records of one key are the history of one thing; a constant where there is only one. */
  keyOf(record: R): string;
  compareKeys(a: string, b: string): number;
  searchTexts(record: R): readonly (string | null)[];
}

/**
 * What is particular of a family of versioned records (`api.md` section 1). What all have in common is in this folder: one
 * life from the first save to the promoted deletion (`commands.ts`), views, lists, history and export.
 *
 * C is what a save decides, R the same as stored. Functions are written as methods, so that families of whatever content can
 * be promoted together.
 */
export interface RecordFamily<C, R extends C & StoredMembers> extends RecordStore {
  readonly model: RecordStore["model"] & {
    insertMany(documents: readonly object[], options: InsertOptions): Promise<unknown>;
  };
  /** What releases call its records. */
  readonly item: RecordItemFamily;
  /** Before the verb in audit events, e.g. `groups`. */
  readonly area: string;
  /** The verb of a save; `save` when not given. */
  saveVerb?(content: C): string;
  /** As `RecordSource` has it, of which a family is made. */
  keyOf(content: C): string;
  /** What an audit event is about, e.g. `group:Location-1`. */
  targetOf(content: C): string;
  /** The record as the subject of a sentence, e.g. `The group`. */
  subjectOf(content: C): string;
  /** Whether an edit of any record may become the first one of a key; else only one without `base_id`, or with 0. */
  readonly takesOverNames?: boolean;
  /** There is always one: it is never deleted. */
  readonly isPermanent?: true;
  /** Members of its records that a return leaves as they are today. */
  readonly ofToday?: readonly string[];
  load(ids: readonly number[], session?: ClientSession): Promise<readonly R[]>;
  /** The record as its route answers it, for those who meet a conflict. */
  toJson(record: R, session: ClientSession): Promise<unknown>;
  /** The record as its save takes it, without ids, times and secrets; null: it is damaged. */
  toBody(record: R): object | null;
  /** The same for comparisons, with a sign for each secret; `toBody` when not given. */
  toComparable?(record: R): object | null;
  /** What a body in the form of `toBody` wants to be stored; throws a ZodError or AppError 400. */
  contentOf(body: object, tx: Transaction): Promise<C>;
  /** Gives each content an id of its own, and new ids to what has some in it. */
  number(tx: Transaction, contents: readonly C[]): Promise<readonly (C & { readonly id: number })[]>;
  /** What of a record is stored in another form. */
  seal?(record: NewRecord<C>): object;
  /** What a save must find in the database; throws AppError 400. */
  requireSavable?(tx: Transaction, contents: readonly C[]): Promise<void>;
  /** What must be in production together with these records; throws AppError 400. */
  requirePromotable?(tx: Transaction, records: readonly R[]): Promise<void>;
}

interface InsertOptions {
  readonly session: ClientSession;
  readonly timestamps: false;
}

/** A record for comparisons; null when it is damaged. */
export function comparableOf<C, R extends C & StoredMembers>(family: RecordFamily<C, R>, record: R): object | null {
  return family.toComparable === undefined ? family.toBody(record) : family.toComparable(record);
}

/** Any family, for what looks into no content. */
export type AnyFamily = RecordFamily<object, StoredMembers>;

/** Allots new ids, to be taken one by one; a RangeError after `count` of them. */
export async function takeIds(tx: Transaction, counter: CounterName, count: number): Promise<() => number> {
  const ids = (await tx.nextIds(counter, count)).values();
  return () => {
    const { value } = ids.next();
    if (value === undefined) throw new RangeError(`more than ${count} ids of ${counter} are taken`);
    return value;
  };
}

/** Gives each content an id of its own, where nothing in it has one. */
export async function numberEach<C extends object>(
  tx: Transaction,
  counter: CounterName,
  contents: readonly C[],
): Promise<(C & { readonly id: number })[]> {
  const nextId = await takeIds(tx, counter, contents.length);
  return contents.map((content) => ({ ...content, id: nextId() }));
}
