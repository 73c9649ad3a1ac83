import { useMemo, useRef, useState } from "react";

type Rows = ReadonlySet<string>;

/** Survives paging; `isAll` means every row that matches the filters. */
export interface Selection {
  readonly rows: Rows;
  readonly setRows: (update: (rows: Rows) => Rows) => void;
  readonly isAll: boolean;
  readonly selectAll: () => void;
  readonly clear: () => void;
  /** Includes other pages; meaningless while `isAll` is true. */
  readonly ids: readonly string[];
}

export function useSelection(): Selection {
  const [rows, setState] = useState<Rows>(new Set<string>());
  const [isAll, setIsAll] = useState(false);
  return useMemo(() => {
    const setRows: Selection["setRows"] = (update) => {
      // Any change ends "all matching": only rows that the reader has seen stay selected.
      setIsAll(false);
      setState(update);
    };
    return {
      rows,
      setRows,
      isAll,
      selectAll: () => setIsAll(true),
      clear: () => setRows(() => new Set()),
      ids: [...rows],
    };
  }, [rows, isAll]);
}

function withRows(rows: Rows, ids: readonly string[], isOn: boolean): Rows {
  const given = new Set(ids);
  return new Set([...[...rows].filter((id) => !given.has(id)), ...(isOn ? ids : [])]);
}

export interface PageSelection {
  readonly isAll: boolean;
  readonly isSome: boolean;
  readonly set: (isOn: boolean) => void;
  readonly isSelected: (index: number) => boolean;
  readonly select: (index: number, isRange: boolean) => void;
}

/** `ids` of the visible rows; null for a row that cannot be selected. */
export function usePageSelection(
  selection: Selection | undefined,
  ids: readonly (string | null)[],
): PageSelection | undefined {
  const last = useRef<number | null>(null);
  if (selection === undefined) return undefined;
  const { rows, isAll, setRows } = selection;
  const known = (some: readonly (string | null)[]) => some.filter((id) => id !== null);
  const isSelected = (id: string | null) => id !== null && (isAll || rows.has(id));
  return {
    isAll: known(ids).every(isSelected),
    isSome: ids.some(isSelected),
    set: (isOn) => setRows((chosen) => withRows(chosen, known(ids), isOn)),
    isSelected: (index) => isSelected(ids[index] ?? null),
    select: (index, isRange) => {
      const id = ids[index] ?? null;
      if (id === null) return;
      const from = isRange ? (last.current ?? index) : index;
      last.current = index;
      const range = known(ids.slice(Math.min(from, index), Math.max(from, index) + 1));
      setRows((chosen) =>
        isAll ? new Set(known(ids).filter((one) => one !== id)) : withRows(chosen, range, isRange || !chosen.has(id)),
      );
    },
  };
}
