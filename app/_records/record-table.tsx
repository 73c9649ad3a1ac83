import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { ExportMenu } from "@/app/_components/list/export-menu";
import { changeAddress } from "@/app/_components/list/list-address";
import { ListFilters } from "@/app/_components/list/list-filters";
import { Pagination } from "@/app/_components/list/pagination";
import { DataTable } from "@/app/_components/list/table/data-table";
import { SelectionBar } from "@/app/_components/list/table/selection-bar";
import { TableOptions } from "@/app/_components/list/table/table-options";
import type { Selection } from "@/app/_components/list/table/use-selection";
import { RememberList } from "@/app/_components/list/list-memory";
import { LinkButton } from "@/app/_components/ui/link-button";
import { NothingListed } from "@/app/_records/nothing-listed";
import { buildRowActions } from "@/app/_records/record-actions";
import type { RecordListProps } from "@/app/_records/listed-kind";
import { reviewPath } from "@/app/_releases/item-address";

/** The records of the page, with filters above them and what can be done with each. */
export function RecordTable<Row extends { readonly id: number }>({
  kind,
  query,
  columns,
  filters,
  rows,
  page: { first, count, total, unfiltered },
  matching,
  creation,
  selection,
  onRemove,
}: Readonly<
  RecordListProps<Row> & {
    /** Where a new record is written. */
    creation: string;
    selection: Selection;
    onRemove: (act: "delete" | "restore", row: Row) => void;
  }
>) {
  const address = useSearchParams();
  const { section, family, record, pathOf, isChosenByRow } = kind;
  const { environment, size } = query;
  const hasSelection = environment === "staging" && isChosenByRow;
  const hrefOf = (row: Row) => `${section}/manage?id=${row.id}&environment=${environment}`;
  const pageHref = (place: number) =>
    changeAddress(section, address, { [kind.place]: place > 0 ? String(place) : null });
  const remembered = useMemo(
    () => rows.flatMap((row) => record(row) ?? []).map((one) => ({ key: one.name, path: pathOf(one, environment) })),
    [rows, record, pathOf, environment],
  );
  return (
    <>
      <ListFilters
        search={kind.search}
        filters={filters}
        query={query}
        end={
          <>
            {total > 0 && <ExportMenu {...kind.exported} />}
            <TableOptions name={kind.tableName} columns={columns} />
          </>
        }
      />
      <RememberList section={section} items={remembered} />
      <DataTable
        label={kind.label}
        name={kind.tableName}
        columns={columns}
        rows={rows}
        rowId={({ id }) => String(id)}
        rowLabel={kind.labelOf}
        rowHref={hrefOf}
        rowActions={(row) =>
          buildRowActions(record(row), {
            environment,
            href: hrefOf(row),
            copyHref: kind.isCopied ? `${section}/manage?from=${row.id}` : null,
            pathOf,
            reviewOf: ({ id }) => reviewPath([{ family, ids: [id] }]),
            onRemove: (act) => {
              onRemove(act, row);
            },
          })
        }
        isDimmed={(row) => record(row)?.isDeleted === true}
        sort={query.sort}
        {...(hasSelection && { selection, isSelectable: (row: Row) => record(row)?.status === "STAGING" })}
        empty={<NothingListed {...{ kind, query, filters, unfiltered, creation }} />}
      />
      {total > 0 && (
        <Pagination
          first={first + 1}
          count={count}
          total={total}
          size={size}
          previousHref={first === 0 ? null : pageHref(Math.max(0, first - size))}
          nextHref={first + count < total ? pageHref(first + size) : null}
        />
      )}
      {hasSelection && (
        <SelectionBar selection={selection} total={matching === undefined ? null : total}>
          <LinkButton
            size="sm"
            variant="primary"
            href={reviewPath([{ family, ids: selection.isAll ? (matching ?? []) : selection.ids.map(Number) }])}
          >
            Publish selected
          </LinkButton>
        </SelectionBar>
      )}
    </>
  );
}
