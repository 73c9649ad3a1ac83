import type { Metadata } from "next";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { Notice } from "@/app/_components/feedback/notice";
import { LinkButton } from "@/app/_components/ui/link-button";
import { PageHeader } from "@/app/_components/ui/page-header";
import { Section } from "@/app/_components/ui/section";
import { listAuditEvents } from "@/lib/platform/audit/queries";
import { auditQuery } from "@/lib/platform/audit/schema";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { EventRow } from "./event-row";
import { FilterForm } from "./filter-form";
import { VerifyChain } from "./verify-chain";

export const metadata: Metadata = { title: "Activity" };

/** Who did what, when and to what, newest first, with filters and the same as a file (`people.md` P13). */
export default async function ActivityPage({ searchParams }: PageProps<"/activity">) {
  await requirePage("read");
  const raw = await searchParams;
  const { cursor, ...filters } = Object.fromEntries(
    Object.entries(raw).flatMap(([name, value]) => (typeof value === "string" && value !== "" ? [[name, value]] : [])),
  );
  const read = auditQuery.safeParse({ ...filters, ...(cursor !== undefined && { cursor }) });
  const { events, next_cursor: next } = read.success
    ? await listAuditEvents(read.data)
    : { events: [], next_cursor: null };
  const hrefOf = (path: string, more: Readonly<Record<string, string>>) =>
    `${path}?${new URLSearchParams({ ...filters, ...more }).toString()}`;
  return (
    <>
      <PageHeader
        title="Activity"
        description="Who did what, newest first. Entries cannot be changed."
        actions={
          <>
            <LinkButton href={hrefOf("/api/v1/audit/export", { format: "csv" })}>Download CSV</LinkButton>
            <LinkButton href={hrefOf("/api/v1/audit/export", { format: "ndjson" })}>Download NDJSON</LinkButton>
          </>
        }
      />
      <VerifyChain />
      <FilterForm filters={filters} />
      {!read.success && <Notice title="These filters are not valid">{read.error.issues[0]?.message}</Notice>}
      {events.length === 0 ? (
        <EmptyState title="No events">No event matches the filters.</EmptyState>
      ) : (
        <Section title="Events" flush>
          <div className="overflow-x-auto">
            <table className="w-full text-left text-table">
              <thead>
                <tr className="border-b border-line text-muted">
                  {["When", "Who", "What"].map((title) => (
                    <th key={title} scope="col" className="px-4 py-2 font-medium">
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody className="divide-y divide-line">
                {events.map((event) => (
                  <EventRow key={event.id} event={event} />
                ))}
              </tbody>
            </table>
          </div>
        </Section>
      )}
      <nav aria-label="Pages" className="mt-3 flex justify-end gap-2">
        {cursor !== undefined && <LinkButton href={hrefOf("/activity", {})}>Newest</LinkButton>}
        {next !== null && <LinkButton href={hrefOf("/activity", { cursor: String(next) })}>Older</LinkButton>}
      </nav>
    </>
  );
}
