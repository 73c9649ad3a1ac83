import type { Metadata } from "next";
import { Link } from "@/app/_components/ui/link";
import { PageHeader } from "@/app/_components/ui/page-header";
import { findReader, requirePage } from "@/lib/platform/auth/callers/require-page";
import { describeRole, needs, roleFor } from "@/lib/vocabulary/roles";

export const metadata: Metadata = { title: "No access" };

export default async function NoAccessPage({ searchParams }: PageProps<"/no-access">) {
  await requirePage("read");
  const { needs: asked } = await searchParams;
  const need = needs.find((one) => one === asked) ?? "administer";
  const reader = await findReader();
  return (
    <>
      <PageHeader title="No access" />
      <p className="max-w-prose">
        {reader?.name ?? "You"} {reader?.name ? "is" : "are"}{" "}
        {reader?.role ? describeRole(reader.role) : "without a role"}. This page needs the role{" "}
        <strong>{roleFor[need]}</strong>. Ask the administrator of this server for it.
      </p>
      <p className="mt-4">
        <Link href="/">Go to the overview</Link>
      </p>
    </>
  );
}
