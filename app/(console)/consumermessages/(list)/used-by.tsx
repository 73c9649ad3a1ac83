import Link from "next/link";
import type { PromptUse } from "@/lib/messages/overview";
import { describePlace } from "../describe-place";

const most = 2;

/** The groups that ask with a message; the first ones by name. */
export function UsedBy({ uses }: Readonly<{ uses: readonly PromptUse[] }>) {
  if (uses.length === 0) return <span className="text-muted">No group</span>;
  const shown = uses.slice(0, most);
  const rest = uses.slice(most);
  return (
    <ul>
      {shown.map((use) => {
        const place = describePlace(use);
        const environment = use.stagingId === null ? "production" : "staging";
        return (
          <li key={use.name} className="truncate">
            <Link
              prefetch={false}
              href={`/functionalgroups/manage?id=${use.stagingId ?? use.productionId ?? 0}&environment=${environment}`}
              className="relative z-1"
            >
              {use.name}
            </Link>
            {place && <span className="text-xs text-muted">{` · ${place}`}</span>}
          </li>
        );
      })}
      {rest.length > 0 && (
        <li
          className="text-xs text-muted"
          title={rest.map(({ name }) => name).join(", ")}
        >{`and ${rest.length} more`}</li>
      )}
    </ul>
  );
}
