"use client";
import { Ban, Copy, ExternalLink, ListChecks, ListFilter as FilterIcon } from "lucide-react";
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
import { riskTitles } from "@/lib/vocabulary/risk";
import { plural } from "@/lib/vocabulary/format-number";
import { type ListRow, reviewColumns, stateColumns } from "./application-columns";
import type { FilterChoice } from "@/app/_components/list/filter-menu";
import { choicesOf, type FilterChoices, filterLabels, moreMenus, moreFilters } from "./filter-labels";
import { useSearchParams, useRouter } from "next/navigation";
import { buttonClass } from "@/app/_components/ui/button-class";
import { cn } from "@/app/_components/ui/cn";
import { dialogOnDemand, overlay } from "@/app/_components/overlay/on-demand";
import { useAction } from "@/app/_components/hooks/use-action";
import { buildActionBody, decidedState } from "@/lib/apps/applications/decisions";
import { DecisionDialog } from "../decision-dialog";

const MoreFiltersDialog = overlay<{ readonly menus: readonly FilterChoices[] }>(() =>
  import("./more-filters-dialog").then((m) => m.MoreFiltersDialog),
);

const BulkActions = dynamic(() => import("./bulk/bulk-actions").then((m) => m.BulkActions), { ssr: false });

const ReviewPanel = dialogOnDemand(() => import("./review/review-panel").then((m) => m.ReviewPanel));

/** Longest time that a version should wait for review. */
const timeoutMs = 7 * 86_400_000;

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
  total: number;
  /** Milliseconds since 1970. */
  now: number;
  children: ReactNode;
  empty: ReactNode;
}>) {
  const selection = useSelection();
  const [blocking, setBlocking] = useState<ConsoleRow | null>(null);
  const isReview = query.state === "review";
  // The apps when the panel was opened: decided apps leave the list while the panel goes on.
  const [reviewing, setReviewing] = useState<{ readonly apps: readonly ConsoleRow[]; readonly start: number } | null>(
    null,
  );
  const review = (start: number) => setReviewing({ apps: rows, start: Math.max(0, start) });
  const columns = isReview ? reviewColumns : stateColumns;
  const name = isReview ? "applications-review" : "applications";
  const listed = useMemo(
    () => rows.map((row): ListRow => ({ ...row, isOverdue: now - Date.parse(row.waitingSince) > timeoutMs })),
    [rows, now],
  );
  const filters = buildFilters(choices, isReview);
  const counted = plural(total, "application");
  const files = {
    path: "/api/v1/ui/applications/export",
    csv: `${counted} as CSV`,
    json: `${counted} as JSON`,
  };

  const rowActions = ({ id, uuid, state }: ListRow): MenuEntry[] => [
    ...(isReview
      ? [{ label: "Review", icon: ListChecks, onSelect: () => review(rows.findIndex((row) => row.id === id)) }]
      : []),
    { label: "Open", icon: ExternalLink, href: `/applications/${id}` },
    { label: "Copy UUID", icon: Copy, onSelect: () => void copy([uuid]) },
    ...(state === "BLOCKED"
      ? []
      : ([
          "separator",
          {
            label: "Block…",
            icon: Ban,
            danger: true,
            onSelect: () => setBlocking(rows.find((row) => row.id === id) ?? null),
          },
        ] satisfies MenuEntry[])),
  ];

  return (
    <>
      <ListFilters
        search="Search applications"
        searchHint="Name, vendor, UUID, permission…"
        filters={filters}
        query={query}
        isFolded
        more={<MoreFilters menus={filters.filter(({ hasMenu }) => hasMenu)} />}
        end={
          <>
            {isReview && rows.length > 0 && (
              <Button title="Look at one app after the other" onClick={() => review(0)}>
                <ListChecks aria-hidden="true" />
                Review
              </Button>
            )}
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
      {reviewing !== null && <ReviewPanel {...reviewing} onClose={() => setReviewing(null)} />}
      <BlockDialog row={blocking} onClose={() => setBlocking(null)} />
    </>
  );
}

async function copy(uuids: readonly string[]): Promise<void> {
  try {
    await navigator.clipboard.writeText(uuids.join("\n"));
    showDone(uuids.length === 1 ? "UUID copied" : `${uuids.length} UUIDs copied`);
  } catch (error) {
    showProblem(error);
  }
}

function buildFilters({ platforms, categories }: ListChoices, isReview: boolean) {
  const menus = new Map<string, readonly FilterChoice[]>([
    ["gains", choicesOf(riskTitles)],
    ["platform", platforms.map((value) => ({ value, label: value }))],
    ["category", categories.map(({ id, name }) => ({ value: String(id), label: name }))],
  ]);
  return Object.entries(filterLabels)
    .filter(([parameter]) => parameter !== "q")
    .map(([parameter, label]) => ({
      label,
      parameter,
      choices: menus.get(parameter) ?? moreMenus.find((menu) => menu.parameter === parameter)?.choices ?? [],
      hasMenu: (menus.get(parameter) ?? []).length > 0 && (isReview || parameter !== "gains"),
    }));
}

function MoreFilters({ menus }: Readonly<{ menus: readonly FilterChoices[] }>) {
  const query = useSearchParams();
  const isOn = moreFilters.some((name) => query.has(name));
  const trigger = (
    <button
      type="button"
      className={cn(buttonClass(), "font-normal", isOn && "border-accent-line bg-accent-soft hover:bg-accent-soft")}
    >
      <FilterIcon aria-hidden="true" className="text-muted" />
      <span className={cn("inline-block first-letter:uppercase", !isOn && "text-muted")}>
        <span className="max-sm:sr-only">More</span> filters
      </span>
    </button>
  );
  return <MoreFiltersDialog trigger={trigger} menus={menus} />;
}

const question = { next: decidedState("block"), reason: "" };

function BlockDialog({ row, onClose }: Readonly<{ row: ConsoleRow | null; onClose: () => void }>) {
  const router = useRouter();
  const { run } = useAction("/api/v1/applications/action");
  // Keeps the texts while the dialog closes.
  const [shown, setShown] = useState(row);
  if (row !== null && row !== shown) setShown(row);
  if (shown === null || shown.state === "BLOCKED") return null;
  const { id, uuid, name, version, versionId, state } = shown;
  return (
    <DecisionDialog
      open={row !== null}
      question={question}
      subject={{
        ...{ id, name, status: state, isBlocked: false },
        versions: [{ id, versionId, developerVersion: null, approvalStatus: state, label: version }],
      }}
      onSend={async (next, reason) => {
        await run(buildActionBody({ id, uuid, version_id: versionId }, next, reason));
        showDone(`${name} is blocked`, {
          label: "Revert…",
          onClick: () => router.push(`/applications/${id}?restore=${state}`),
        });
      }}
      onOpenChange={onClose}
    />
  );
}
