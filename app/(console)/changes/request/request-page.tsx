import { CircleX, Hourglass } from "lucide-react";
import { BackToList } from "@/app/_components/list/back-to-list";
import { Notice } from "@/app/_components/feedback/notice";
import { Chip } from "@/app/_components/ui/chip";
import { PageHeader } from "@/app/_components/ui/page-header";
import { Section } from "@/app/_components/ui/section";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { FreezeNotice } from "@/app/_releases/freeze-notice";
import { ItemDiffs } from "@/app/_releases/item-diffs";
import { KeptApps } from "@/app/_releases/kept-apps";
import { Author, describePlan } from "@/app/_releases/labels";
import type { ApprovalAnswer, ApprovalJson, FreezeAnswer } from "@/lib/releases/answer-schema";
import { RequestActs } from "./request-acts";
import { RequestVerdict } from "../verdict";

/** A request that needs another person's approval: changes and effect (P9a). */
export function RequestPage({
  request,
  freeze,
}: Readonly<{ request: ApprovalAnswer; freeze: FreezeAnswer["freeze"] }>) {
  const { approval, items } = request;
  const { kind, title } = approval;
  return (
    <>
      <PageHeader
        title={approval.name ?? title}
        back={<BackToList section="/changes" label="Review changes" />}
        state={<RequestState approval={approval} />}
        description={
          <>
            {approval.name !== null && `${title}, `}requested by <Author author={approval.author} />{" "}
            <TimeAgo at={approval.asked_at} exact />
          </>
        }
        actions={<RequestActs approval={approval} />}
      />
      <FreezeNotice freeze={freeze} />
      <RequestNotices approval={approval} />
      <div className="space-y-4">
        <RequestVerdict request={request} />
        <KeptApps apps={request.apps_kept ?? []} number={approval.returned_to ?? 0} />
        <Section title="Changes" description={`${describePlan(items)}.`} flush>
          <ItemDiffs items={items} environment={kind === "return" ? "production" : "staging"} />
        </Section>
        <Comments comments={approval.comments} />
      </div>
    </>
  );
}

/** Whether it is still pending. */
export function RequestState({
  approval: { rejected, void_because: voidBecause },
}: Readonly<{ approval: ApprovalJson }>) {
  if (rejected === null && voidBecause === null) {
    return (
      <Chip tone="accent" icon={Hourglass}>
        Waiting
      </Chip>
    );
  }
  return (
    <Chip tone="bad" icon={CircleX}>
      {rejected === null ? "Void" : "Rejected"}
    </Chip>
  );
}

function RequestNotices({ approval }: Readonly<{ approval: ApprovalJson }>) {
  const { rejected, void_because: voidBecause, refusal, force, reason, note, at } = approval;
  return (
    <div className="mb-4 space-y-3 empty:hidden">
      {rejected !== null && (
        <Notice
          tone="bad"
          title={
            <>
              Rejected by <Author author={rejected.by} /> <TimeAgo at={rejected.at} exact />
            </>
          }
        >
          {rejected.reason}
        </Notice>
      )}
      {rejected === null && voidBecause !== null && <Notice tone="bad" title={voidBecause} />}
      {rejected === null && voidBecause === null && refusal !== null && <Notice tone="info" title={refusal} />}
      {reason !== null && (
        <Notice
          tone={force ? "warn" : "info"}
          title={force ? "Requested despite problems head units would report" : "Reason"}
        >
          {reason}
        </Notice>
      )}
      {at !== null && (
        <p className="text-table">
          To be published <TimeAgo at={at} exact />
        </p>
      )}
      {note !== null && <p className="text-table whitespace-pre-line">{note}</p>}
    </div>
  );
}

/** Comments that an earlier version has stored with a request (`people.md` P9a). */
function Comments({ comments }: Pick<ApprovalJson, "comments">) {
  if (comments.length === 0) return null;
  return (
    <Section title="Comments" flush>
      <ul className="divide-y divide-line text-table">
        {comments.map(({ by, text, at }, index) => (
          <li key={index} className="space-y-0.5 px-4 py-2.5">
            <p className="text-xs text-muted">
              <Author author={by} /> <TimeAgo at={at} />
            </p>
            <p className="wrap-anywhere whitespace-pre-line">{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
