"use client";
import { type ReactNode, useState } from "react";
import { formatNumber } from "@/lib/labels/format-number";

/** Number of rows of a long list that are rendered at first, and added on demand. */
const rowsAtOnce = 100;

/** The rows of a list; renders the first of them. */
export function LongList({ rows, className }: Readonly<{ rows: readonly ReactNode[]; className?: string }>) {
  const [max, setMax] = useState(rowsAtOnce);
  const rest = rows.length - max;
  return (
    <>
      <ul className={className}>{rows.slice(0, max)}</ul>
      {rest > 0 && (
        <button
          type="button"
          onClick={() => setMax(max + rowsAtOnce)}
          className="w-full border-t border-line px-4 py-1.5 text-left text-table text-link -outline-offset-2 hover:underline pointer-coarse:min-h-11"
        >
          {`Show ${formatNumber(Math.min(rest, rowsAtOnce))} of ${formatNumber(rest)} more`}
        </button>
      )}
    </>
  );
}
