import "server-only";
import { type Transaction } from "@/lib/db/transaction";
import { type ApprovalStatus } from "@/lib/policy/vocabulary";
import { FeedbackModel } from "@/models/feedback";

/** A decision about one version. */
export interface Decision {
  readonly uuid: string;
  /** Null: the directory cannot be told which version is meant. */
  readonly versionId: number | null;
  readonly approvalStatus: ApprovalStatus;
  readonly notes: string | null;
  readonly blacklist: boolean;
}

/**
 * Puts a decision into the queue of what the directory is to be told, in place of an earlier one about the same version
 * (`directory.md` rules P1 to P4). Only ACCEPTED and LIMITED are reported; another status takes an unsent report back.
 */
export async function saveFeedback(tx: Transaction, decision: Decision): Promise<void> {
  const { uuid, versionId, approvalStatus, notes, blacklist } = decision;
  if (versionId === null) return;
  const _id = `${uuid}:${versionId}`;
  await FeedbackModel.deleteOne({ _id }, { session: tx.session });
  if (approvalStatus !== "ACCEPTED" && approvalStatus !== "LIMITED") return;
  const element = { _id, uuid, versionId, approvalStatus, notes, blacklist, dueAt: tx.now, revision: tx.revision };
  await FeedbackModel.insertMany([element], { session: tx.session });
}
