import { Ellipsis } from "lucide-react";
import { memo, type ReactNode, useRef } from "react";
import { Checkbox } from "@/app/_components/fields/checkbox";
import { cn } from "@/app/_components/ui/cn";
import { IconButton } from "@/app/_components/ui/icon-button";
import type { DataColumn, RowFacts } from "@/app/_components/list/table/data-column";
import { Link } from "@/app/_components/ui/link";
import { Menu } from "@/app/_components/overlay/menu";

export function DataTableRow<Row>({
  row,
  columns,
  index,
  isLast,
  isSelected,
  canSelect,
  onSelect,
  measure,
  rowLabel,
  rowHref,
  rowActions,
  isDimmed,
}: Readonly<
  RowFacts<Row> & {
    row: Row;
    columns: readonly DataColumn<Row>[];
    index: number;
    isLast: boolean;
    /** Null: rows cannot be selected. */
    isSelected: boolean | null;
    canSelect: boolean;
    onSelect: (isRange: boolean) => void;
    measure: ((element: Element | null) => void) | undefined;
  }
>) {
  const cellClass = cn(
    "h-10 px-3 py-1.5 align-middle max-md:flex max-md:h-auto max-md:items-center max-md:px-0 max-md:py-0.5",
    !isLast && "md:border-b md:border-line",
  );
  const href = rowHref?.(row);
  const hasShift = useRef(false);
  return (
    <tr
      ref={measure}
      role="row"
      data-index={index}
      aria-rowindex={index + 2}
      className={cn(
        "group/row relative",
        "has-[[data-row-link]:focus-visible]:bg-hover md:hover:bg-hover",
        isSelected === true && "bg-accent-soft md:hover:bg-accent-soft",
        isDimmed?.(row) && "text-muted",
        "max-md:block max-md:rounded-card max-md:border max-md:border-line max-md:bg-surface max-md:p-3",
        rowActions && "max-md:pr-12",
        canSelect && "max-md:pl-10",
      )}
    >
      {isSelected !== null && (
        <td role="cell" className={cn(cellClass, "relative z-1 pr-0 max-md:absolute max-md:top-4 max-md:left-3")}>
          {canSelect && (
            <Checkbox
              label={`Select ${rowLabel(row)}`}
              checked={isSelected}
              // The change event does not say which modifier keys were held.
              onClick={(event) => {
                hasShift.current = event.shiftKey;
              }}
              onChange={() => onSelect(hasShift.current)}
            />
          )}
        </td>
      )}
      <RowCells row={row} columns={columns} cellClass={cellClass} href={href} />
      {rowActions && (
        <td
          role="cell"
          className={cn(cellClass, "relative z-1 px-1 text-right max-md:absolute max-md:top-1.5 max-md:right-1.5")}
        >
          <Menu
            trigger={
              <IconButton
                icon={Ellipsis}
                label={`Actions for ${rowLabel(row)}`}
                size="icon-sm"
                className="text-muted"
              />
            }
            entries={rowActions(row)}
          />
        </td>
      )}
    </tr>
  );
}

/** Memoized, so that changes to other rows and checkboxes don't render the cells again. */
const RowCells = memo(function RowCells<Row>({
  row,
  columns,
  cellClass,
  href,
}: Readonly<{ row: Row; columns: readonly DataColumn<Row>[]; cellClass: string; href: string | undefined }>) {
  return columns.map((column) => {
    const content = column.cell(row);
    return (
      <td
        key={column.id}
        role="cell"
        className={cn(
          cellClass,
          column.align === "end" && "md:text-right",
          column.className,
          "max-md:w-auto max-md:max-w-none",
          // Cards omit empty values.
          (content === null || content === false) && "max-md:hidden",
        )}
      >
        <DataTableCell column={column} href={href} before={column.before?.(row)}>
          {content}
        </DataTableCell>
      </td>
    );
  });
}) as <Row>(
  props: Readonly<{ row: Row; columns: readonly DataColumn<Row>[]; cellClass: string; href: string | undefined }>,
) => ReactNode;

function DataTableCell<Row>({
  column,
  href,
  before,
  children,
}: Readonly<{ column: DataColumn<Row>; href: string | undefined; before: ReactNode; children: ReactNode }>) {
  if (column.isPrimary !== true) {
    return (
      <>
        {/* In cards, the column's name precedes the value; tables have it in the head. */}
        <span className="mr-2 shrink-0 text-muted md:hidden" aria-hidden="true">
          {column.header}
        </span>
        <div className="min-w-0 md:contents">{children}</div>
      </>
    );
  }
  const name =
    href === undefined ? (
      <span className="block min-w-0 font-medium">{children}</span>
    ) : (
      <Link
        href={href}
        data-row-link=""
        // At least 24 px high, even for a one-line name: the sticky head may come close.
        className="-my-0.5 block min-w-0 rounded-control py-0.5 font-medium text-inherit no-underline after:absolute after:inset-0 hover:underline"
      >
        {children}
      </Link>
    );
  if (before === undefined) return name;
  return (
    <div className="flex min-w-0 items-center">
      {before}
      {name}
    </div>
  );
}
