import type { Metadata } from "next";
import { Link } from "@/app/_components/ui/link";
import { PageHeader } from "@/app/_components/ui/page-header";
import { Section } from "@/app/_components/ui/section";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { Timeline } from "@/app/_releases/timeline";
import { loadEventNames } from "@/lib/console/activity";
import { loadOverview } from "@/lib/console/overview/queries";
import { readClock } from "@/lib/console/read-clock";
import type { ReleaseOutlineJson } from "@/lib/content/releases/answer-schema";
import { plural } from "@/lib/labels/format-number";
import { findReader, requirePage } from "@/lib/platform/auth/callers/require-page";
import { News } from "./news";
import { Served } from "./served";
import { Steps } from "./steps";
import { WaitingList } from "./waiting-list";

export const metadata: Metadata = { title: "Overview" };

const maxListed = 3;

/** What needs attention, what is new, and what vehicles get (`people.md` P18). */
export default async function OverviewPage() {
  await requirePage("read");
  const reader = await findReader();
  const now = readClock();
  const { waiting, applications, since, releases, scheduled, served, steps } = await loadOverview(
    reader,
    new Date(now),
  );
  const names = await loadEventNames(since.kinds.map(({ event }) => event));
  return (
    <>
      <PageHeader title="Overview" />
      <Steps steps={steps} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="space-y-4">
          <WaitingList waiting={waiting} applications={applications} role={reader?.role ?? null} />
          {releases.length + scheduled.length > 0 && (
            <Section title="Releases" actions={<Link href="/releases">All releases</Link>} flush>
              <Timeline releases={releases} scheduled={scheduled} now={now} size="card" />
              <ReleaseList releases={releases.slice(0, maxListed)} />
            </Section>
          )}
        </div>
        <div className="space-y-4">
          <Served served={served} release={releases[0] ?? null} />
          <News since={since} releases={releases} names={names} />
        </div>
      </div>
    </>
  );
}

function ReleaseList({ releases }: Readonly<{ releases: readonly ReleaseOutlineJson[] }>) {
  return (
    <ul className="divide-y divide-line border-t border-line text-table">
      {releases.map(({ number, name, item_count: count, at }) => (
        <li key={number} className="flex items-baseline gap-3 px-4 py-1.5">
          <Link href={`/releases/${number}`} className="min-w-0 truncate font-medium">
            #{number}
            {name !== null && ` ${name}`}
          </Link>
          <span className="whitespace-nowrap text-muted">{plural(count, "item")}</span>
          <TimeAgo at={at} className="ml-auto whitespace-nowrap text-muted" />
        </li>
      ))}
    </ul>
  );
}
