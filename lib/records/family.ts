import { type ClientSession } from "mongoose";
import { type RecordFamilyName } from "@/lib/db/heads";
import { type Transaction } from "@/lib/db/transaction";
import { type RecordStatus } from "@/lib/words/vocabulary";
import { type VersionedRecord } from "@/lib/records/views";

/** What storing adds to what a save decides; a family whose records are never deleted does not say that they are. */
export interface StoredMembers extends Pick<VersionedRecord, "id" | "status"> {
  readonly isDeleted?: boolean;
}

/** A record on its way into the database. */
export type NewRecord<C> = C & {
  readonly id: number;
  readonly status: RecordStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/**
 * What is particular of a family of versioned records (`api.md` section 1). What all have in common, one life from the
 * first save to the promoted deletion, is in `commands.ts`.
 *
 * C is what a save decides, R the same as stored.
 */
export interface RecordFamily<C, R extends C & StoredMembers> {
  readonly name: RecordFamilyName;
  /** Before the verb in audit events, e.g. `groups`. */
  readonly area: string;
  /** The verb of a save; `save` when not given. */
  saveVerb?(content: C): string;
  /** Records of one key are the history of one thing; a constant where there is only one. */
  keyOf(content: C): string;
  /** What an audit event is about, e.g. `group:Location-1`. */
  targetOf(content: C): string;
  /** The record as the subject of a sentence, e.g. `The group`. */
  subjectOf(content: C): string;
  /** Whether an edit of any record may become the first one of a key; else only one without `base_id`, or with 0. */
  readonly takesOverNames?: boolean;
  /** Reads records by id, in any order. */
  load(ids: readonly number[], session?: ClientSession): Promise<readonly R[]>;
  /** The record as its route answers it, for those who meet a conflict. */
  toJson(record: R, session: ClientSession): Promise<unknown>;
  /** Gives each content an id of its own, and new ids to what has some in it. */
  number(tx: Transaction, contents: readonly C[]): Promise<readonly (C & { readonly id: number })[]>;
  insert(tx: Transaction, records: readonly NewRecord<C>[]): Promise<void>;
  /**
   * What a save must find in the database.
   *
   * @throws AppError 400
   */
  requireSavable?(tx: Transaction, contents: readonly C[]): Promise<void>;
  /**
   * What must be in production before these records are.
   *
   * @throws AppError 400
   */
  requirePromotable?(tx: Transaction, records: readonly R[]): Promise<void>;
}
