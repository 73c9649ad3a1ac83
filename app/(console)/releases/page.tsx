import { CircleCheck, Gauge } from "lucide-react";
import type { Metadata } from "next";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { LinkButton } from "@/app/_components/ui/link-button";
import { LinkTabs } from "@/app/_components/ui/link-tabs";
import { PageHeader } from "@/app/_components/ui/page-header";
import { FreezeNotice } from "@/app/_releases/freeze-notice";
import { RolloutSection } from "@/app/_releases/rollout-section";
import { Author, KindChip } from "@/app/_releases/labels";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { readClock } from "@/app/_console/read-clock";
import { requirePageQuery } from "@/app/_console/require-page-query";
import { releasesPageQuery } from "@/lib/releases/schema";
import { loadFreeze } from "@/lib/records/publishing/freeze";
import { listReleases } from "@/lib/releases/queries";
import { loadRollout } from "@/lib/releases/rollout/queries";
import { loadTitles } from "@/lib/releases/items/titles";
import { listScheduled } from "@/lib/releases/schedule/commands";
import { kindLabels, releaseKinds } from "@/lib/vocabulary/release-items";
import { FreezeControl } from "./freeze-control";
import { ReturnButton } from "./return-button";
import { ScheduledSection } from "./scheduled-section";
import { Timeline } from "@/app/_releases/timeline";
import { Link } from "@/app/_components/ui/link";
import { Chip } from "@/app/_components/ui/chip";
import { cn } from "@/app/_components/ui/cn";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import type { ReleaseOutlineJson, RolloutJson } from "@/lib/releases/answer-schema";
import { formatNumber, plural } from "@/lib/vocabulary/format-number";

export const metadata: Metadata = { title: "Releases" };

const pageSize = 50;

/** The whole history of production, as a timeline and as a table. */
export default async function ReleasesPage({ searchParams }: PageProps<"/releases">) {
  await requirePage("read");
  const { kind, cursor } = requirePageQuery("/releases", releasesPageQuery, await searchParams);
  const [{ releases, next_cursor: next }, latest, scheduled, freeze, rollout] = await Promise.all([
    listReleases({ limit: pageSize, cursor, kind }),
    listReleases({ limit: 1, cursor: undefined, kind: undefined }),
    listScheduled(),
    loadFreeze(),
    loadRollout(),
  ]);
  // Scheduled releases follow the latest one, so only the first page shows them.
  const isWhole = kind === undefined && cursor === undefined;
  const titleOf = await loadTitles(scheduled.flatMap((one) => one.items));
  const hrefOf = (query: { readonly kind?: string | undefined; readonly cursor?: number | null }) => {
    const given = Object.entries(query).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]]));
    return given.length === 0 ? "/releases" : `/releases?${new URLSearchParams(given).toString()}`;
  };
  return (
    <>
      <PageHeader
        title="Releases"
        description="Every change to what vehicles in production receive, newest first."
        actions={
          <>
            <FreezeControl freeze={freeze} />
            <LinkButton href="/changes" variant="primary">
              Review changes
            </LinkButton>
          </>
        }
      />
      <FreezeNotice freeze={freeze} />
      <RolloutSection rollout={rollout} className="mb-4" />
      <ScheduledSection scheduled={scheduled.map((one) => ({ ...one, titles: one.items.map(titleOf) }))} />
      <LinkTabs
        label="Kinds of releases"
        tabs={[
          { label: "All", href: "/releases", isCurrent: kind === undefined },
          ...releaseKinds.map((one) => ({
            label: kindLabels[one],
            href: hrefOf({ kind: one }),
            isCurrent: kind === one,
          })),
        ]}
      />
      <Timeline releases={releases} scheduled={isWhole ? scheduled : []} now={readClock()} />
      {releases.length === 0 ? (
        <EmptyState title="No releases">
          {kind === undefined
            ? "Nothing has been published yet. Releases appear here when you publish changes."
            : "No release of this kind."}
        </EmptyState>
      ) : (
        <ReleaseTable releases={releases} current={latest.releases[0]} rollout={rollout} />
      )}
      <nav aria-label="Pages" className="mt-3 flex justify-end gap-2">
        {cursor !== undefined && <LinkButton href={hrefOf({ kind })}>Newest</LinkButton>}
        {next !== null && <LinkButton href={hrefOf({ kind, cursor: next })}>Older</LinkButton>}
      </nav>
    </>
  );
}

/** The newest release, which not all vehicles get while it is being rolled out. */
function ProductionChip({ share }: Readonly<{ share: number | null }>) {
  return share === null ? (
    <Chip tone="good" icon={CircleCheck}>
      In production
    </Chip>
  ) : (
    <Chip tone="accent" icon={Gauge}>
      {`${formatNumber(share)} % of vehicles`}
    </Chip>
  );
}

const columns = [
  ["Release", "px-4"],
  ["Kind", "px-3 max-md:hidden"],
  ["Changes", "px-3 text-right whitespace-nowrap max-md:hidden"],
  ["By", "px-3 max-md:hidden"],
  ["When", "px-3 max-md:hidden"],
] as const;

/** The releases, newest first: the whole history of production. */
function ReleaseTable({
  releases,
  current,
  rollout,
}: Readonly<{
  releases: readonly ReleaseOutlineJson[];
  current: ReleaseOutlineJson | undefined;
  rollout: RolloutJson | null;
}>) {
  const previous = releases.find((one) => current !== undefined && one.number < current.number)?.number;
  return (
    <div className="overflow-x-auto rounded-card border border-line bg-surface">
      <table className="w-full text-left text-table">
        <caption className="sr-only">Releases</caption>
        <thead className="text-xs text-muted max-md:sr-only">
          <tr className="border-b border-line">
            {columns.map(([title, className]) => (
              <th key={title} scope="col" className={cn("py-2 font-medium", className)}>
                {title}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {releases.map((release) => {
            const { number, kind, name, note, author, at, item_count: count } = release;
            return (
              <tr key={number} className="relative align-top hover:bg-hover">
                <th scope="row" className="px-4 py-2 font-normal">
                  <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                    <Link
                      href={`/releases/${number}`}
                      className="font-medium text-text no-underline after:absolute after:inset-0 hover:underline"
                    >
                      <span className="tabular-nums">#{number}</span>
                      {name !== null && ` ${name}`}
                    </Link>
                    {number === current?.number && <ProductionChip share={rollout?.percent ?? null} />}
                  </div>
                  {note !== null && <p className="line-clamp-1 max-w-prose text-muted">{note}</p>}
                  <p className="text-muted md:hidden">
                    {kind !== "release" && `${kindLabels[kind]}, `}
                    {plural(count, "change")} by <Author author={author} />,{" "}
                    <TimeAgo at={at} className="relative z-1 whitespace-nowrap" />
                  </p>
                </th>
                <td className="px-3 py-2 max-md:hidden">
                  <KindChip kind={kind} />
                </td>
                <td className="px-3 py-2 text-right tabular-nums max-md:hidden">{formatNumber(count)}</td>
                <td className="px-3 py-2 max-md:hidden">
                  <Author author={author} />
                </td>
                <td className="px-3 py-2 whitespace-nowrap text-muted max-md:hidden">
                  <TimeAgo at={at} exact="below" className="relative z-1" />
                </td>
                <td className="py-1.5 pr-3 text-right whitespace-nowrap">
                  {current !== undefined && number !== current.number && (
                    <span className="relative z-1">
                      <ReturnButton release={release} current={current} isIcon={number !== previous} size="sm" />
                    </span>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
