import type { Metadata } from "next";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { Notice } from "@/app/_components/feedback/notice";
import { LinkButton } from "@/app/_components/ui/link-button";
import { PageHeader } from "@/app/_components/ui/page-header";
import { Section } from "@/app/_components/ui/section";
import { listAuditEvents } from "@/lib/platform/audit/queries";
import { type AuditEventJson, auditFamilies, auditQuery } from "@/lib/platform/audit/schema";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { VerifyChain } from "./verify-chain";
import { Link } from "@/app/_components/ui/link";
import { Fold } from "@/app/_components/ui/outline/fold";
import { PlainTable } from "@/app/_components/list/table/plain-table";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { Author } from "@/app/_releases/labels";
import { describeEvent, pathOfTarget } from "./event-labels";
import Form from "next/form";
import { inputClass } from "@/app/_components/fields/input-class";
import { Button } from "@/app/_components/ui/button";
import { namesOf } from "@/lib/labels/members";
import { environments } from "@/lib/labels/vocabulary";

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
          <PlainTable titles={["When", "Who", "What"]}>
            {events.map((event) => (
              <EventRow key={event.id} event={event} />
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

/** Who did what, when, and on demand what it was before and after. */
function EventRow({ event }: Readonly<{ event: AuditEventJson }>) {
  const { actor, display_name, display_name_verified, created_ts: at, target, before, after, route } = event;
  const path = pathOfTarget(target);
  const sentence = describeEvent(event);
  return (
    <tr>
      <td className="px-4 py-2 align-top whitespace-nowrap">
        <TimeAgo at={at} />
      </td>
      <td className="px-4 py-2 align-top">
        <Author author={{ actor, display_name, display_name_verified }} />
        {display_name !== null && <span className="text-muted"> ({actor})</span>}
      </td>
      <td className="px-4 py-2 align-top wrap-anywhere">
        {path === null ? (
          sentence
        ) : (
          <Link href={path} className="inline-block py-1">
            {sentence}
          </Link>
        )}
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

type ActivityFilters = Readonly<Record<string, string>>;

const texts = [
  ["person", "Person"],
  ["item", "Item"],
  ["action", "Action, e.g. groups.promote"],
  ["release", "Release"],
  ["from", "From, e.g. 2026-03-01T06:00:00Z"],
  ["to", "Before"],
] as const;
const choices = [
  ["family", "Family", namesOf(auditFamilies)],
  ["environment", "Environment", environments],
] as const;

/** A form of its own address: it works before any script does, and the address can be passed on. */
function FilterForm({ filters }: Readonly<{ filters: ActivityFilters }>) {
  return (
    <Form action="/activity" className="mb-4 grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-4">
      {texts.map(([name, label]) => (
        <label key={name} className="space-y-1 text-table">
          <span>{label}</span>
          <input name={name} defaultValue={filters[name] ?? ""} className={inputClass} />
        </label>
      ))}
      {choices.map(([name, label, options]) => (
        <label key={name} className="space-y-1 text-table">
          <span>{label}</span>
          <select name={name} defaultValue={filters[name] ?? ""} className={inputClass}>
            <option value="">All</option>
            {options.map((option) => (
              <option key={option} value={option}>
                {option.replaceAll("_", " ")}
              </option>
            ))}
          </select>
        </label>
      ))}
      <div className="flex gap-2">
        <Button type="submit" variant="primary">
          Filter
        </Button>
        <LinkButton href="/activity">Show all</LinkButton>
      </div>
    </Form>
  );
}
