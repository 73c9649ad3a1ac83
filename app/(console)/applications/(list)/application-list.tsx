"use client";
import { Ban, Copy, ExternalLink } from "lucide-react";
import dynamic from "next/dynamic";
import { useMemo, useState, type ReactNode } from "react";
import { Button } from "@/app/_components/ui/button";
import { DataTable } from "@/app/_components/list/table/data-table";
import { ExportMenu } from "@/app/_components/list/export-menu";
import { ListFilters } from "@/app/_components/list/list-filters";
import { SelectionBar } from "@/app/_components/list/table/selection-bar";
import { TableOptions } from "@/app/_components/list/table/table-options";
import { useSelection } from "@/app/_components/list/table/use-selection";
import type { MenuEntry } from "@/app/_components/overlay/menu-popup";
import { showDone, showProblem } from "@/app/_components/feedback/show-toast";
import type { ConsoleRow } from "@/lib/apps/applications/console/console-rows";
import type { ListChoices } from "@/lib/apps/applications/console/console-queries";
import type { ConsoleListQuery } from "@/lib/apps/applications/console/console-schema";
import { plural } from "@/lib/labels/format-number";
import { type ListRow, reviewColumns, stateColumns } from "./application-columns";
import { BlockDialog } from "./block-dialog";
import { buildFilters } from "./list-filters";
import { MoreFilters } from "./more-filters";

const BulkActions = dynamic(() => import("./bulk/bulk-actions").then((m) => m.BulkActions), { ssr: false });

/** A version should not wait longer for review. */
const timeoutMs = 7 * 86_400_000;

/** The table of apps with everything that acts on it. */
export function ApplicationList({
  rows,
  query,
  choices,
  total,
  now,
  children,
  empty,
}: Readonly<{
  rows: readonly ConsoleRow[];
  query: ConsoleListQuery;
  choices: ListChoices;
  /** Apps that meet the filters in this tab. */
  total: number;
  /** When the rows were read, in milliseconds since 1970. */
  now: number;
  /** What stands between the filters and the table. */
  children: ReactNode;
  empty: ReactNode;
}>) {
  const selection = useSelection();
  const [blocking, setBlocking] = useState<ConsoleRow | null>(null);
  const isReview = query.state === "review";
  const columns = isReview ? reviewColumns : stateColumns;
  const name = isReview ? "applications-review" : "applications";
  const listed = useMemo(
    () => rows.map((row): ListRow => ({ ...row, isOverdue: now - Date.parse(row.waitingSince) > timeoutMs })),
    [rows, now],
  );
  const counted = plural(total, "application");
  const files = {
    path: "/api/v1/ui/applications/export",
    csv: `${counted} as CSV`,
    json: `${counted} as JSON`,
  };

  const rowActions = ({ id, uuid, state }: ListRow): MenuEntry[] => [
    { label: "Open", icon: ExternalLink, href: `/applications/${id}` },
    { label: "Copy the UUID", icon: Copy, onSelect: () => void copy([uuid]) },
    ...(state === "BLOCKED"
      ? []
      : ([
          "separator",
          {
            label: "Block…",
            icon: Ban,
            danger: true,
            onSelect: () => {
              setBlocking(rows.find((row) => row.id === id) ?? null);
            },
          },
        ] satisfies MenuEntry[])),
  ];

  return (
    <>
      <ListFilters
        search="Search applications"
        searchHint="Name, vendor, UUID, permission…"
        filters={buildFilters(choices)}
        query={query}
        more={<MoreFilters />}
        end={
          <>
            {rows.length > 0 && <ExportMenu {...files} />}
            <TableOptions name={name} columns={columns} />
          </>
        }
      />
      {children}
      <DataTable
        label="Applications"
        name={name}
        columns={columns}
        rows={listed}
        rowId={({ uuid }) => uuid}
        rowLabel={(row) => row.name}
        rowHref={({ id }) => `/applications/${id}`}
        rowActions={rowActions}
        sort={query.sort}
        selection={selection}
        empty={empty}
      />
      <SelectionBar selection={selection} total={total}>
        <BulkActions selection={selection} state={query.state} />
        {selection.isAll ? (
          <ExportMenu {...files} trigger={<Button size="sm">Export</Button>} />
        ) : (
          <Button size="sm" onClick={() => void copy(selection.ids)}>
            <Copy aria-hidden="true" />
            Copy {selection.ids.length === 1 ? "the UUID" : `${selection.ids.length} UUIDs`}
          </Button>
        )}
      </SelectionBar>
      <BlockDialog
        row={blocking}
        onClose={() => {
          setBlocking(null);
        }}
      />
    </>
  );
}

async function copy(uuids: readonly string[]): Promise<void> {
  try {
    await navigator.clipboard.writeText(uuids.join("\n"));
    showDone(uuids.length === 1 ? "The UUID is copied" : `${uuids.length} UUIDs are copied`);
  } catch (error) {
    showProblem(error);
  }
}
