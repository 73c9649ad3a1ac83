"use client";
import { Checkbox } from "@/app/_components/fields/checkbox";
import type { DataColumn } from "@/app/_components/list/table/data-column";
import type { PageSelection } from "@/app/_components/list/table/use-selection";
import { FilterMenu } from "@/app/_components/list/filter-menu";

/** What the head of a table offers, for cards: they have none. */
export function CardTools<Row>({
  columns,
  sortParameter,
  selection,
}: Readonly<{
  columns: readonly DataColumn<Row>[];
  sortParameter: string;
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
      {orders.length > 0 && <FilterMenu label="Sort" parameter={sortParameter} choices={orders} anyLabel="As usual" />}
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
