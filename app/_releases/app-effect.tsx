import useSWR from "swr";
import { PermissionLink } from "@/app/_components/rights/permission-link";
import { RejectedCalls } from "@/app/_components/rights/rejected-calls";
import { Chip } from "@/app/_components/ui/chip";
import { Problem } from "@/app/_components/feedback/problem";
import { Skeleton } from "@/app/_components/ui/skeleton";
import { FieldDiff } from "./field-diff";
import { readReview } from "./publication";
import type { ChangedAppAnswer } from "@/lib/releases/answer-schema";
import { describeOnly } from "@/lib/vocabulary/head-units";

const readApp = (path: string) => readReview(path) as Promise<ChangedAppAnswer>;

/** The effect on one app: groups, permissions, and its entry in the policy table (L7). */
export function AppEffect({ path }: Readonly<{ path: string }>) {
  const { data, error } = useSWR<ChangedAppAnswer, unknown>(path, readApp, { keepPreviousData: false });
  if (error !== undefined) return <Problem error={error} />;
  if (data === undefined) return <Skeleton className="m-4 h-16" />;
  const { groups_gained: gained, groups_lost: lost, rights, rejected, fields } = data;
  return (
    <div className="space-y-2 border-t border-line bg-page pt-2">
      {gained.length + lost.length > 0 && (
        <p className="flex flex-wrap gap-1 px-4">
          {gained.map((name) => (
            <Chip key={name} tone="good">{`+ ${name}`}</Chip>
          ))}
          {lost.map((name) => (
            <Chip key={name} tone="bad">{`− ${name}`}</Chip>
          ))}
        </p>
      )}
      <RightChanges rights={rights} />
      <RejectedCalls calls={rejected} className="space-y-1 px-4 text-table" />
      <FieldDiff fields={fields} empty="Its entry in the policy table stays the same." />
    </div>
  );
}

function RightChanges({ rights }: Readonly<{ rights: ChangedAppAnswer["rights"] }>) {
  return (
    <ul className="space-y-0.5 px-4">
      {rights.map(({ rpc, kind, builds, levels, parameters }) => (
        <li key={`${kind} ${rpc}`}>
          <span className={kind === "gained" ? "font-medium text-good" : "font-medium text-bad"}>
            {kind === "gained" ? "Gains" : "Loses"}
          </span>{" "}
          <PermissionLink rpc={rpc} />
          <span className="text-muted">
            {levels.length > 0 && ` at ${levels.join(", ")}`}
            {parameters.length > 0 && `: ${parameters.join(", ")}`}
            {builds.length === 1 && ` (${describeOnly(builds)})`}
          </span>
        </li>
      ))}
    </ul>
  );
}
