import { startTransition, useMemo, useState } from "react";
import {
  ancestorsOf,
  listRows,
  openTo,
  toPointer,
  type JsonPath,
  type JsonRow,
} from "@/app/_components/json-viewer/json-tree";

export function useJsonTree(root: unknown, first: { depth: number; path: JsonPath | null }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set([...openTo(root, first.depth), ...ancestorsOf(first.path ?? [])]),
  );
  const [activeId, setActiveId] = useState(() => toPointer(first.path ?? []));
  const rows = useMemo(() => listRows(root, open), [root, open]);
  const found = rows.findIndex(({ id }) => id === activeId);
  const activeIndex = Math.max(found, 0);
  const active = rows[activeIndex];

  function setIsOpen(row: JsonRow, isOpen: boolean) {
    if (row.size === null || row.size === 0) return;
    const next = new Set(open);
    if (isOpen) next.add(row.id);
    else next.delete(row.id);
    setOpen(next);
  }

  function show(path: JsonPath) {
    setOpen((before) => new Set([...before, ...ancestorsOf(path)]));
    setActiveId(toPointer(path));
  }

  function foldTo(depth: number) {
    // Hundreds of thousands of lines must not delay the next paint.
    startTransition(() => setOpen(openTo(root, depth)));
    // If the active line gets folded away, its nearest visible ancestor becomes active.
    if (active !== undefined && active.path.length > depth) setActiveId(toPointer(active.path.slice(0, depth)));
  }

  /** Returns false for keys that it does not handle. */
  function press(key: string): boolean {
    if (active === undefined) return false;
    const go = (index: number) => {
      const row = rows[Math.min(Math.max(index, 0), rows.length - 1)];
      if (row) setActiveId(row.id);
    };
    const steps: Record<string, () => void> = {
      ArrowDown: () => go(activeIndex + 1),
      ArrowUp: () => go(activeIndex - 1),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ArrowRight: () => {
        if (active.isOpen) go(activeIndex + 1);
        else setIsOpen(active, true);
      },
      ArrowLeft: () => {
        if (active.isOpen) setIsOpen(active, false);
        else if (active.path.length > 0) setActiveId(toPointer(active.path.slice(0, -1)));
      },
      Enter: () => setIsOpen(active, !active.isOpen),
      " ": () => setIsOpen(active, !active.isOpen),
    };
    const step = steps[key];
    step?.();
    return step !== undefined;
  }

  function toggle(row: JsonRow) {
    setActiveId(row.id);
    setIsOpen(row, !row.isOpen);
  }
  return { rows, activeIndex, active, show, toggle, foldTo, press };
}
