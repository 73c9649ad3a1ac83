import { Ban } from "lucide-react";
import { listSome, plural } from "@/lib/vocabulary/format-number";
import type { RejectedCallsJson } from "@/lib/policy/answer/answer-schema";

const rpcsAtOnce = 3;

/** `head-unit-rules.md` section 16 */
export function RejectedCalls({
  calls,
  className,
}: Readonly<{
  calls: readonly (RejectedCallsJson & { readonly app_count?: number })[];
  className?: string;
}>) {
  if (calls.length === 0) return null;
  return (
    <ul className={className}>
      {calls.map(({ rpcs, message, cure, app_count: count }) => (
        <li key={`${message} ${rpcs.join()}`} className="flex gap-2">
          <Ban aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warn" />
          <span className="min-w-0 wrap-anywhere">
            <span className="font-medium" title={rpcs.join(", ")}>
              Cars reject {listSome(rpcs, rpcsAtOnce)}
              {count !== undefined && ` for ${plural(count, "app")}`}
            </span>
            : {message}. To change this, {cure}.
          </span>
        </li>
      ))}
    </ul>
  );
}
