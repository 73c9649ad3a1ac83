import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { Link } from "@/app/_components/ui/link";
import { usePathname, useSearchParams } from "next/navigation";
import { Checkbox } from "@/app/_components/fields/checkbox";
import { cn } from "@/app/_components/ui/cn";
import type { DataColumn } from "@/app/_components/list/table/data-column";
import { changeAddress } from "@/app/_components/list/list-address";
import type { PageSelection } from "@/app/_components/list/table/use-selection";
import { useMedia } from "@/app/_components/hooks/use-media";

const headClass =
  "sticky top-[calc(var(--header)+var(--strip))] z-10 h-9 border-b border-line bg-surface px-3 text-xs font-medium whitespace-nowrap text-muted first:rounded-tl-card last:rounded-tr-card";

/**
 * Sorting uses links, so that the address can be shared. For cards it only labels cells for screen readers and cannot
 * be focused; `CardTools` has the same functions.
 */
export function DataTableHead<Row>({
  columns,
  sort,
  hasActions,
  selection,
}: Readonly<{
  columns: readonly DataColumn<Row>[];
  sort: string | null;
  hasActions: boolean;
  selection: PageSelection | undefined;
}>) {
  const isCards = useMedia("(width < 48rem)");
  return (
    <thead role="rowgroup" className="max-md:sr-only">
      <tr role="row" aria-rowindex={1}>
        {selection && (
          <th role="columnheader" scope="col" className={cn(headClass, "w-9 pr-0")}>
            {isCards ? (
              "Selection"
            ) : (
              <Checkbox
                label="Select all rows shown"
                checked={selection.isAll}
                isMixed={selection.isSome && !selection.isAll}
                onChange={selection.set}
              />
            )}
          </th>
        )}
        {columns.map((column) => (
          <th
            key={column.id}
            role="columnheader"
            scope="col"
            aria-sort={sortOf(column, sort)}
            className={cn(headClass, column.align === "end" && "text-right", column.className)}
          >
            {column.sortKey === undefined || isCards ? (
              column.header
            ) : (
              <SortLink column={column} sort={sort} sortKey={column.sortKey} />
            )}
          </th>
        ))}
        {hasActions && (
          <th role="columnheader" scope="col" className={cn(headClass, "w-10")}>
            <span className="sr-only">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

function SortLink<Row>({
  column,
  sort,
  sortKey,
}: Readonly<{ column: DataColumn<Row>; sort: string | null; sortKey: string }>) {
  const pathname = usePathname();
  const query = useSearchParams();
  const order = sortOf(column, sort);
  const first = column.sortsDownFirst === true ? `-${sortKey}` : sortKey;
  const other = column.sortsDownFirst === true ? sortKey : `-${sortKey}`;
  const Icon = order === undefined ? ChevronsUpDown : order === "ascending" ? ArrowUp : ArrowDown;
  return (
    <Link
      href={changeAddress(pathname, query, { sort: sort === first ? other : first })}
      scroll={false}
      className={cn(
        "group/sort -mx-1 inline-flex h-6 items-center gap-1 rounded-control px-1 no-underline hover:text-text",
        order === undefined ? "text-muted" : "text-text",
        column.align === "end" && "flex-row-reverse",
      )}
    >
      {column.header}
      <Icon
        aria-hidden="true"
        className={cn(
          "size-3.5",
          order === undefined && "opacity-0 group-hover/sort:opacity-100 group-focus-visible/sort:opacity-100",
        )}
      />
    </Link>
  );
}

function sortOf<Row>({ sortKey }: DataColumn<Row>, sort: string | null): "ascending" | "descending" | undefined {
  if (sortKey === undefined || sort === null) return undefined;
  if (sort === sortKey) return "ascending";
  return sort === `-${sortKey}` ? "descending" : undefined;
}
