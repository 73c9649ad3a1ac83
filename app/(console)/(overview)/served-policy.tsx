import { scaleBand, scaleLinear } from "d3-scale";
import type { ReactNode } from "react";
import { Link } from "@/app/_components/ui/link";
import { Section } from "@/app/_components/ui/section";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import type { OverviewAnswer } from "@/app/(console)/(overview)/answer-schema";
import type { Environment } from "@/lib/vocabulary/terms";
import { formatNumber, plural } from "@/lib/vocabulary/format-number";

type Requests = Pick<OverviewAnswer, "requests">;

/** How many vehicles ask, and what they get. */
export function Vehicles({ served, requests }: Readonly<Pick<OverviewAnswer, "served"> & Requests>) {
  return (
    <>
      <Section title="Vehicle requests" flush>
        <RequestChart requests={requests} />
      </Section>
      <Section
        title="Policy in production"
        actions={<Link href="/policytable?environment=production">Policy table</Link>}
        flush
      >
        {served === null ? (
          <p className="px-4 py-3 text-table text-muted">No policy is compiled yet.</p>
        ) : (
          <dl className="space-y-1 px-4 py-2.5 text-table">
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
    </>
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

const [width, height, margin] = [320, 72, 16];

/** Production requests by hour, the current one last. The sentence above it has the sums. */
function RequestChart({ requests }: Readonly<Requests>) {
  const count = ({ table, refused }: Requests["requests"][number][Environment]) => table + refused;
  const sum = (environment: Environment) => requests.reduce((all, hour) => all + count(hour[environment]), 0);
  const [production, staging] = [sum("production"), sum("staging")];
  const refused = requests.reduce((all, hour) => all + hour.production.refused, 0);
  const x = scaleBand(
    requests.map(({ at }) => at),
    [0, width],
  ).padding(0.2);
  const y = scaleLinear([0, Math.max(1, ...requests.map((hour) => count(hour.production)))], [0, height - margin]);
  if (production + staging === 0) {
    return <p className="px-4 py-3 text-table text-muted">No vehicle has asked in the last 24 hours.</p>;
  }
  return (
    <div className="space-y-2 px-4 py-3">
      <p>
        <span className="text-xl font-semibold tabular-nums">{formatNumber(production)}</span>{" "}
        <span className="text-table text-muted">
          in the last 24 hours
          {refused > 0 && `, ${formatNumber(refused)} refused`}
          {staging > 0 && ` · ${formatNumber(staging)} in staging`}
        </span>
      </p>
      {production > 0 && (
        <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true" className="block w-full">
          {requests.map((hour) => {
            const [all, bad] = [y(count(hour.production)), y(hour.production.refused)];
            const bar = { x: x(hour.at), width: x.bandwidth() };
            return (
              <g key={hour.at}>
                <title>{`${hour.at.slice(11, 16)} UTC: ${plural(count(hour.production), "request")}`}</title>
                <rect {...bar} y={0} height={height - margin} className="fill-transparent" />
                <rect {...bar} y={height - margin - all} height={all - bad} className="fill-accent" />
                <rect {...bar} y={height - margin - bad} height={bad} className="fill-bad" />
              </g>
            );
          })}
          <line x2={width} y1={height - margin} y2={height - margin} className="stroke-edge" />
          <text y={height - 3} className="fill-muted text-[11px]">
            24 hours ago
          </text>
          <text x={width} y={height - 3} textAnchor="end" className="fill-muted text-[11px]">
            now
          </text>
        </svg>
      )}
    </div>
  );
}
