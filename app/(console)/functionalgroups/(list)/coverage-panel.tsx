import { Ban } from "lucide-react";
import { Link } from "@/app/_components/ui/link";
import { levelOrder } from "../group-form";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { cn } from "@/app/_components/ui/cn";
import type { CoverageMatrix } from "@/lib/content/groups/coverage-matrix";
import { groupPath } from "@/lib/content/groups/list-address";
import { plural } from "@/lib/labels/format-number";
import type { Environment, HmiLevel } from "@/lib/labels/vocabulary";

const edge = "border-b border-line bg-surface";

/** RPCs by functional group, a square for each HMI level: what overlaps, and what only one group or none allows. */
export function CoveragePanel({
  matrix: { groups, rpcs, moreGroups },
  environment,
}: Readonly<{ matrix: CoverageMatrix; environment: Environment }>) {
  if (rpcs.length === 0) {
    return <EmptyState title="No group allows an RPC">Filters apply here too.</EmptyState>;
  }
  const hasVeto = rpcs.some(({ cells }) => cells.some((cell) => cell?.isVeto));
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-x-5 gap-y-1 text-table text-muted">
        <p>
          {plural(rpcs.length, "RPC")} in {plural(groups.length, "group")}
          {moreGroups > 0 && `; ${plural(moreGroups, "more group")} not shown. Filter the list to see them`}.
        </p>
        <p className="flex items-center gap-2">
          <Squares levels={["FULL", "LIMITED"]} />
          Squares from left to right: {levelOrder.join(", ")}
        </p>
        {hasVeto && (
          <p className="flex items-center gap-2">
            <Veto />
            Listed without parameters: no app gets it from this group, and regular head units forbid it to every app
            with the group
          </p>
        )}
      </div>
      <div
        className="relative max-h-[75dvh] overflow-auto rounded-card border border-line bg-surface"
        tabIndex={0}
        role="region"
        aria-label="Coverage, scrollable"
      >
        <table className="border-separate border-spacing-0 text-table">
          <caption className="sr-only">HMI levels at which each functional group allows each RPC</caption>
          <thead>
            <tr>
              <th scope="col" className={cn(edge, "sticky top-0 left-0 z-2 border-r px-3 py-2 text-left align-bottom")}>
                RPC
              </th>
              <th
                scope="col"
                className={cn(edge, "sticky top-0 z-1 px-2 py-2 text-right align-bottom font-medium whitespace-nowrap")}
              >
                Groups
              </th>
              {groups.map((name) => (
                <th key={name} scope="col" className={cn(edge, "sticky top-0 z-1 px-1 py-2 align-bottom font-medium")}>
                  <Link
                    href={groupPath({ name }, environment)}
                    className="mx-auto block max-h-44 rotate-180 truncate text-left [writing-mode:vertical-rl]"
                    title={name}
                  >
                    {name}
                  </Link>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rpcs.map(({ name, count, cells }) => (
              <tr key={name} className="hover:bg-hover">
                <th
                  scope="row"
                  className={cn(
                    edge,
                    "sticky left-0 max-w-36 truncate border-r px-3 py-1 text-left font-mono text-xs font-normal sm:max-w-64",
                  )}
                  title={name}
                >
                  {name}
                </th>
                <td className="border-b border-line px-2 py-1 text-right tabular-nums">{count}</td>
                {cells.map((cell, index) => (
                  <td key={index} className="border-b border-line px-1 py-1">
                    {cell && (cell.isVeto ? <Veto /> : <Squares levels={cell.levels} />)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Veto() {
  return (
    <span title="No parameters" className="mx-auto block w-fit text-bad">
      <Ban aria-hidden="true" className="size-4" />
      <span className="sr-only">No parameters</span>
    </span>
  );
}

function Squares({ levels }: Readonly<{ levels: readonly HmiLevel[] }>) {
  const words = levelOrder.filter((level) => levels.includes(level)).join(", ");
  return (
    <span title={words} className="mx-auto flex w-fit gap-px">
      {levelOrder.map((level) => (
        <span
          key={level}
          aria-hidden="true"
          className={cn("size-2 border", levels.includes(level) ? "border-accent bg-accent" : "border-edge")}
        />
      ))}
      <span className="sr-only">{words}</span>
    </span>
  );
}
