import type { Metadata } from "next";
import { Review } from "@/app/(console)/changes/review";
import { readChoices } from "@/app/_releases/item-address";
import { requireAdminPage } from "@/lib/auth/session";
import { loadFreeze } from "@/lib/releases/freeze";
import { findChanges } from "@/lib/releases/publish/queries";
import { listReleases } from "@/lib/releases/queries";

export const metadata: Metadata = { title: "Review changes" };

/** Everything that production does not have: looked at, chosen, checked, published. */
export default async function ChangesPage({ searchParams }: PageProps<"/changes">) {
  await requireAdminPage();
  const choices = readChoices(await searchParams);
  const [first, { releases }, freeze] = await Promise.all([
    findChanges(undefined),
    listReleases({ limit: 1, cursor: undefined, kind: undefined }),
    loadFreeze(),
  ]);
  return <Review first={first} choices={choices} freeze={freeze} last={releases[0] ?? null} />;
}
