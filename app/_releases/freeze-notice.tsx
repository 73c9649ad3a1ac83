import { Snowflake } from "lucide-react";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import type { FreezeAnswer } from "@/lib/releases/answer-schema";

/** Says that nothing can be published now or soon, and why (L14). */
export function FreezeNotice({ freeze }: Readonly<{ freeze: FreezeAnswer["freeze"] }>) {
  if (freeze === null) return null;
  const { from, to, reason, is_active: isActive } = freeze;
  return (
    <div
      role="note"
      className="mb-4 flex flex-wrap items-start gap-x-2.5 gap-y-2 rounded-card border border-accent-line bg-accent-soft px-3 py-2.5 text-table"
    >
      <Snowflake aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-link" />
      <div className="min-w-0 grow basis-60">
        <p className="font-semibold">
          {isActive ? (
            <>
              Publishing is frozen until <TimeAgo at={to} />
            </>
          ) : (
            <>
              A freeze begins <TimeAgo at={from} />
            </>
          )}
        </p>
        <p>
          {reason}
          {isActive && " You can still roll back to an earlier release, and block an app."}
        </p>
      </div>
    </div>
  );
}
