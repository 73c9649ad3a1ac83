import { Link } from "@/app/_components/ui/link";
import { Section } from "@/app/_components/ui/section";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { Author } from "@/app/_releases/labels";
import type { ApprovalJson } from "@/lib/releases/answer-schema";
import { listSome } from "@/lib/vocabulary/format-number";
import { RequestActs } from "./request/request-acts";
import { RequestState } from "./request/request-page";

/** Requests that need a second person (`people.md` P9): who requests what, and the button to approve it. */
export function ApprovalsSection({ approvals }: Readonly<{ approvals: readonly ApprovalJson[] }>) {
  if (approvals.length === 0) return null;
  return (
    <Section
      title="Waiting for approval"
      description="A publisher other than the one who asked has to approve. The change is then made at once, or at its scheduled time."
      flush
      className="mb-4"
    >
      <ul className="divide-y divide-line text-table">
        {approvals.map((approval) => (
          <li key={approval.id} className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-2.5">
            <Request approval={approval} />
            <RequestActs approval={approval} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

const maxNames = 4;

function Request({ approval }: Readonly<{ approval: ApprovalJson }>) {
  const { name, title, author, path, asked_at: askedAt, void_because: voidBecause, reason, at, rejected } = approval;
  return (
    <div className="min-w-0 grow basis-72 space-y-0.5">
      <p className="flex flex-wrap items-center gap-2">
        <Link href={path} className="font-medium">
          {name ?? title}
        </Link>
        <RequestState approval={approval} />
      </p>
      <p className="text-muted">
        {name !== null && `${title} · `}requested by <Author author={author} /> <TimeAgo at={askedAt} /> ·{" "}
        {listSome(
          approval.items.map((item) => item.title),
          maxNames,
        )}
      </p>
      {at !== null && (
        <p>
          To be published <TimeAgo at={at} />
        </p>
      )}
      {reason !== null && <p>{`Despite problems head units would report: ${reason}`}</p>}
      {rejected !== null ? (
        <p className="text-bad">
          Rejected by <Author author={rejected.by} />: {rejected.reason}
        </p>
      ) : (
        voidBecause !== null && <p className="text-bad">{voidBecause}</p>
      )}
    </div>
  );
}
