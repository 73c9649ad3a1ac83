import type { Metadata } from "next";
import { ApprovalsSection } from "./approvals-section";
import { Review } from "./review";
import { readChoices } from "@/app/_releases/item-address";
import { findReader, requirePage } from "@/lib/platform/auth/callers/require-page";
import { listApprovals } from "@/lib/gate/approvals/queries";
import { loadFreeze } from "@/lib/content/releases/freeze";
import { findChanges } from "@/lib/gate/publish/queries";
import { listReleases } from "@/lib/content/releases/queries";
import { needsSecondPerson } from "@/lib/content/releases/second-person";

export const metadata: Metadata = { title: "Review changes" };

/** Everything that production does not have: looked at, chosen, checked, published. */
export default async function ChangesPage({ searchParams }: PageProps<"/changes">) {
  await requirePage("read");
  const query = await searchParams;
  const [first, { releases }, freeze, approvals] = await Promise.all([
    findChanges(undefined),
    listReleases({ limit: 1, cursor: undefined, kind: undefined }),
    loadFreeze(),
    listApprovals(await findReader()),
  ]);
  return (
    <Review
      first={first}
      choices={readChoices(query)}
      freeze={freeze}
      last={releases[0] ?? null}
      asksSecond={needsSecondPerson()}
      waiting={<ApprovalsSection approvals={approvals} current={Number(query.approval) || null} />}
    />
  );
}
