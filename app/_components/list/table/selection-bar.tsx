import { X } from "lucide-react";
import type { ReactNode } from "react";
import { BottomBar } from "@/app/_components/shell/bars/bottom-bars";
import { IconButton } from "@/app/_components/ui/icon-button";
import type { Selection } from "@/app/_components/list/table/use-selection";
import { formatNumber } from "@/lib/vocabulary/format-number";

export function SelectionBar({
  selection,
  total,
  children,
}: Readonly<{
  selection: Selection;
  /** Rows that match the filters; null if only single rows can be selected. */
  total: number | null;
  children: ReactNode;
}>) {
  const { ids, isAll, selectAll, clear } = selection;
  const isEmpty = ids.length === 0 && !isAll;
  return (
    <>
      <p role="status" className="sr-only">
        {isEmpty ? "" : `${formatNumber(isAll ? (total ?? 0) : ids.length)} selected`}
      </p>
      {!isEmpty && (
        <BottomBar label="Selected rows">
          <span className="font-medium tabular-nums">
            {isAll ? `All ${formatNumber(total ?? 0)}` : formatNumber(ids.length)} selected
          </span>
          {!isAll && total !== null && total > ids.length && (
            <button type="button" className="h-6 text-table text-link hover:underline" onClick={selectAll}>
              Select all {formatNumber(total)} matching
            </button>
          )}
          <span aria-hidden="true" className="h-5 w-px bg-line max-sm:hidden" />
          {children}
          <IconButton icon={X} label="Clear selection" size="icon-sm" className="ml-auto" onClick={clear} />
        </BottomBar>
      )}
    </>
  );
}
