"use client";
import { type ReactNode, useState } from "react";
import { usePrinting } from "@/app/_components/hooks/use-printing";
import { formatNumber } from "@/lib/vocabulary/format-number";

/** Number of rows added on demand. */
const rowsAtOnce = 100;

export const describeRest = (next: number, rest: number) =>
  next === rest ? `Show ${formatNumber(rest)} more` : `Show ${formatNumber(next)} of ${formatNumber(rest)} more`;

/** The rows of a list; renders the first of them. */
export function LongList({
  rows,
  as: List = "ul",
  className,
  first = 25,
}: Readonly<{
  rows: readonly ReactNode[];
  as?: "ul" | "dl";
  className?: string;
  /** Number of rows that are rendered at first. A page may have several lists. */
  first?: number;
}>) {
  const [shown, setShown] = useState(first);
  const max = usePrinting() ? rows.length : shown;
  const rest = rows.length - max;
  return (
    <>
      <List className={className}>{rows.slice(0, max)}</List>
      {rest > 0 && (
        <button
          type="button"
          onClick={() => setShown(max + rowsAtOnce)}
          className="w-full border-t border-line px-4 py-1.5 text-left text-table text-link -outline-offset-2 hover:underline pointer-coarse:min-h-11"
        >
          {describeRest(Math.min(rest, rowsAtOnce), rest)}
        </button>
      )}
    </>
  );
}
