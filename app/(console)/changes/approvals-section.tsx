"use client";
import { CircleX, UserCheck } from "lucide-react";
import { Link } from "@/app/_components/ui/link";
import { useRouter } from "next/navigation";
import { showDone } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import { ConfirmDialog } from "@/app/_components/overlay/confirm-dialog";
import { Button } from "@/app/_components/ui/button";
import { Chip } from "@/app/_components/ui/chip";
import { Section } from "@/app/_components/ui/section";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { Author } from "@/app/_releases/labels";
import { reviewPath } from "@/app/_releases/item-address";
import { readNumber } from "@/app/_releases/publication";
import { itemAddress, titleOf } from "@/lib/labels/release-items";
import type { ApprovalJson } from "@/lib/content/releases/answer-schema";
import { listSome, plural } from "@/lib/labels/format-number";

/** What waits for a second person (`people.md` P9): who has asked for what, and the button that approves it. */
export function ApprovalsSection({
  approvals,
  current,
}: Readonly<{
  approvals: readonly ApprovalJson[];
  current: number | null;
}>) {
  if (approvals.length === 0) return null;
  return (
    <Section
      title="Waiting for approval"
      description="A publisher other than the one who asked has to approve. The change is then made at once."
      flush
      className="mb-4"
    >
      <ul className="divide-y divide-line text-table">
        {approvals.map((approval) => (
          <li
            key={approval.id}
            aria-current={approval.id === current || undefined}
            className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-2.5 aria-[current]:bg-accent-soft"
          >
            <Request approval={approval} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

const maxNames = 4;

function Request({ approval }: Readonly<{ approval: ApprovalJson }>) {
  const { name, author, asked_at: askedAt, void_because: voidBecause, reason, at } = approval;
  const title = describe(approval);
  return (
    <>
      <div className="min-w-0 grow basis-72 space-y-0.5">
        <p className="flex flex-wrap items-center gap-2">
          <Link href={pathOf(approval)} className="font-medium">
            {name ?? title}
          </Link>
          {voidBecause !== null && (
            <Chip tone="bad" icon={CircleX}>
              Void
            </Chip>
          )}
        </p>
        <p className="text-muted">
          {name !== null && `${title} · `}requested by <Author author={author} /> <TimeAgo at={askedAt} /> ·{" "}
          {listSome(approval.items.map(titleOf), maxNames)}
        </p>
        {at !== null && (
          <p>
            To be published <TimeAgo at={at} />
          </p>
        )}
        {reason !== null && <p>{`Despite problems head units would report: ${reason}`}</p>}
        {voidBecause !== null && <p className="text-bad">{voidBecause}</p>}
      </div>
      <Acts approval={approval} title={title} />
    </>
  );
}

function Acts({ approval, title }: Readonly<{ approval: ApprovalJson; title: string }>) {
  const { id, refusal, void_because: voidBecause, items } = approval;
  const router = useRouter();
  const path = `/api/v1/releases/approvals/${id}`;
  const approve = useAction(path, { nextHref: "/changes" });
  const withdraw = useAction(path, { method: "delete", nextHref: "/changes" });
  const obstacle = voidBecause ?? refusal;
  const button = (
    <Button size="sm" variant="primary" needsServer needs="publish" disabled={obstacle !== null} {...lackOf(obstacle)}>
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
            const number = readNumber(await approve.run());
            showDone("Approved", number === null ? undefined : viewOf(number, (page) => router.push(page)));
          }}
        >
          {`The change is made at once, for ${plural(items.length, "item")}, as requested. If one of them has changed, nothing happens.`}
        </ConfirmDialog>
      )}
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
        The changes stay in staging. You can request approval again.
      </ConfirmDialog>
    </div>
  );
}

const lackOf = (obstacle: string | null) => (obstacle === null ? {} : { title: obstacle });
const viewOf = (number: number, push: (path: string) => void) => ({
  label: "View release",
  onClick: () => push(`/releases/${number}`),
});

function describe({ kind, items, returned_to: target }: ApprovalJson): string {
  if (kind === "return") return `Roll back to release #${target ?? 0}`;
  if (kind === "decision") return "Approve an app for production";
  if (kind === "flag") return "Give an app more permissions in production";
  return `Publish ${plural(items.length, "item")}`;
}

function pathOf({ kind, items, returned_to: target }: ApprovalJson): string {
  const [first] = items;
  if (kind === "return") return `/releases/${target ?? 1}`;
  if (kind === "decision" || kind === "flag") return first ? itemAddress(first, "staging") : "/applications";
  return reviewPath(items.map(({ family, key }) => ({ item: { family, key } })));
}
