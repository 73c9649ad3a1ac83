import type { Metadata } from "next";
import { LinkButton } from "@/app/_components/ui/link-button";
import { PageHeader } from "@/app/_components/ui/page-header";
import { requirePage } from "@/lib/auth/callers/require-page";

export const metadata: Metadata = { title: "Releases" };

export default async function ReleasesPage() {
  await requirePage("read");
  return (
    <PageHeader
      title="Releases"
      description="How content came into production: every change of what vehicles receive, newest first."
      actions={
        <LinkButton href="/changes" variant="primary">
          Review changes
        </LinkButton>
      }
    />
  );
}
