import dynamic from "next/dynamic";
import { useMemo, useRef, type ReactNode } from "react";
import { cn } from "@/app/_components/ui/cn";
import type { DataColumn, RowFacts } from "@/app/_components/list/table/data-column";
import { DataTableHead } from "@/app/_components/list/table/data-table-head";
import { DataTableRow } from "@/app/_components/list/table/data-table-row";
import { giveWayClass, useColumns } from "@/app/_components/list/table/use-columns";
import { type Selection, usePageSelection, type PageSelection } from "@/app/_components/list/table/use-selection";
import { maxPlainRows } from "@/app/_components/list/table/most-plain-rows";
import type { RenderRow } from "@/app/_components/list/table/virtual-rows";
import { usePrinting } from "@/app/_components/hooks/use-printing";
import { Checkbox } from "@/app/_components/fields/checkbox";
import { FilterMenu } from "@/app/_components/list/filter-menu";

const VirtualRows = dynamic(() => import("@/app/_components/list/table/virtual-rows").then((m) => m.VirtualTableRows));

export interface DataTableProps<Row> extends RowFacts<Row> {
  readonly label: string;
  /** Stores the reader's choice of columns; without it, there is none. */
  readonly name?: string;
  /** The same object from render to render. */
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  /** "name", "-updated" */
  readonly sort?: string;
  readonly selection?: Selection;
  /** Default: all. Other rows have no checkbox. */
  readonly isSelectable?: (row: Row) => boolean;
  /** Replaces a table without rows. */
  readonly empty: ReactNode;
}

/** Below 768 px each row becomes a card. The server searches, filters, sorts and pages, all from the address. */
export function DataTable<Row>(props: Readonly<DataTableProps<Row>>) {
  const { label, name, columns, rows, rowId, sort, empty } = props;
  const ids = rows.map(rowId);
  const selectable = rows.map((row, index) => (props.isSelectable?.(row) === false ? null : (ids[index] ?? null)));
  // A column without any checkbox would waste space.
  const isUseful = selectable.some((id) => id !== null);
  const selection = usePageSelection(isUseful ? props.selection : undefined, selectable);
  const { visibility, chosen } = useColumns(name ?? null, columns);
  const body = useRef<HTMLTableSectionElement>(null);
  // The same object from render to render; otherwise every row would render again.
  const shown = useMemo(
    () =>
      columns.flatMap((column): DataColumn<Row>[] => {
        const { id, hiddenBelow, className } = column;
        if (visibility[id] !== true) return [];
        if (hiddenBelow === undefined || chosen.has(id)) return [column];
        return [{ ...column, className: cn(className, giveWayClass[hiddenBelow]) }];
      }),
    [columns, visibility, chosen],
  );
  const isPrinting = usePrinting();

  const renderRow: RenderRow = (index, measure) => {
    const row = rows[index];
    if (row === undefined) return null;
    return (
      <DataTableRow
        key={ids[index]}
        {...props}
        row={row}
        columns={shown}
        index={index}
        isLast={index === rows.length - 1}
        measure={measure}
        isSelected={selection?.isSelected(index) ?? null}
        canSelect={selection !== undefined && selectable[index] !== null}
        onSelect={(isRange) => selection?.select(index, isRange)}
      />
    );
  };

  if (rows.length === 0) return empty;
  return (
    <div className="rounded-card border border-line bg-surface max-md:border-0 max-md:bg-transparent">
      <CardTools columns={shown} selection={selection} />
      <table
        role="table"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        className="w-full border-separate border-spacing-0 text-left text-table max-md:block"
      >
        <DataTableHead
          columns={shown}
          sort={sort ?? null}

          hasActions={props.rowActions !== undefined}
          selection={selection}
        />
        <tbody ref={body} role="rowgroup" className="max-md:flex max-md:flex-col max-md:gap-2">
          {rows.length > maxPlainRows && !isPrinting ? (
            <VirtualRows count={rows.length} rowHeight={41} body={body} renderRow={renderRow} />
          ) : (
            rows.map((_, index) => renderRow(index, undefined, []))
          )}
        </tbody>
      </table>
    </div>
  );
}

function CardTools<Row>({
  columns,
  selection,
}: Readonly<{
  columns: readonly DataColumn<Row>[];
  selection: PageSelection | undefined;
}>) {
  const orders = columns.flatMap(({ header, sortKey, sortsDownFirst = false }) => {
    if (sortKey === undefined) return [];
    const upwards = { value: sortKey, label: `${header}, ascending` };
    const downwards = { value: `-${sortKey}`, label: `${header}, descending` };
    return sortsDownFirst ? [downwards, upwards] : [upwards, downwards];
  });
  if (orders.length === 0 && selection === undefined) return null;
  return (
    <div className="mb-2 flex flex-wrap items-center justify-between gap-2 md:hidden">
      {orders.length > 0 && <FilterMenu label="Sort" parameter="sort" choices={orders} anyLabel="Default order" />}
      {selection && (
        <label className="flex h-8 items-center gap-2 pointer-coarse:h-11">
          <Checkbox
            label="Select all shown"
            checked={selection.isAll}
            isMixed={selection.isSome && !selection.isAll}
            onChange={selection.set}
          />
          <span aria-hidden="true">Select all shown</span>
        </label>
      )}
    </div>
  );
}
