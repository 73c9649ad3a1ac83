import { Link } from "@/app/_components/ui/link";
import type { PromptUse } from "@/lib/records/messages/overview";
import { formatNumber } from "@/lib/vocabulary/format-number";

const max = 2;
const shortened = "[&>li]:truncate";

export function UsedBy({ uses }: Readonly<{ uses: readonly PromptUse[] }>) {
  if (uses.length === 0) return <span className="text-muted">No group</span>;
  const rest = uses.slice(max);
  return (
    <>
      <GroupList uses={uses.slice(0, max)} className={shortened} />
      {rest.length > 0 && (
        <details className="relative z-1">
          <summary className="flex min-h-6 w-fit cursor-pointer items-center rounded-control text-xs text-muted hover:text-text hover:underline pointer-coarse:min-h-11">
            {`and ${formatNumber(rest.length)} more`}
          </summary>
          <GroupList uses={rest} className={shortened} />
        </details>
      )}
    </>
  );
}

export function GroupList({ uses, className }: Readonly<{ uses: readonly PromptUse[]; className: string }>) {
  return (
    <ul className={className}>
      {uses.map((use) => {
        const place = describePlace(use);
        const environment = use.stagingId === null ? "production" : "staging";
        return (
          <li key={use.name}>
            <Link
              href={`/functionalgroups/manage?id=${use.stagingId ?? use.productionId ?? 0}&environment=${environment}`}
              className="relative z-1"
            >
              {use.name}
            </Link>
            {place && <span className="text-xs text-muted">{` · ${place}`}</span>}
          </li>
        );
      })}
    </ul>
  );
}

/** Null: both. */
function describePlace({ stagingId, productionId }: PromptUse): string | null {
  if (stagingId !== null && productionId !== null) return null;
  return stagingId !== null ? "staging only" : "production only";
}
