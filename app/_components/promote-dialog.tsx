"use client";
import type { ReactNode } from "react";
import { ConfirmDialog } from "@/app/_components/confirm-dialog";
import { FindingsDialog } from "@/app/_components/findings-dialog";
import { showDone } from "@/app/_components/show-toast";
import { useAction } from "@/app/_components/use-action";
import { usePromotion } from "@/app/_components/use-promotion";

/** A saved change that waits for its promotion. */
export interface PromotableItem {
  readonly id: number;
  readonly name: string;
  readonly isDeleted: boolean;
  /** Never promoted before. */
  readonly isNew: boolean;
}

/** More than this many at once, and anything that leaves production, takes a typed word. */
const mostWithoutWord = 10;
const mostNames = 8;

/**
 * Publishes saved changes of one kind, saying first what that does. What head units would refuse is told in words, and
 * is published only after a second question.
 *
 * @example
 * {items && <PromoteDialog path="/api/v1/groups/promote" items={items} word="group" onClose={() => setItems(null)} />}
 */
export function PromoteDialog({
  path,
  items,
  word,
  words = `${word}s`,
  onClose,
  onPromoted,
  disabledReason = null,
  effect,
  children,
}: Readonly<{
  /** Route of the promotion. */
  path: string;
  items: readonly PromotableItem[];
  /** What one of them is called, and several. */
  word: string;
  words?: string;
  /** The dialog is gone, whatever came of it: unmount it. */
  onClose: () => void;
  /** The dialog waits for it. */
  onPromoted?: () => unknown;
  disabledReason?: string | null;
  /** What becomes of each item, where more is to be said than its name. */
  effect?: ReactNode;
  /** What else is to be known before. */
  children?: ReactNode;
}>) {
  const action = useAction(path);
  const promotion = usePromotion((force) => action.run({ id: items.map(({ id }) => id), ...(force && { force }) }));
  const removed = items.filter(({ isDeleted, isNew }) => isDeleted && !isNew);
  const counted = `${items.length} ${items.length === 1 ? word : words}`;

  async function publish(force: boolean) {
    if (!(await promotion.run(force))) return;
    showDone(`Promoted ${counted} to production`);
    await onPromoted?.();
  }

  if (promotion.findings !== null) {
    return (
      <FindingsDialog findings={promotion.findings} onConfirm={() => publish(true)} onClose={onClose}>
        Nothing has been promoted.
      </FindingsDialog>
    );
  }
  return (
    <ConfirmDialog
      key="effect"
      open
      danger={removed.length > 0}
      title={`Promote ${counted}?`}
      confirmLabel={`Promote ${counted}`}
      disabledReason={disabledReason}
      {...(removed.length > 0 || items.length > mostWithoutWord ? { typedWord: "production" } : {})}
      onConfirm={() => publish(false)}
      onOpenChange={(isOpen) => {
        if (!isOpen && !promotion.isRefused.current) onClose();
      }}
    >
      <p>The production table changes at once: vehicles receive it with their next policy update.</p>
      {effect ?? <Effects items={items} />}
      {children}
    </ConfirmDialog>
  );
}

function Effects({ items }: Readonly<{ items: readonly PromotableItem[] }>) {
  return (
    <>
      <Effect title="New in production" items={items.filter(({ isDeleted, isNew }) => isNew && !isDeleted)} />
      <Effect title="Changed in production" items={items.filter(({ isDeleted, isNew }) => !isNew && !isDeleted)} />
      <Effect title="Removed from production" items={items.filter(({ isDeleted, isNew }) => isDeleted && !isNew)} />
      <Effect
        title="Deleted before it was ever in production"
        items={items.filter(({ isDeleted, isNew }) => isDeleted && isNew)}
      />
    </>
  );
}

function Effect({ title, items }: Readonly<{ title: string; items: readonly PromotableItem[] }>) {
  if (items.length === 0) return null;
  const names = items.slice(0, mostNames).map(({ name }) => name);
  const rest = items.length - names.length;
  return (
    <div className="text-table">
      <p className="font-medium text-text">
        {title} <span className="font-normal tabular-nums">({items.length})</span>
      </p>
      <p className="break-words">
        {names.join(", ")}
        {rest > 0 && ` and ${rest} more`}
      </p>
    </div>
  );
}
