import type { Metadata } from "next";
import { LinkButton } from "@/app/_components/ui/link-button";
import { PageHeader } from "@/app/_components/ui/page-header";
import { requireAdminPage } from "@/lib/auth/session";

export const metadata: Metadata = { title: "Releases" };

export default async function ReleasesPage() {
  await requireAdminPage();
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
