"use client";
import { Copy, Eye, Pencil, Rocket, ShieldPlus, Trash2, Undo2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { clearedPath, listActiveFilters } from "@/app/(console)/functionalgroups/(list)/active-filters";
import { groupColumns, groupTableName } from "@/app/(console)/functionalgroups/(list)/group-columns";
import { Button } from "@/app/_components/ui/button";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { LinkButton } from "@/app/_components/ui/link-button";
import { DataTable } from "@/app/_components/list/table/data-table";
import { Pagination } from "@/app/_components/list/pagination";
import { SelectionBar } from "@/app/_components/list/table/selection-bar";
import { useSelection } from "@/app/_components/list/table/use-selection";
import type { MenuEntry } from "@/app/_components/overlay/menu-layer";
import type { GroupList } from "@/lib/groups/console-queries";
import type { GroupRow } from "@/lib/groups/console-rows";
import { buildGroupListPath, type GroupListQuery, groupPath } from "@/lib/groups/list-address";

const PromoteGroupsDialog = dynamic(
  () => import("@/app/(console)/functionalgroups/promote-groups-dialog").then((module) => module.PromoteGroupsDialog),
  { ssr: false },
);
const RemovalDialog = dynamic(
  () => import("@/app/(console)/functionalgroups/removal-dialog").then((module) => module.RemovalDialog),
  { ssr: false },
);

/** Which groups a dialog is about. */
type Act =
  | { readonly kind: "promote"; readonly ids: readonly number[] | null }
  | { readonly kind: "delete" | "restore"; readonly group: GroupRow };

/** The groups of the page with what can be done with them. */
export function GroupTable({ list, query }: Readonly<{ list: GroupList; query: GroupListQuery }>) {
  const selection = useSelection();
  const [act, setAct] = useState<Act | null>(null);
  const { environment } = query;
  const isStaging = environment === "staging";
  const { modified } = list.counts;
  // Under filters the number would not be that of all.
  const isFiltered = listActiveFilters(query).length > 0;
  const close = () => {
    setAct(null);
  };

  function listActions(row: GroupRow): MenuEntry[] {
    const copy: MenuEntry = { label: "Duplicate", icon: Copy, href: `/functionalgroups/manage?from=${row.id}` };
    if (!isStaging) {
      const edit = { label: "Edit in staging", icon: Pencil, href: groupPath({ name: row.name }, "staging") };
      return [{ label: "View", icon: Eye, href: groupPath(row, "production") }, edit, copy];
    }
    return [
      { label: row.isDeleted ? "View" : "Edit", icon: row.isDeleted ? Eye : Pencil, href: groupPath(row, "staging") },
      ...(row.isDeleted ? [] : [copy]),
      {
        label: "Promote…",
        icon: Rocket,
        disabledReason: row.status === "STAGING" ? null : "It is in production as it is",
        onSelect: () => {
          setAct({ kind: "promote", ids: [row.id] });
        },
      },
      "separator",
      row.isDeleted
        ? {
            label: "Restore…",
            icon: Undo2,
            onSelect: () => {
              setAct({ kind: "restore", group: row });
            },
          }
        : {
            label: "Delete…",
            icon: Trash2,
            danger: true,
            onSelect: () => {
              setAct({ kind: "delete", group: row });
            },
          },
    ];
  }

  return (
    <>
      {isStaging && modified > 0 && !isFiltered && (
        <div className="mb-3 flex flex-wrap items-center gap-3 rounded-card border border-warn-line bg-warn-soft px-3 py-2 text-table">
          <span className="min-w-0 grow">
            <strong className="font-semibold">
              {modified === 1 ? "1 group is not in production" : `${modified} groups are not in production`}
            </strong>{" "}
            as saved here.
          </span>
          <Button
            size="sm"
            variant="primary"
            onClick={() => {
              setAct({ kind: "promote", ids: null });
            }}
          >
            <Rocket aria-hidden="true" />
            Promote all…
          </Button>
        </div>
      )}
      <DataTable
        label="Functional groups"
        name={groupTableName}
        columns={groupColumns}
        rows={list.rows}
        rowId={(row) => String(row.id)}
        rowLabel={(row) => row.name}
        rowHref={(row) => groupPath(row, environment)}
        rowActions={listActions}
        isDimmed={(row) => row.isDeleted}
        sort={query.sort}
        {...(isStaging ? { selection, isSelectable: ({ status }: GroupRow) => status === "STAGING" } : {})}
        empty={<NoGroups list={list} query={query} />}
      />
      {list.total > 0 && (
        <Pagination
          first={list.after + 1}
          count={list.rows.length}
          total={list.total}
          size={query.size}
          previousHref={
            list.after === 0 ? null : buildGroupListPath(query, { after: Math.max(0, list.after - query.size) })
          }
          nextHref={
            list.after + list.rows.length < list.total
              ? buildGroupListPath(query, { after: list.after + query.size })
              : null
          }
        />
      )}
      {isStaging && (
        <SelectionBar selection={selection} total={null}>
          <Button
            size="sm"
            onClick={() => {
              setAct({ kind: "promote", ids: selection.ids.map(Number) });
            }}
          >
            <Rocket aria-hidden="true" />
            Promote…
          </Button>
        </SelectionBar>
      )}
      {act?.kind === "promote" && <PromoteGroupsDialog ids={act.ids} onClose={close} onPromoted={selection.clear} />}
      {(act?.kind === "delete" || act?.kind === "restore") && (
        <RemovalDialog group={act.group} isRestore={act.kind === "restore"} onClose={close} />
      )}
    </>
  );
}

function NoGroups({ list, query }: Readonly<{ list: GroupList; query: GroupListQuery }>) {
  const filters = listActiveFilters(query);
  if (filters.length > 0) {
    return (
      <EmptyState
        icon={ShieldPlus}
        title="No group passes these filters"
        action={<LinkButton href={clearedPath(query)}>Clear filters</LinkButton>}
      >
        {filters.map(({ label, value }) => `${label}: ${value}`).join(" · ")}
      </EmptyState>
    );
  }
  if (query.state !== "all" && list.unfiltered > 0) {
    return (
      <EmptyState title={query.state === "modified" ? "Everything is in production" : "No group is in this state"}>
        Staging and production hold the same {query.state === "modified" ? "groups" : "here"}.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={ShieldPlus}
      title="No functional groups"
      action={
        query.environment === "staging" && (
          <LinkButton href="/functionalgroups/manage?environment=staging" variant="primary">
            New group
          </LinkButton>
        )
      }
    >
      A group says which RPCs apps may call, at which HMI levels, and what the driver is asked before. Without groups no
      app may do anything.
    </EmptyState>
  );
}
