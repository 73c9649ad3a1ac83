import { type ChangeObject, diffWordsWithSpace } from "diff";
import type { ReactNode } from "react";
import { changeSigns } from "@/app/_components/diff/change-sign";
import { cn } from "@/app/_components/ui/cn";

/** One row of a `dl`: what differs, and how. */
export function DiffRow({ name, title, children }: Readonly<{ name: ReactNode; title?: string; children: ReactNode }>) {
  return (
    <div className="grid gap-x-4 gap-y-1 px-4 py-2 lg:grid-cols-[8rem_minmax(0,1fr)]">
      <dt className="font-medium" title={title}>
        {name}
      </dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

/** A value before and after, in words; null: not there. */
export function Diff({ before, after }: Readonly<{ before: string | null; after: string | null }>) {
  const parts = before === null || after === null ? null : compareTexts(before, after);
  return (
    <div className="space-y-1">
      {before !== null && <Line of="removed" text={before} parts={parts} />}
      {after !== null && <Line of="added" text={after} parts={parts} />}
    </div>
  );
}

/** Shorter values are compared at a glance. */
const shortestText = 24;
/** With more different words, marking them helps nobody, and takes long. */
const maxEdits = 100;

/** The words that two long texts share, and those that only one of them has; null: better shown as wholes. */
function compareTexts(before: string, after: string): readonly ChangeObject<string>[] | null {
  if (before.length < shortestText || after.length < shortestText) return null;
  const parts = diffWordsWithSpace(before, after, { maxEditLength: maxEdits });
  const kept = parts?.reduce((sum, part) => sum + (part.added || part.removed ? 0 : part.value.length), 0) ?? 0;
  return parts !== undefined && kept * 2 > Math.max(before.length, after.length) ? parts : null;
}

const lineLooks = { removed: ["del", "Before: "], added: ["ins", "Now: "] } as const;

/** `parts`: only the words that differ are marked; null: the whole line. */
function Line({
  of,
  text,
  parts,
}: Readonly<{ of: keyof typeof lineLooks; text: string; parts: readonly ChangeObject<string>[] | null }>) {
  const [As, word] = lineLooks[of];
  const { sign, className } = changeSigns[of];
  return (
    <p className={cn("flex gap-2 rounded-control px-2 py-0.5", parts === null && className)}>
      <span aria-hidden="true" className="font-mono select-none">
        {sign}
      </span>
      <span className="sr-only">{word}</span>
      <span className="min-w-0 wrap-anywhere whitespace-pre-line">
        {parts === null ? (
          <As className="no-underline">{text}</As>
        ) : (
          parts.map((part, at) =>
            part[of] ? (
              <As key={at} className={cn("rounded-xs no-underline", className)}>
                {part.value}
              </As>
            ) : (
              !part.added && !part.removed && <span key={at}>{part.value}</span>
            ),
          )
        )}
      </span>
    </p>
  );
}
