import type { Metadata } from "next";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { Notice } from "@/app/_components/feedback/notice";
import { LinkButton } from "@/app/_components/ui/link-button";
import { PageHeader } from "@/app/_components/ui/page-header";
import { Section } from "@/app/_components/ui/section";
import { listActors, listAuditEvents } from "@/lib/platform/audit/queries";
import { type AuditEventJson, auditQuery } from "@/lib/platform/audit/schema";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { VerifyChain } from "./verify-chain";
import { Link } from "@/app/_components/ui/link";
import { Fold } from "@/app/_components/ui/outline/fold";
import { PlainTable } from "@/app/_components/list/table/plain-table";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { Author } from "@/app/_releases/labels";
import { loadEventNames } from "@/app/(console)/activity/queries";
import { distinct } from "@/lib/vocabulary/order";
import { pathOfEvent, tellEvent } from "./event-labels";
import { FilterForm } from "./filter-form";

export const metadata: Metadata = { title: "Activity" };

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
  const [names, people] = await Promise.all([loadEventNames(events), listActors()]);
  // The filter finds tokens by id only, and apps without their version.
  const items = Array.from(names).flatMap(([target, name]) => (/^(?!application|token).+:/.test(target) ? name : []));
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
      <FilterForm filters={filters} people={people} items={distinct(items)} />
      {!read.success && <Notice title="These filters are not valid">{read.error.issues[0]?.message}</Notice>}
      {events.length === 0 ? (
        <EmptyState title="No events">No event matches the filters.</EmptyState>
      ) : (
        <Section title="Events" flush>
          <PlainTable titles={["When", "Who", "What"]}>
            {events.map((event) => (
              <EventRow key={event.id} event={event} names={names} />
            ))}
          </PlainTable>
        </Section>
      )}
      <nav aria-label="Pages" className="mt-3 flex justify-end gap-2">
        {cursor !== undefined && <LinkButton href={hrefOf("/activity", {})}>Newest</LinkButton>}
        {next !== null && <LinkButton href={hrefOf("/activity", { cursor: String(next) })}>Older</LinkButton>}
      </nav>
    </>
  );
}

function EventRow({ event, names }: Readonly<{ event: AuditEventJson; names: ReadonlyMap<string, string> }>) {
  const { actor, display_name, display_name_verified, created_ts: at, target, before, after, route } = event;
  const path = pathOfEvent(target, names);
  const { verb, noun, name, change } = tellEvent(event, names);
  return (
    <tr>
      <td className="px-4 py-2 align-top whitespace-nowrap">
        <TimeAgo at={at} />
      </td>
      <td className="min-w-24 px-4 py-2 align-top">
        <Author author={{ actor, display_name, display_name_verified }} />
        {display_name !== null && <span className="text-muted"> ({actor})</span>}
      </td>
      <td className="px-4 py-2 align-top wrap-anywhere">
        {`${verb} ${noun}`}
        {path === null || name === "" ? (
          <span className="font-medium">{name}</span>
        ) : (
          <Link href={path} className="font-medium">
            {name}
          </Link>
        )}
        {change !== "" && <span className="block text-muted">{change}</span>}
        {(before !== null || after !== null) && (
          <Fold title="Before and after">
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 font-mono">
              <dt className="text-muted">Before</dt>
              <dd className="whitespace-pre-wrap">{toText(before)}</dd>
              <dt className="text-muted">After</dt>
              <dd className="whitespace-pre-wrap">{toText(after)}</dd>
              <dt className="text-muted">By</dt>
              <dd>{route}</dd>
            </dl>
          </Fold>
        )}
      </td>
    </tr>
  );
}

const toText = (value: unknown) =>
  value === null ? "nothing" : typeof value === "string" ? value : JSON.stringify(value, null, 1);
