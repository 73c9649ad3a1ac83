"use client";
import { Notice } from "@/app/_components/feedback/notice";
import { PromoteDialog } from "@/app/_records/promote-dialog";
import type { WaitingMessage } from "@/lib/messages/console-queries";

/** Promotes messages with all their languages, and says what that means for the groups that ask with them. */
export function PromoteMessagesDialog({
  items,
  onClose,
  onPromoted,
  nextHref,
}: Readonly<{
  items: readonly WaitingMessage[];
  onClose: () => void;
  onPromoted?: () => unknown;
  /** Where the reader is led afterwards; the page in view stays without it. */
  nextHref?: string | undefined;
}>) {
  const unblocked = [...new Set(items.flatMap(({ unblocks }) => unblocks))];
  const asking = items.filter((item) => item.asking.length > 0);
  return (
    <PromoteDialog
      path="/api/v1/messages/promote"
      items={items}
      word="message"
      onClose={onClose}
      nextHref={nextHref}
      {...(onPromoted ? { onPromoted } : {})}
    >
      <p>All languages of a message go together.</p>
      {unblocked.length > 0 && (
        <p>{`Afterwards ${unblocked.join(", ")} can be promoted, too: what asks with a message needs it in production.`}</p>
      )}
      {asking.length > 0 && (
        <Notice title="Groups in production ask with a message that goes">
          <p>The promotion is refused until they have another prompt there.</p>
          <ul>
            {asking.map(({ id, name, asking: groups }) => (
              <li key={id}>
                {name}: {groups.join(", ")}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </PromoteDialog>
  );
}
