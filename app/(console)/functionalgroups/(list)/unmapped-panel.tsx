"use client";
import { CircleCheck, FolderPlus, RefreshCw, CircleDashed } from "lucide-react";
import { useState } from "react";
import { Button } from "@/app/_components/ui/button";
import { LinkButton } from "@/app/_components/ui/link-button";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { DataTable } from "@/app/_components/list/table/data-table";
import { type ListFilter, ListFilters, type ListQuery, useActiveFilters } from "@/app/_components/list/list-filters";
import { SelectionBar } from "@/app/_components/list/table/selection-bar";
import { useSelection } from "@/app/_components/list/table/use-selection";
import { showDone } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";
import { parameterPath, permissionPath } from "@/app/(console)/rpcs/address";
import type { UncoveredPermission } from "@/lib/records/groups/coverage";
import { Link } from "@/app/_components/ui/link";
import { Breakable } from "@/app/_components/ui/breakable";
import { Chip } from "@/app/_components/ui/chip";
import type { DataColumn } from "@/app/_components/list/table/data-column";

const AddToGroupDialog = dialogOnDemand(() =>
  import("../add-to-group-dialog").then((module) => module.AddToGroupDialog),
);

const filters: readonly ListFilter[] = [
  {
    label: "Coverage",
    parameter: "unmapped",
    choices: [
      { value: "staging", label: "Unmapped in staging" },
      { value: "promote", label: "In staging, not published" },
    ],
  },
];

export function UnmappedPanel({
  permissions,
  groupNames,
  query,
}: Readonly<{
  permissions: readonly UncoveredPermission[];
  groupNames: readonly string[];
  query: ListQuery;
}>) {
  const selection = useSelection();
  const { active, clearHref } = useActiveFilters(filters, query);
  const [isAdding, setIsAdding] = useState(false);
  const update = useAction("/api/v1/permissions/update");
  const chosen = permissions.filter(({ name }) => selection.rows.has(name));
  const refresh = async () => {
    if (await update.tryRun()) showDone("Permissions refreshed from the app directory");
  };
  return (
    <>
      <p className="mb-3 max-w-prose text-muted">
        The app directory knows these RPCs and parameters, but no group allows them, so no app can use them. Permissions
        that are only in a staging group leave this list once the group is published.
      </p>
      <ListFilters
        search="Search permissions"
        filters={filters}
        query={query}
        end={
          <Button needsServer needs="edit" busy={update.isRunning} onClick={() => void refresh()}>
            <RefreshCw aria-hidden="true" />
            Refresh from app directory
          </Button>
        }
      />
      <DataTable
        label="Unmapped permissions"
        columns={unmappedColumns}
        rows={permissions}
        rowId={({ name }) => name}
        rowLabel={({ name }) => name}
        rowHref={pathOf}
        selection={selection}
        empty={
          active.length > 0 ? (
            <EmptyState
              title="No permission matches the filters"
              action={<LinkButton href={clearHref}>Clear filters</LinkButton>}
            />
          ) : (
            <EmptyState icon={CircleCheck} title="Every permission is in a group">
              A group can grant whatever apps request, in staging and in production.
            </EmptyState>
          )
        }
      />
      <SelectionBar selection={selection} total={null}>
        <Button size="sm" variant="primary" onClick={() => setIsAdding(true)}>
          <FolderPlus aria-hidden="true" />
          Add to group…
        </Button>
      </SelectionBar>
      {isAdding && chosen.length > 0 && (
        <AddToGroupDialog
          wanted={chosen}
          groupNames={groupNames}
          onClose={() => setIsAdding(false)}
          onAdded={selection.clear}
        />
      )}
    </>
  );
}

const requestersOf = ({ name }: Pick<UncoveredPermission, "name">) =>
  `/applications?state=all&perm=${encodeURIComponent(name)}`;

function pathOf({ name, type, parents }: UncoveredPermission): string {
  return (type === "RPC" ? permissionPath(name) : parameterPath(name, parents)) ?? requestersOf({ name });
}

function Mapped({ isMapped }: Readonly<{ isMapped: boolean }>) {
  return isMapped ? (
    <Chip tone="good" icon={CircleCheck}>
      In a group
    </Chip>
  ) : (
    <Chip tone="warn" icon={CircleDashed}>
      Unmapped
    </Chip>
  );
}

const unmappedColumns: readonly DataColumn<UncoveredPermission>[] = [
  {
    id: "name",
    header: "Permission",
    isPrimary: true,
    cell: ({ name, isReported }) => (
      <>
        <Breakable text={name} />
        {!isReported && (
          <span className="block text-xs font-normal text-muted">The app directory no longer reports it</span>
        )}
      </>
    ),
  },
  { id: "type", header: "Type", className: "w-28", cell: ({ type }) => (type === "RPC" ? "RPC" : "Parameter") },
  {
    id: "parents",
    header: "Belongs to",
    className: "max-w-96 text-muted",
    cell: ({ parents }) => (parents.length === 0 ? "–" : parents.join(", ")),
  },
  {
    id: "staging",
    header: "Staging",
    className: "w-32",
    cell: ({ isMapped }) => <Mapped isMapped={isMapped.staging} />,
  },
  {
    id: "production",
    header: "Production",
    className: "w-32",
    cell: ({ isMapped }) => <Mapped isMapped={isMapped.production} />,
  },
  {
    id: "apps",
    header: "Apps",
    className: "w-32",
    cell: ({ name }) => (
      <Link href={requestersOf({ name })} className="relative z-1">
        Requesting apps<span className="sr-only"> for {name}</span>
      </Link>
    ),
  },
];
