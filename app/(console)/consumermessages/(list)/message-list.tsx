"use client";
import { MessagesSquare } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { useMemo, useState } from "react";
import { Button } from "@/app/_components/ui/button";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { LinkButton } from "@/app/_components/ui/link-button";
import { DataTable } from "@/app/_components/list/table/data-table";
import { ExportMenu } from "@/app/_components/list/export-menu";
import { FilterChips } from "@/app/_components/list/filter-chips";
import { FilterMenu } from "@/app/_components/list/filter-menu";
import { changeAddress } from "@/app/_components/list/list-address";
import { ListToolbar } from "@/app/_components/list/list-toolbar";
import { Pagination } from "@/app/_components/list/pagination";
import { SearchBox } from "@/app/_components/list/search-box";
import { SelectionBar } from "@/app/_components/list/table/selection-bar";
import { TableOptions } from "@/app/_components/list/table/table-options";
import { useSelection } from "@/app/_components/list/table/use-selection";
import { WaitingBar } from "@/app/_components/feedback/waiting-bar";
import type { MessageOverview, WaitingMessage } from "@/lib/messages/console-queries";
import type { MessagesPageQuery } from "@/lib/messages/console-schema";
import type { MessageRow } from "@/lib/messages/overview";
import { DeletionDialog } from "../deletion-dialog";
import { buildColumns } from "./message-columns";
import { listFilters, useChoices } from "./message-filters";
import { PromoteMessagesDialog } from "./promote-messages-dialog";
import { buildRowActions } from "./row-actions";

const mainLanguage = "en-us";
/** The filters; what chooses a view of the list stays. */
const cleared = { q: null, missing: null, use: null } as const;

/** The list with its filters, and what can be done with the rows. */
export function MessageList({
  rows,
  total,
  first,
  count,
  waiting,
  languages,
  query,
}: Readonly<MessageOverview & { query: MessagesPageQuery }>) {
  const pathname = usePathname();
  const parameters = useSearchParams();
  const selection = useSelection();
  const [promoted, setPromoted] = useState<readonly WaitingMessage[] | null>(null);
  const [deleted, setDeleted] = useState<MessageRow | null>(null);
  const { environment, size, sort } = query;
  const isStaging = environment === "staging";
  const languageId = query.lang ?? mainLanguage;
  const columns = useMemo(() => {
    const chosen = languages.find(({ id }) => id === languageId) ?? { id: languageId, name: languageId };
    return buildColumns(languages, chosen);
  }, [languages, languageId]);
  const languageChoices = languages.map(({ id, name }) => ({ value: id, label: `${name} · ${id}` }));
  const filters = listFilters(query, languages, (changes) => changeAddress(pathname, parameters, changes));
  const chosen = waiting.filter(({ id, isListed }) =>
    selection.isAll ? isListed : selection.ids.includes(String(id)),
  );
  const pageHref = (cursor: number) =>
    changeAddress(pathname, parameters, { cursor: cursor > 0 ? String(cursor) : null });

  return (
    <>
      <ListToolbar
        end={
          <>
            <ExportMenu path="/api/v1/ui/messages/export" csv="Table of texts (CSV)" json="Messages (JSON)" />
            <TableOptions name="messages" columns={columns} />
          </>
        }
      >
        <SearchBox label="Search names and texts" />
        <FilterMenu label="Missing in" parameter="missing" choices={languageChoices} />
        <FilterMenu label="Use" parameter="use" choices={useChoices} />
        <FilterMenu label="Show in" parameter="lang" choices={languageChoices} anyLabel="English (United States)" />
      </ListToolbar>
      <FilterChips filters={filters} clearHref={changeAddress(pathname, parameters, cleared)} />
      {isStaging && (
        <WaitingBar
          count={waiting.length}
          word="message"
          onPromote={() => {
            setPromoted(waiting);
          }}
        />
      )}
      <DataTable
        label="Consumer messages"
        name="messages"
        columns={columns}
        rows={rows}
        rowId={({ id }) => String(id)}
        rowLabel={({ category }) => category}
        rowHref={({ id }) => `/consumermessages/manage?id=${id}&environment=${environment}`}
        rowActions={(row) =>
          buildRowActions(row, {
            environment,
            onDelete: setDeleted,
            onPromote: () => {
              setPromoted(waiting.filter(({ id }) => id === row.id));
            },
          })
        }
        isDimmed={({ isDeleted }) => isDeleted}
        sort={sort}
        {...(isStaging ? { selection, isSelectable: ({ status }: MessageRow) => status === "STAGING" } : {})}
        empty={
          count === 0 ? (
            <EmptyState
              icon={MessagesSquare}
              title={isStaging ? "No messages yet" : "No messages in production"}
              action={
                isStaging && <LinkButton href="/consumermessages/manage?environment=staging">New message</LinkButton>
              }
            >
              {isStaging
                ? "Messages are the texts that head units show and speak: questions before data is used, notices, help. A new one is seen by vehicles after its promotion."
                : "Messages are written in staging; vehicles receive them after their promotion."}
            </EmptyState>
          ) : (
            <EmptyState
              icon={MessagesSquare}
              title="No message meets the filters"
              action={
                <LinkButton href={changeAddress(pathname, parameters, { ...cleared, state: null })}>
                  Clear filters
                </LinkButton>
              }
            >
              {filters.map(({ label, value }) => `${label}: ${value}`).join(" · ")}
            </EmptyState>
          )
        }
      />
      {isStaging && (
        <SelectionBar selection={selection} total={total}>
          <Button
            size="sm"
            variant="primary"
            disabled={chosen.length === 0}
            title={chosen.length === 0 ? "None of these waits for a promotion" : undefined}
            onClick={() => {
              setPromoted(chosen);
            }}
          >
            {chosen.length === 0 ? "Nothing to promote" : "Promote…"}
          </Button>
        </SelectionBar>
      )}
      {total > 0 && (
        <Pagination
          first={first + 1}
          count={rows.length}
          total={total}
          size={size}
          previousHref={first > 0 ? pageHref(Math.max(0, first - size)) : null}
          nextHref={first + rows.length < total ? pageHref(first + size) : null}
        />
      )}
      {promoted && (
        <PromoteMessagesDialog
          items={promoted}
          onPromoted={selection.clear}
          onClose={() => {
            setPromoted(null);
          }}
        />
      )}
      {deleted && (
        <DeletionDialog
          message={deleted}
          onClose={() => {
            setDeleted(null);
          }}
        />
      )}
    </>
  );
}
