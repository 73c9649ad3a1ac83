"use client";
import { CircleCheck, CircleDashed, FolderPlus, RefreshCw } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useState } from "react";
import { Breakable } from "@/app/_components/ui/breakable";
import { Button } from "@/app/_components/ui/button";
import { Chip } from "@/app/_components/ui/chip";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import type { DataColumn } from "@/app/_components/list/table/data-column";
import { DataTable } from "@/app/_components/list/table/data-table";
import { FilterMenu } from "@/app/_components/list/filter-menu";
import { ListToolbar } from "@/app/_components/list/list-toolbar";
import { SearchBox } from "@/app/_components/list/search-box";
import { SelectionBar } from "@/app/_components/list/table/selection-bar";
import { useSelection } from "@/app/_components/list/table/use-selection";
import { showDone } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import type { UncoveredPermission } from "@/lib/groups/coverage";

const AddToGroupDialog = dynamic(
  () => import("@/app/(console)/functionalgroups/add-to-group-dialog").then((module) => module.AddToGroupDialog),
  { ssr: false },
);

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

const columns: readonly DataColumn<UncoveredPermission>[] = [
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
      <Link href={`/applications?state=all&perm=${encodeURIComponent(name)}`} prefetch={false} className="relative z-1">
        Apps asking<span className="sr-only"> for {name}</span>
      </Link>
    ),
  },
];

/** Permissions that no group contains, and how to put them into one. */
export function UnmappedPanel({
  permissions,
  groupNames,
  isFiltered,
}: Readonly<{
  permissions: readonly UncoveredPermission[];
  /** Groups in staging. */
  groupNames: readonly string[];
  isFiltered: boolean;
}>) {
  const selection = useSelection();
  const [isAdding, setIsAdding] = useState(false);
  const update = useAction("/api/v1/permissions/update");
  const chosen = permissions.filter(({ name }) => selection.rows.has(name));
  const refresh = async () => {
    if (await update.tryRun()) showDone("The permissions are those of the app directory");
  };
  return (
    <>
      <p className="mb-3 max-w-prose text-muted">
        The app directory knows these RPCs and parameters, but no group allows them: no app can use them, whatever it
        asks for. What is in a group in staging only is done once that group is promoted.
      </p>
      <ListToolbar
        end={
          <Button needsServer busy={update.isRunning} onClick={() => void refresh()}>
            <RefreshCw aria-hidden="true" />
            Refresh from app directory
          </Button>
        }
      >
        <SearchBox label="Search permissions" />
        <FilterMenu
          label="State"
          parameter="unmapped"
          choices={[
            { value: "staging", label: "Unmapped in staging" },
            { value: "promote", label: "In staging, not promoted" },
          ]}
        />
      </ListToolbar>
      <DataTable
        label="Unmapped permissions"
        name="unmapped"
        columns={columns}
        rows={permissions}
        rowId={({ name }) => name}
        rowLabel={({ name }) => name}
        selection={selection}
        empty={
          isFiltered ? (
            <EmptyState title="No permission passes this search" />
          ) : (
            <EmptyState icon={CircleCheck} title="Every permission is in a group">
              Whatever apps ask for can be granted by some group, in staging and in production.
            </EmptyState>
          )
        }
      />
      <SelectionBar selection={selection} total={null}>
        <Button
          size="sm"
          variant="primary"
          onClick={() => {
            setIsAdding(true);
          }}
        >
          <FolderPlus aria-hidden="true" />
          Add to group…
        </Button>
      </SelectionBar>
      {isAdding && chosen.length > 0 && (
        <AddToGroupDialog
          wanted={chosen}
          groupNames={groupNames}
          onClose={() => {
            setIsAdding(false);
          }}
          onAdded={selection.clear}
        />
      )}
    </>
  );
}
