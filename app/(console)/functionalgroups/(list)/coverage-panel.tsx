import { EmptyState } from "@/app/_components/feedback/empty-state";
import { changeAddress } from "@/app/_components/list/list-address";
import { describeLevels, markedLevels, markLevels } from "@/app/_components/rights/level-marks";
import { PermissionLink } from "@/app/_components/rights/permission-link";
import { buttonClass } from "@/app/_components/ui/button-class";
import { cn } from "@/app/_components/ui/cn";
import { Link } from "@/app/_components/ui/link";
import { LinkButton } from "@/app/_components/ui/link-button";
import { type CoverageCell, type CoverageMatrix, matrixSize } from "@/lib/content/groups/coverage-matrix";
import { groupPath } from "@/lib/content/groups/list-address";
import { formatNumber, plural } from "@/lib/labels/format-number";
import type { Environment } from "@/lib/labels/vocabulary";

const edge = "border-b border-line bg-surface";

/** RPCs by functional group, one letter per HMI level: shows overlaps, and what only one group or none allows. */
export function CoveragePanel({
  matrix: { groups, rpcs, place },
  environment,
  address,
}: Readonly<{ matrix: CoverageMatrix; environment: Environment; address: URLSearchParams }>) {
  if (rpcs.length === 0) {
    return <EmptyState title="No group allows an RPC">Filters apply here too.</EmptyState>;
  }
  const hasVeto = rpcs.some(({ cells }) => cells.some((cell) => cell?.isVeto));
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-x-5 gap-y-2 text-table text-muted">
        <Part of="rpcs" place={place.rpcs} count={rpcs.length} address={address} />
        <Part of="groups" place={place.groups} count={groups.length} address={address} />
        <p>{markedLevels}</p>
        {hasVeto && (
          <p>
            <span className="font-mono text-bad">✕</span> Listed without parameters: no app gets it from this group, and
            regular head units forbid it to every app with the group
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
                  <PermissionLink rpc={name} />
                </th>
                <td className="border-b border-line px-2 py-1 text-right tabular-nums">{count}</td>
                {cells.map((cell, index) => (
                  <Cell key={index} cell={cell} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

const cellClass = "border-b border-line px-1 py-1 text-center font-mono text-xs whitespace-nowrap";

/** One element per cell: a page has thousands of them. */
function Cell({ cell }: Readonly<{ cell: CoverageCell | null }>) {
  if (cell === null) return <td className={cellClass} />;
  const words = cell.isVeto ? "No parameters" : describeLevels(cell);
  return (
    <td aria-label={words} title={words} className={cn(cellClass, cell.isVeto && "text-bad")}>
      {cell.isVeto ? "✕" : markLevels(cell)}
    </td>
  );
}

const sides = {
  rpcs: { word: "RPC", title: "RPCs", parameter: "rows" },
  groups: { word: "group", title: "Groups", parameter: "after" },
} as const;

/** The visible range of rows or columns, with links to the next and previous one. */
function Part({
  of,
  place: { after, total },
  count,
  address,
}: Readonly<{
  of: keyof typeof sides;
  place: CoverageMatrix["place"]["rpcs"];
  count: number;
  address: URLSearchParams;
}>) {
  const { word, title, parameter } = sides[of];
  if (count === total) return <p>{plural(total, word)}</p>;
  const link = (label: string, to: number | null) => {
    if (to === null) {
      return (
        <span aria-disabled="true" className={buttonClass({ size: "sm" })}>
          {label}
        </span>
      );
    }
    const changed = { [parameter]: to === 0 ? null : String(to) };
    return (
      <LinkButton href={changeAddress("/functionalgroups", address, changed)} size="sm">
        {label}
      </LinkButton>
    );
  };
  const next = after + count;
  return (
    <nav aria-label={`Part of the ${word}s`} className="flex flex-wrap items-center gap-2">
      <p className="tabular-nums">{`${title} ${after + 1}–${next} of ${formatNumber(total)}`}</p>
      {link(`Previous ${word}s`, after === 0 ? null : Math.max(0, after - matrixSize[of]))}
      {link(`Next ${word}s`, next >= total ? null : next)}
    </nav>
  );
}
