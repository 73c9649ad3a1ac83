"use client";
import {
  columnVisibilityFeature,
  rowSelectionFeature,
  tableFeatures,
  useTable,
  type RowData,
} from "@tanstack/react-table";
import dynamic from "next/dynamic";
import { useMemo, useRef, type ReactNode } from "react";
import { cn } from "@/app/_components/ui/cn";
import { CardTools } from "@/app/_components/list/card-tools";
import type { DataColumn } from "@/app/_components/list/table/data-column";
import { DataTableHead } from "@/app/_components/list/table/data-table-head";
import { DataTableRow } from "@/app/_components/list/table/data-table-row";
import { giveWayClass, useColumns } from "@/app/_components/list/table/use-columns";
import { useRowKeys } from "@/app/_components/list/table/use-row-keys";
import { type Selection, withRows } from "@/app/_components/list/table/use-selection";
import { mostPlainRows } from "@/app/_components/list/table/most-plain-rows";
import type { RenderRow } from "@/app/_components/list/table/virtual-rows";
import type { MenuEntry } from "@/app/_components/overlay/menu";
import { usePreference } from "@/app/_components/hooks/use-preference";

const VirtualRows = dynamic(() => import("@/app/_components/list/table/virtual-rows").then((m) => m.VirtualTableRows));

const features = tableFeatures({ columnVisibilityFeature, rowSelectionFeature });

export interface DataTableProps<Row extends RowData> {
  /** Spoken name of the table. */
  readonly label: string;
  /** Under which choices are remembered. */
  readonly name: string;
  /** Must be the same object from render to render: outside of the component, or memoized. */
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  /** Names a row, for its checkbox and menu. */
  readonly rowLabel: (row: Row) => string;
  readonly rowHref?: (row: Row) => string;
  readonly rowActions?: (row: Row) => readonly MenuEntry[];
  /** Rows that are on their way out are dimmed; a chip says why. */
  readonly isDimmed?: (row: Row) => boolean;
  /** Present order: "name", "-updated". */
  readonly sort?: string;
  readonly sortParameter?: string;
  readonly selection?: Selection;
  /** Rows that something can be done with once they are chosen; without it all. Others have no check box. */
  readonly isSelectable?: (row: Row) => boolean;
  /** What stands in the place of a table without rows. */
  readonly empty: ReactNode;
}

/**
 * A list as a table; below 768 px each row becomes a card. Search, filters, order and pages are the server's, told by
 * the address. Long lists keep only the rows around the view in the page.
 */
export function DataTable<Row extends RowData>(props: Readonly<DataTableProps<Row>>) {
  const { label, name, columns, rows, rowId, sort, sortParameter = "sort", empty } = props;
  const isSelectable = props.isSelectable ?? (() => true);
  // A column of check boxes with nothing to check would only take room.
  const selection = rows.some(isSelectable) ? props.selection : undefined;
  const { visibility, chosen } = useColumns(name, columns);
  const [density] = usePreference("density");
  const container = useRef<HTMLTableElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const lastSelected = useRef<number | null>(null);

  const definitions = useMemo(
    () => columns.map(({ id, header }) => ({ id, header, accessorFn: (row: Row) => row })),
    [columns],
  );
  // The library wants a list that it might change; it does not.
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: rowId,
    enableRowSelection: ({ original }) => selection !== undefined && isSelectable(original),
    state: { columnVisibility: visibility, rowSelection: selection?.rows ?? {} },
    onRowSelectionChange: (update) => selection?.setRows(update),
    onColumnVisibilityChange: () => undefined,
  });
  const allRows = table.getRowModel().rows;
  const shown = columns.flatMap((column): DataColumn<Row>[] => {
    const { id, hiddenBelow, className } = column;
    if (visibility[id] !== true) return [];
    if (hiddenBelow === undefined || chosen.has(id)) return [column];
    return [{ ...column, className: cn(className, giveWayClass[hiddenBelow]) }];
  });
  const isCompact = density === "compact";
  // Set by the list that keeps rows out of the page.
  const revealRef = useRef<(index: number) => void>(null);

  const canSelect = (row: (typeof allRows)[number]) => row.getCanSelect();
  function select(index: number, isRange: boolean) {
    const id = allRows[index]?.id;
    if (selection === undefined || id === undefined || allRows[index]?.getCanSelect() !== true) return;
    const from = isRange ? (lastSelected.current ?? index) : index;
    lastSelected.current = index;
    const range = allRows
      .slice(Math.min(from, index), Math.max(from, index) + 1)
      .filter(canSelect)
      .map((row) => row.id);
    if (selection.isAll) selection.setRows(withRows({}, otherThan(id), true));
    else selection.setRows((chosen) => withRows(chosen, range, isRange || chosen[id] !== true));
  }
  const otherThan = (id: string) =>
    allRows
      .filter(canSelect)
      .map((row) => row.id)
      .filter((one) => one !== id);
  useRowKeys({
    table: container,
    count: allRows.length,
    reveal: (index) => {
      revealRef.current?.(index);
    },
    select: selection ? select : null,
  });

  const renderRow: RenderRow = (index, measure) => {
    const row = allRows[index];
    if (row === undefined) return null;
    return (
      <DataTableRow
        key={row.id}
        {...props}
        row={row.original}
        columns={shown}
        index={index}
        isLast={index === allRows.length - 1}
        isCompact={isCompact}
        measure={measure}
        isSelected={selection === undefined ? null : row.getCanSelect() && (selection.isAll || row.getIsSelected())}
        canSelect={row.getCanSelect()}
        onSelect={(isRange) => {
          select(index, isRange);
        }}
      />
    );
  };

  if (rows.length === 0) return empty;
  const isPageSelected = selection?.isAll === true || table.getIsAllRowsSelected();
  const pageSelection = selection && {
    isAll: isPageSelected,
    isSome: table.getIsSomeRowsSelected(),
    set: (isOn: boolean) => {
      const ids = allRows.filter(canSelect).map(({ id }) => id);
      selection.setRows((rowsChosen) => withRows(rowsChosen, ids, isOn));
    },
  };
  return (
    <div className="rounded-card border border-line bg-surface max-md:border-0 max-md:bg-transparent">
      <CardTools columns={shown} sortParameter={sortParameter} selection={pageSelection} />
      <table
        ref={container}
        role="table"
        aria-label={label}
        aria-rowcount={allRows.length + 1}
        className="w-full border-separate border-spacing-0 text-left text-table max-md:block"
      >
        <DataTableHead
          columns={shown}
          sort={sort ?? null}
          sortParameter={sortParameter}
          hasActions={props.rowActions !== undefined}
          selection={pageSelection}
        />
        <tbody ref={body} role="rowgroup" className={cn("max-md:flex max-md:flex-col max-md:gap-2")}>
          {allRows.length > mostPlainRows ? (
            <VirtualRows
              count={allRows.length}
              rowHeight={isCompact ? 33 : 41}
              body={body}
              revealRef={revealRef}
              renderRow={renderRow}
            />
          ) : (
            allRows.map((_, index) => renderRow(index, undefined, []))
          )}
        </tbody>
      </table>
    </div>
  );
}
