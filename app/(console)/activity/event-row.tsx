import { Link } from "@/app/_components/ui/link";
import { Fold } from "@/app/_components/ui/outline/fold";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { Author } from "@/app/_releases/author";
import type { AuditEventJson } from "@/lib/platform/audit/answer-schema";
import { describeEvent, pathOfTarget } from "./event-labels";

/** Who did what, when, and on demand what it was before and after. */
export function EventRow({ event }: Readonly<{ event: AuditEventJson }>) {
  const { actor, display_name, display_name_verified, created_ts: at, target, before, after, route } = event;
  const path = pathOfTarget(target);
  const sentence = describeEvent(event);
  return (
    <tr>
      <td className="px-4 py-2 align-top whitespace-nowrap">
        <TimeAgo at={at} />
      </td>
      <td className="px-4 py-2 align-top">
        <Author author={{ actor, display_name, display_name_verified }} />
        {display_name !== null && <span className="text-muted"> ({actor})</span>}
      </td>
      <td className="px-4 py-2 align-top wrap-anywhere">
        {path === null ? (
          sentence
        ) : (
          <Link href={path} className="inline-block py-1">
            {sentence}
          </Link>
        )}
        {(before !== null || after !== null) && (
          <Fold title="Before and after">
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 font-mono">
              <dt className="text-muted">Before</dt>
              <dd className="whitespace-pre-wrap">{toText(before)}</dd>
              <dt className="text-muted">After</dt>
              <dd className="whitespace-pre-wrap">{toText(after)}</dd>
              <dt className="text-muted">By</dt>
              <dd>{route}</dd>
            </dl>
          </Fold>
        )}
      </td>
    </tr>
  );
}

const toText = (value: unknown) =>
  value === null ? "nothing" : typeof value === "string" ? value : JSON.stringify(value, null, 1);
