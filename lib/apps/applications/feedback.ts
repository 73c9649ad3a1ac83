import "server-only";
import type { Transaction } from "@/lib/platform/db/transaction";
import type { ApprovalStatus } from "@/lib/vocabulary/terms";
import { JobQueue } from "@/lib/jobs/queue";
import { FeedbackModel, type FeedbackRecord } from "@/models/directory/feedback";

/** `directory.md` section 7. A new decision replaces the document, so that the claim of an old one ends. */
export const feedbackQueue = new JobQueue<FeedbackRecord>(FeedbackModel, (owned) => FeedbackModel.find(owned).lean());

interface Decision {
  readonly uuid: string;
  /** Null or below 1 after an import (`exchange.md` X7); the app directory cannot identify such a version. */
  readonly versionId: number | null;
  readonly approvalStatus: ApprovalStatus;
  readonly notes: string | null;
  readonly blacklist: boolean;
}

/** Only ACCEPTED and LIMITED are reported; other statuses cancel an unsent report (`directory.md` rules P1 to P4). */
export async function saveFeedbacks(tx: Transaction, decisions: readonly Decision[]): Promise<void> {
  const elements = decisions.flatMap(({ uuid, versionId, approvalStatus, notes, blacklist }) =>
    versionId === null || versionId < 1
      ? []
      : [{ _id: `${uuid}:${versionId}`, uuid, versionId, approvalStatus, notes, blacklist, dueAt: tx.now }],
  );
  if (elements.length === 0) return;
  const { session, revision } = tx;
  await FeedbackModel.deleteMany({ _id: { $in: elements.map(({ _id }) => _id) } }, { session });
  const reported = elements.filter(
    ({ approvalStatus }) => approvalStatus === "ACCEPTED" || approvalStatus === "LIMITED",
  );
  if (reported.length === 0) return;
  const untried = { attempts: 0, lastError: null, claim: null, createdAt: tx.now, updatedAt: tx.now };
  const documents = reported.map((element) => ({ ...element, ...untried, revision }));
  await FeedbackModel.insertMany(documents, { session, lean: true });
}
