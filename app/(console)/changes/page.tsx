import type { Metadata } from "next";
import { ApprovalsSection } from "./approvals-section";
import { Review } from "./review";
import { readChoices } from "@/app/_releases/item-address";
import { findReader, requirePage } from "@/lib/platform/auth/callers/require-page";
import { listApprovals } from "@/lib/releases/approvals/queries";
import { reviewRequest } from "@/lib/releases/approvals/review-request";
import type { ApprovalAnswer } from "@/lib/releases/answer-schema";
import { AppError } from "@/lib/platform/errors";
import { RequestPage } from "./request/request-page";
import { loadFreeze } from "@/lib/records/publishing/freeze";
import { findChanges } from "@/lib/releases/publish/queries";
import { listReleases } from "@/lib/releases/queries";
import { loadRollout } from "@/lib/releases/rollout/queries";
import { needsSecondPerson } from "@/lib/records/publishing/second-person";

export const metadata: Metadata = { title: "Review changes" };

/** Everything that is not in production: review, select, check, publish. */
export default async function ChangesPage({ searchParams }: PageProps<"/changes">) {
  await requirePage("read");
  const query = await searchParams;
  const request = await findShownRequest(query.approval);
  if (request !== null) return <RequestPage request={request} freeze={await loadFreeze()} />;
  const [first, { releases }, freeze, rollout, approvals] = await Promise.all([
    findChanges(undefined),
    listReleases({ limit: 1, cursor: undefined, kind: undefined }),
    loadFreeze(),
    loadRollout(),
    listApprovals(await findReader()),
  ]);
  return (
    <Review
      first={first}
      choices={readChoices(query)}
      freeze={freeze}
      rollout={rollout}
      last={releases[0] ?? null}
      asksSecond={needsSecondPerson()}
      waiting={<ApprovalsSection approvals={approvals} />}
    />
  );
}

/** The request that an address names; null if there is none, or it is no longer pending. */
async function findShownRequest(id: string | string[] | undefined): Promise<ApprovalAnswer | null> {
  if (typeof id !== "string" || !/^[1-9]\d{0,8}$/.test(id)) return null;
  try {
    return await reviewRequest(Number(id), await findReader());
  } catch (error) {
    if (error instanceof AppError && error.code === "notFound") return null;
    throw error;
  }
}
