"use client";
import type { RowSelectionState } from "@tanstack/react-table";
import { useMemo, useState } from "react";

/** Which rows of a list are chosen. Survives paging; `isAll` stands for every row that meets the filters. */
export interface Selection {
  readonly rows: RowSelectionState;
  readonly setRows: (update: RowSelectionState | ((rows: RowSelectionState) => RowSelectionState)) => void;
  readonly isAll: boolean;
  readonly selectAll: () => void;
  readonly clear: () => void;
  /** Ids of the chosen rows, other pages included; meaningless while `isAll`. */
  readonly ids: readonly string[];
}

/** The chosen rows with some more, or without some. */
export function withRows(rows: RowSelectionState, ids: readonly string[], isOn: boolean): RowSelectionState {
  if (isOn) return { ...rows, ...Object.fromEntries(ids.map((id) => [id, true as const])) };
  const off = new Set(ids);
  return Object.fromEntries(Object.entries(rows).filter(([id]) => !off.has(id)));
}

/** The selection of a list, for `DataTable` and `SelectionBar`. */
export function useSelection(): Selection {
  const [rows, setState] = useState<RowSelectionState>({});
  const [isAll, setIsAll] = useState(false);
  return useMemo(
    () => ({
      rows,
      setRows: (update) => {
        // Taking one row off ends "all matching": what is left are the rows that were looked at.
        setIsAll(false);
        setState(update);
      },
      isAll,
      selectAll: () => {
        setIsAll(true);
      },
      clear: () => {
        setIsAll(false);
        setState({});
      },
      ids: Object.keys(rows),
    }),
    [rows, isAll],
  );
}
