import type { Metadata } from "next";
import { cn } from "@/app/_components/ui/cn";
import { Link } from "@/app/_components/ui/link";
import { PageHeader } from "@/app/_components/ui/page-header";
import { Section } from "@/app/_components/ui/section";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { ReturnButton } from "@/app/(console)/releases/return-button";
import { Author, KindChip } from "@/app/_releases/labels";
import { RolloutSection } from "@/app/_releases/rollout-section";
import { Timeline } from "@/app/_releases/timeline";
import { loadEventNames } from "@/app/(console)/activity/queries";
import { loadOverview } from "@/app/(console)/(overview)/queries";
import { readClock } from "@/app/_console/read-clock";
import type { OverviewAnswer } from "@/app/(console)/(overview)/answer-schema";
import { plural } from "@/lib/vocabulary/format-number";
import { findReader, requirePage } from "@/lib/platform/auth/callers/require-page";
import { News } from "./news";
import { FleetSummary } from "./fleet-summary";
import { ServedPolicy } from "./served-policy";
import { Steps } from "./steps";
import { WaitingList } from "./waiting-list";

export const metadata: Metadata = { title: "Overview" };

const maxEarlier = 2;

/** How the fleet is doing, what needs attention, what is new, and what vehicles get (`people.md` P18). */
export default async function OverviewPage() {
  await requirePage("read");
  const reader = await findReader();
  const now = readClock();
  const { waiting, applications, changes, since, releases, scheduled, rollout, served, fleet, steps } =
    await loadOverview(reader, new Date(now));
  const names = await loadEventNames(since.kinds.map(({ event }) => event));
  const production = <Production releases={releases} scheduled={scheduled} now={now} hasTimeline={fleet === null} />;
  return (
    <>
      <PageHeader title="Overview" />
      <Steps steps={steps} />
      <FleetSummary fleet={fleet} isNew={steps.length > 0} />
      <div
        className={cn(
          "grid grid-cols-[minmax(0,1fr)] items-start gap-4",
          fleet === null ? "lg:grid-cols-[minmax(0,1fr)_22rem]" : "lg:grid-cols-2",
        )}
      >
        <div className="space-y-4">
          <RolloutSection rollout={rollout} />
          <WaitingList waiting={waiting} applications={applications} changes={changes} role={reader?.role ?? null} />
          {fleet === null && production}
        </div>
        <div className="space-y-4">
          {fleet !== null && production}
          <ServedPolicy served={served} />
          <News since={since} releases={releases} names={names} />
        </div>
      </div>
    </>
  );
}

/** The release that vehicles get, the way back to the one before, and the latest before it. */
function Production({
  releases,
  scheduled,
  now,
  hasTimeline,
}: Readonly<
  Pick<OverviewAnswer, "releases" | "scheduled"> & {
    now: number;
    /** How vehicles take releases says more about them than when they were published. */
    hasTimeline: boolean;
  }
>) {
  const [current, ...earlier] = releases;
  if (current === undefined) return null;
  const [previous] = earlier;
  return (
    <Section title="In production" actions={<Link href="/releases">All releases</Link>} flush>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
        <div className="min-w-0 grow">
          <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <Link href={`/releases/${current.number}`} className="text-base font-semibold wrap-anywhere">
              #{current.number}
              {current.name !== null && ` ${current.name}`}
            </Link>
            <KindChip kind={current.kind} />
          </p>
          <p className="text-table text-muted">
            {plural(current.item_count, "change")} by <Author author={current.author} />,{" "}
            <TimeAgo at={current.at} exact={hasTimeline} />
          </p>
        </div>
        {previous && <ReturnButton size="sm" release={previous} current={current} />}
      </div>
      {hasTimeline && <Timeline releases={releases} scheduled={scheduled} now={now} size="card" />}
      {earlier.length > 0 && (
        <ul className="divide-y divide-line border-t border-line text-table">
          {earlier.slice(0, maxEarlier).map(({ number, name, item_count: count, at }) => (
            <li key={number} className="flex items-baseline gap-3 px-4 py-1.5">
              <Link href={`/releases/${number}`} className="min-w-0 truncate font-medium">
                #{number}
                {name !== null && ` ${name}`}
              </Link>
              <span className="whitespace-nowrap text-muted">{plural(count, "change")}</span>
              <TimeAgo at={at} className="ml-auto whitespace-nowrap text-muted" />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
