"use client";
import { UserCheck } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { showDone } from "@/app/_components/feedback/show-toast";
import { TextAreaField } from "@/app/_components/fields/text-field";
import { useAction } from "@/app/_components/hooks/use-action";
import { ConfirmDialog } from "@/app/_components/overlay/confirm-dialog";
import { Button } from "@/app/_components/ui/button";
import { numberOf } from "@/app/_releases/publication";
import type { ApprovalJson, ApprovedAnswer } from "@/lib/releases/answer-schema";
import { plural } from "@/lib/vocabulary/format-number";

/** Actions on a request: its author withdraws it, others approve or reject it (`people.md` P9, P9a). */
export function RequestActs({ approval }: Readonly<{ approval: ApprovalJson }>) {
  const { id, title, refusal, void_because: voidBecause, rejected, is_own: isOwn, items, at } = approval;
  const router = useRouter();
  const path = `/api/v1/releases/approvals/${id}`;
  const approve = useAction(path, { nextHref: "/changes" });
  const count = plural(items.length, "change");
  const obstacle = rejected === null ? (voidBecause ?? refusal) : "It was rejected";
  const button = (
    <Button
      size="sm"
      variant="primary"
      needsServer
      needs="publish"
      disabled={obstacle !== null}
      {...(obstacle !== null && { title: obstacle })}
    >
      <UserCheck aria-hidden="true" />
      Approve…
    </Button>
  );
  return (
    <div className="flex gap-2">
      {obstacle !== null ? (
        button
      ) : (
        <ConfirmDialog
          trigger={button}
          title={`Approve: ${title}?`}
          confirmLabel="Approve"
          onConfirm={async () => {
            const number = numberOf((await approve.run()) as ApprovedAnswer);
            const view = { label: "View release", onClick: () => router.push(`/releases/${number ?? 1}`) };
            showDone("Approved", number === null ? undefined : view);
          }}
        >
          {at === null ? `This makes ${count} at once, as requested.` : `This schedules ${count}, as requested.`} If one
          of the items has changed since, nothing happens.
        </ConfirmDialog>
      )}
      {isOwn ? <Withdraw path={path} title={title} /> : rejected === null && <Reject path={path} title={title} />}
    </div>
  );
}

interface Request {
  readonly path: string;
  readonly title: string;
}

function Withdraw({ path, title }: Request) {
  const withdraw = useAction(path, { method: "delete", nextHref: "/changes" });
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" needsServer needs="publish">
          Withdraw…
        </Button>
      }
      title={`Withdraw: ${title}?`}
      confirmLabel="Withdraw"
      onConfirm={async () => {
        await withdraw.run();
        showDone("Request withdrawn");
      }}
    >
      Production stays as it is. You can request approval again.
    </ConfirmDialog>
  );
}

function Reject({ path, title }: Request) {
  const reject = useAction(`${path}/reject`);
  const [reason, setReason] = useState("");
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" needsServer needs="publish">
          Reject…
        </Button>
      }
      title={`Reject: ${title}?`}
      confirmLabel="Reject"
      danger
      disabledReason={reason.trim() === "" ? "Give a reason" : null}
      fields={
        <TextAreaField
          label="Reason"
          hint="Its author reads it."
          value={reason}
          rows={2}
          maxLength={2000}
          onChange={setReason}
        />
      }
      onConfirm={async () => {
        await reject.run({ reason: reason.trim() });
        showDone("Request rejected");
      }}
    >
      Nobody can approve it any more. Production stays as it is.
    </ConfirmDialog>
  );
}
