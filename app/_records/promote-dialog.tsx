"use client";
import type { ReactNode } from "react";
import { showDone } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import { formatNumber } from "@/lib/words/format-number";
import { PromotionEffectNote, PromotionQuestion } from "@/app/_records/promotion-question";

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
/** A toast is read in passing. */
const mostToldNames = 3;

/**
 * Publishes saved changes of one kind, saying first what that does.
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
  nextHref,
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
  /** Where the reader is led afterwards, when the page in view is about something that the promotion removes. */
  nextHref?: string | undefined;
  disabledReason?: string | null;
  /** What becomes of each item, where more is to be said than its name. */
  effect?: ReactNode;
  /** What else is to be known before. */
  children?: ReactNode;
}>) {
  const action = useAction(path, { nextHref });
  const removed = items.filter(({ isDeleted, isNew }) => isDeleted && !isNew);
  const counted = `${formatNumber(items.length)} ${items.length === 1 ? word : words}`;

  const reason = items.length === 0 ? `Nothing to promote: production has all ${words} as they are.` : null;
  return (
    <PromotionQuestion
      danger={removed.length > 0}
      title={`Promote ${counted}?`}
      confirmLabel={`Promote ${counted}`}
      disabledReason={disabledReason ?? reason}
      {...(removed.length > 0 || items.length > mostWithoutWord ? { typedWord: "production" } : {})}
      publish={(force) => action.run({ id: items.map(({ id }) => id), ...(force && { force }) })}
      onPromoted={async () => {
        showDone(describePromotion(items, { word, words }));
        await onPromoted?.();
      }}
      onClose={onClose}
    >
      <PromotionEffectNote />
      {effect ?? <Effects items={items} />}
      {children}
    </PromotionQuestion>
  );
}

/** What was done: how many went to production, and by name what left it. */
function describePromotion(
  items: readonly PromotableItem[],
  { word, words }: { readonly word: string; readonly words: string },
): string {
  const published = items.filter(({ isDeleted }) => !isDeleted).length;
  const removed = items.filter(({ isDeleted, isNew }) => isDeleted && !isNew);
  const dropped = items.filter(({ isDeleted, isNew }) => isDeleted && isNew);
  const parts = [
    ...(published > 0 ? [`promoted ${formatNumber(published)} ${published === 1 ? word : words} to production`] : []),
    ...(removed.length > 0 ? [`removed ${listNames(removed, mostToldNames)} from production`] : []),
    ...(dropped.length > 0 ? [`deleted ${listNames(dropped, mostToldNames)}, never in production, for good`] : []),
  ].join("; ");
  return `${parts.slice(0, 1).toUpperCase()}${parts.slice(1)}`;
}

function listNames(items: readonly PromotableItem[], most: number): string {
  const names = items.slice(0, most).map(({ name }) => name);
  const rest = items.length - names.length;
  return `${names.join(", ")}${rest > 0 ? ` and ${formatNumber(rest)} more` : ""}`;
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
  return (
    <div className="text-table">
      <p className="font-medium text-text">
        {title} <span className="font-normal tabular-nums">({formatNumber(items.length)})</span>
      </p>
      <p className="break-words">{listNames(items, mostNames)}</p>
    </div>
  );
}
