import type { RefObject } from "react";
import { isTyping } from "@/app/_components/hooks/is-typing";
import { useListener } from "@/app/_components/hooks/use-listener";
import { usePreference } from "@/app/_components/hooks/use-preference";

export interface RowKeys {
  readonly table: RefObject<HTMLElement | null>;
  readonly count: number;
  /** Scrolls to a row that may not be rendered. */
  readonly reveal: (index: number) => void;
  /** Selects a row, or all rows up to it. */
  readonly select: ((index: number, isRange: boolean) => void) | null;
}

/**
 * Keys of a list: `j` and `k` move between rows from anywhere on the page, arrows from within the list; `x` selects,
 * `e` opens. Enter needs no code: the focus is on the row's link.
 */
export function useRowKeys({ table, count, reveal, select }: RowKeys): void {
  const [setting] = usePreference("shortcuts");
  useListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const row = document.activeElement?.closest("[data-index]") ?? null;
    const isWithin = row !== null && table.current?.contains(row) === true;
    const index = isWithin ? Number(row.getAttribute("data-index")) : -1;
    const step = stepOf(event.key, isWithin, setting === "on");
    if (step !== 0 && count > 0) {
      event.preventDefault();
      focusRow(table.current, Math.min(count - 1, Math.max(0, index + step)), reveal);
    } else if (event.key.toLowerCase() === "x" && setting === "on" && isWithin && select) {
      event.preventDefault();
      select(index, event.shiftKey);
    } else if (event.key === "e" && setting === "on" && isWithin) {
      const link = row.querySelector<HTMLElement>("[data-row-link]");
      if (link === null) return;
      event.preventDefault();
      link.click();
    }
  });
}

function stepOf(key: string, isWithin: boolean, hasSingleKeys: boolean): number {
  if (isWithin && key === "ArrowDown") return 1;
  if (isWithin && key === "ArrowUp") return -1;
  if (hasSingleKeys && key === "j") return 1;
  return hasSingleKeys && key === "k" ? -1 : 0;
}

function focusRow(table: HTMLElement | null, index: number, reveal: (index: number) => void): void {
  const find = () => table?.querySelector<HTMLElement>(`[data-index="${index}"]`);
  const focus = () => {
    const row = find();
    const target = row?.querySelector<HTMLElement>("[data-row-link]") ?? row;
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ block: "nearest" });
  };
  if (find()) {
    focus();
    return;
  }
  reveal(index);
  requestAnimationFrame(() => requestAnimationFrame(focus));
}
