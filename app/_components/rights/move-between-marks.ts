import type { KeyboardEvent } from "react";

const steps: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/**
 * Arrow keys lead from one mark of the matrix to the next, lines and columns without one are passed over: only one of them is
 * in the tab order, or nobody would get past the matrix with a keyboard.
 */
export function moveBetweenMarks(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key];
  const cell = event.target instanceof HTMLElement ? event.target.closest<HTMLTableCellElement>("td") : null;
  const row = cell?.closest("tr");
  if (!step || !cell || !row || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const [down, right] = step;
  const rows = [...event.currentTarget.querySelectorAll("tr")];
  const markAt = (line: HTMLTableRowElement | undefined, column: number) =>
    line?.cells[column]?.querySelector<HTMLElement>("[data-mark]");
  let [line, column] = [rows.indexOf(row) + down, cell.cellIndex + right];
  while (line >= 0 && line < rows.length && column >= 0 && column < row.cells.length) {
    const mark = markAt(rows[line], column);
    if (mark) {
      mark.focus();
      return;
    }
    line += down;
    column += right;
  }
}
