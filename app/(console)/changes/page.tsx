import type { Metadata } from "next";
import { ReviewLoader } from "@/app/(console)/changes/review-loader";
import { readChoices } from "@/app/_releases/item-address";
import { requireAdminPage } from "@/lib/auth/session";

export const metadata: Metadata = { title: "Review changes" };

export default async function ChangesPage({ searchParams }: PageProps<"/changes">) {
  await requireAdminPage();
  return <ReviewLoader choices={readChoices(await searchParams)} />;
}
