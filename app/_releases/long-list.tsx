"use client";
import { type ReactNode, useState } from "react";
import { formatNumber } from "@/lib/labels/format-number";

/** Number of rows added on demand. */
const rowsAtOnce = 100;

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
  const [max, setMax] = useState(first);
  const rest = rows.length - max;
  return (
    <>
      <List className={className}>{rows.slice(0, max)}</List>
      {rest > 0 && (
        <button
          type="button"
          onClick={() => setMax(max + rowsAtOnce)}
          className="w-full border-t border-line px-4 py-1.5 text-left text-table text-link -outline-offset-2 hover:underline pointer-coarse:min-h-11"
        >
          {rest > rowsAtOnce ? `Show ${rowsAtOnce} of ${formatNumber(rest)} more` : `Show ${formatNumber(rest)} more`}
        </button>
      )}
    </>
  );
}
