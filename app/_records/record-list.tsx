import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { ExportMenu } from "@/app/_components/list/export-menu";
import { changeAddress } from "@/app/_components/list/list-address";
import { ListFilters } from "@/app/_components/list/list-filters";
import { RememberList } from "@/app/_components/list/list-memory";
import { Pagination } from "@/app/_components/list/pagination";
import { DataTable } from "@/app/_components/list/table/data-table";
import { SelectionBar } from "@/app/_components/list/table/selection-bar";
import { type Selection, useSelection } from "@/app/_components/list/table/use-selection";
import { type LinkTab, LinkTabs } from "@/app/_components/ui/link-tabs";
import { LinkButton } from "@/app/_components/ui/link-button";
import { PageHeader } from "@/app/_components/ui/page-header";
import type { RecordListProps } from "@/app/_records/listed-kind";
import { NothingListed } from "@/app/_records/nothing-listed";
import { PromoteButton } from "@/app/_records/promote-button";
import { buildRowActions, rowPath } from "@/app/_records/record-actions";
import { reviewPath } from "@/app/_releases/item-address";
import type { RecordState } from "@/lib/records/store/listing";

export function RecordList<Row extends { readonly id: number }>(props: Readonly<RecordListProps<Row>>) {
  const { kind, query, list, panel } = props;
  // Survives while a panel replaces the table.
  const selection = useSelection();
  const [asked, setAsked] = useState<{ readonly act: "delete" | "restore"; readonly row: Row } | null>(null);
  return (
    <>
      <PageHeader
        title={kind.label}
        helpHref={kind.helpHref}
        description={kind.description}
        actions={
          query.environment === "staging" && (
            <>
              {props.actions}
              {list.waiting > 0 && <PromoteButton href={reviewPath([{ family: kind.family }])} />}
              <LinkButton href={creationPath(kind.section)} variant="primary">
                New {kind.word}
              </LinkButton>
            </>
          )
        }
      />
      <StateTabs {...props} />
      {panel ?? <RecordTable {...props} selection={selection} onRemove={(act, row) => setAsked({ act, row })} />}
      {asked && props.renderRemoval(asked.row, asked.act === "restore", () => setAsked(null))}
    </>
  );
}

const creationPath = (section: string) => `${section}/manage?environment=staging`;

const states: readonly (readonly [state: RecordState, words: string])[] = [
  ["all", "All"],
  ["modified", "Not in production"],
  ["new", "New"],
  ["edited", "Modified"],
  ["deleted", "Deletion pending"],
  ["production", "In production"],
];

function StateTabs<Row extends { readonly id: number }>({
  kind: { section, word },
  query: { environment, state: current = "all" },
  list: { counts },
  panel,
  tabs = [],
}: Readonly<RecordListProps<Row>>) {
  const address = useSearchParams();
  const isStaging = environment === "staging";
  if (!isStaging && tabs.length === 0) return null;
  const shown = (isStaging ? states : states.slice(0, 1)).map(([state, label]): LinkTab => {
    const href = changeAddress(section, address, { state: state === "all" ? null : state, panel: null });
    return { label, href, isCurrent: !panel && (!isStaging || state === current), count: counts[state] };
  });
  return <LinkTabs label={`Views of the ${word}s`} tabs={[...shown, ...tabs]} />;
}

function RecordTable<Row extends { readonly id: number }>({
  kind,
  query,
  columns,
  filters,
  list: { rows, after: first, shown: count, total, unfiltered },
  matching,
  selection,
  onRemove,
}: Readonly<RecordListProps<Row> & { selection: Selection; onRemove: (act: "delete" | "restore", row: Row) => void }>) {
  const address = useSearchParams();
  const { section, family, record } = kind;
  const { environment, size } = query;
  const hasSelection = environment === "staging" && kind.isChosenByRow;
  const pageHref = (place: number) =>
    changeAddress(section, address, { [kind.place]: place > 0 ? String(place) : null });
  return (
    <>
      <ListFilters
        search={kind.search}
        filters={filters}
        query={query}
        end={total > 0 && <ExportMenu {...kind.exported} />}
      />
      <RememberList section={section} />
      <DataTable
        label={kind.label}
        columns={columns}
        rows={rows}
        rowId={({ id }) => String(id)}
        rowLabel={kind.labelOf}
        rowHref={(row) => rowPath(section, row, environment)}
        rowActions={(row) => buildRowActions(kind, environment, row, (act) => onRemove(act, row))}
        isDimmed={(row) => record(row)?.isDeleted === true}
        sort={query.sort}
        {...(hasSelection && { selection, isSelectable: (row: Row) => record(row)?.status === "STAGING" })}
        empty={<NothingListed {...{ kind, query, filters, unfiltered }} creation={creationPath(section)} />}
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
