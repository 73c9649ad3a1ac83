import type { ReactNode } from "react";
import { Link } from "@/app/_components/ui/link";
import { Section } from "@/app/_components/ui/section";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { describeBytes } from "@/app/_releases/labels";
import type { OverviewAnswer } from "@/lib/console/overview/answer-schema";
import type { ReleaseOutlineJson } from "@/lib/content/releases/answer-schema";
import { formatNumber } from "@/lib/labels/format-number";

/** What vehicles get from production: revision, age and size. */
export function Served({
  served,
  release,
}: Readonly<Pick<OverviewAnswer, "served"> & { release: ReleaseOutlineJson | null }>) {
  return (
    <Section
      title="What vehicles get now"
      actions={<Link href="/policytable?environment=production">View table</Link>}
      flush
    >
      {served === null ? (
        <p className="px-4 py-3 text-muted">No policy is compiled yet.</p>
      ) : (
        <dl className="space-y-1 px-4 py-2.5 text-table">
          {listFacts(served, release).map(
            ([name, value]) =>
              value !== null && (
                <div key={name} className="flex justify-between gap-4">
                  <dt className="text-muted">{name}</dt>
                  <dd className="min-w-0 text-right tabular-nums">{value}</dd>
                </div>
              ),
          )}
        </dl>
      )}
    </Section>
  );
}

function listFacts(
  served: NonNullable<OverviewAnswer["served"]>,
  release: ReleaseOutlineJson | null,
): (readonly [name: string, value: ReactNode])[] {
  const { revision, served_revision: byWorkers, compiled_ts: compiledAt, table_bytes: size } = served;
  return [
    ["Policy revision", revision],
    ["Served by vehicle workers", byWorkers === null || byWorkers === revision ? null : `revision ${byWorkers}`],
    ["Last release", release && <TimeAgo key="release" at={release.at} />],
    ["Compiled", compiledAt === null ? null : <TimeAgo key="compiled" at={compiledAt} />],
    ["Table without apps", size === null ? "none" : describeBytes(size.plain)],
    ["Compressed", size && describeBytes(size.gzip)],
    ["Apps", formatNumber(served.applications)],
    ["Functional groups", formatNumber(served.groups)],
  ];
}
