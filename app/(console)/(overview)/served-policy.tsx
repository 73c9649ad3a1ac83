import type { ReactNode } from "react";
import { Link } from "@/app/_components/ui/link";
import { Section } from "@/app/_components/ui/section";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import type { OverviewAnswer } from "@/app/(console)/(overview)/answer-schema";
import { formatNumber } from "@/lib/vocabulary/format-number";

export function ServedPolicy({ served }: Readonly<Pick<OverviewAnswer, "served">>) {
  return (
    <Section
      title="Policy in production"
      actions={<Link href="/policytable?environment=production">Policy table</Link>}
      flush
    >
      {served === null ? (
        <p className="px-4 py-3 text-table text-muted">No policy is compiled yet.</p>
      ) : (
        <dl className="grid gap-x-8 gap-y-1 px-4 py-2.5 text-table sm:grid-cols-2">
          {listFacts(served).map(
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

function listFacts(served: NonNullable<OverviewAnswer["served"]>): (readonly [name: string, value: ReactNode])[] {
  const { revision, served_revision: byWorkers, compiled_ts: compiledAt } = served;
  return [
    ["Policy revision", revision],
    ["Served by vehicle workers", byWorkers === null || byWorkers === revision ? null : `revision ${byWorkers}`],
    ["Compiled", compiledAt === null ? null : <TimeAgo key="compiled" at={compiledAt} />],
    ["Apps", formatNumber(served.applications)],
    ["Functional groups", formatNumber(served.groups)],
  ];
}
