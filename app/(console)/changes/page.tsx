import type { Metadata } from "next";
import { ReviewLoader } from "@/app/(console)/changes/review-loader";
import { readChoices } from "@/app/_releases/item-address";
import { requirePage } from "@/lib/auth/callers/require-page";

export const metadata: Metadata = { title: "Review changes" };

export default async function ChangesPage({ searchParams }: PageProps<"/changes">) {
  await requirePage("read");
  return <ReviewLoader choices={readChoices(await searchParams)} />;
}
