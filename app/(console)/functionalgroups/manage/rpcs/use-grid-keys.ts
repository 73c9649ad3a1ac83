import { type KeyboardEvent, type RefObject, useState } from "react";

/** The RPC's name stays the same when rows come and go. */
interface Place {
  readonly row: string;
  readonly column: number;
}

const pageRows = 10;

/** Keys of the ARIA grid pattern. Controls carry `data-column`, their rows `data-row` with the index. */
export function useGridKeys({
  grid,
  names,
  columnCount,
  reveal,
}: Readonly<{
  grid: RefObject<HTMLElement | null>;
  names: readonly string[];
  columnCount: number;
  reveal: (index: number) => void;
}>) {
  const [place, setPlace] = useState<Place | null>(null);
  const placeIndex = place === null ? -1 : names.indexOf(place.row);
  const activeColumn = place?.column ?? 1;

  function focus(index: number, column: number) {
    const name = names[index];
    if (name === undefined) return;
    setPlace({ row: name, column });
    const tryFocus = () => focusCell(grid.current, index, column);
    if (tryFocus()) return;
    reveal(index);
    requestAnimationFrame(() => requestAnimationFrame(tryFocus));
  }

  function onKeyDown(event: KeyboardEvent) {
    const at = readCell(event.target);
    if (at === null || event.altKey) return;
    const next = move(event, at, { rows: names.length, columns: columnCount });
    if (next === null) return;
    event.preventDefault();
    focus(next.index, next.column);
  }

  return {
    onKeyDown,
    focus,
    isActive: (index: number, column: number, shown: readonly number[]) =>
      // If the last focused control is not rendered or no longer exists, the first rendered one takes its place.
      index === (shown.includes(placeIndex) ? placeIndex : shown[0]) && column === activeColumn,
    onFocus: (event: { readonly target: EventTarget }) => {
      const at = readCell(event.target);
      const name = at === null ? undefined : names[at.index];
      if (at !== null && name !== undefined && (place?.row !== name || place.column !== at.column)) {
        setPlace({ row: name, column: at.column });
      }
    },
  } as const;
}

interface Cell {
  readonly index: number;
  readonly column: number;
}

function move(event: KeyboardEvent, { index, column }: Cell, size: { rows: number; columns: number }): Cell | null {
  const isFar = event.ctrlKey || event.metaKey;
  const row = (next: number) => ({ index: Math.max(0, Math.min(size.rows - 1, next)), column });
  switch (event.key) {
    case "ArrowUp":
      return row(index - 1);
    case "ArrowDown":
      return row(index + 1);
    case "PageUp":
      return row(index - pageRows);
    case "PageDown":
      return row(index + pageRows);
    case "ArrowLeft":
      return { index, column: Math.max(0, column - 1) };
    case "ArrowRight":
      return { index, column: Math.min(size.columns - 1, column + 1) };
    case "Home":
      return { index: isFar ? 0 : index, column: 0 };
    case "End":
      return { index: isFar ? size.rows - 1 : index, column: size.columns - 1 };
    default:
      return null;
  }
}

function readCell(target: EventTarget): Cell | null {
  if (!(target instanceof HTMLElement)) return null;
  const control = target.closest<HTMLElement>("[data-column]");
  const row = control?.closest<HTMLElement>("[data-row]");
  return control && row ? { index: Number(row.dataset.row), column: Number(control.dataset.column) } : null;
}

function focusCell(grid: HTMLElement | null, index: number, column: number): boolean {
  const row = grid?.querySelector(`[data-row="${index}"]`);
  const control = row?.querySelector<HTMLElement>(`[data-column="${column}"]`);
  if (!control) return false;
  control.focus();
  control.scrollIntoView({ block: "nearest" });
  return true;
}
