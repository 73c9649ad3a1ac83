"use client";
import { ShieldPlus } from "lucide-react";
import { useSearchParams } from "next/navigation";
import type { ReactNode } from "react";
import { groupColumns } from "@/app/(console)/functionalgroups/(list)/group-columns";
import { levelOrder } from "@/app/(console)/functionalgroups/levels";
import { ExportMenu } from "@/app/_components/list/export-menu";
import { changeAddress } from "@/app/_components/list/list-address";
import { type ListFilter, ListFilters } from "@/app/_components/list/list-filters";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";
import { recordKinds } from "@/app/_records/kinds";
import type { ListedKind } from "@/app/_records/listed-kind";
import { RecordList } from "@/app/_records/record-list";
import type { GroupList as Listed } from "@/lib/content/groups/console-queries";
import type { GroupRow } from "@/lib/content/groups/console-rows";
import type { GroupListQuery } from "@/lib/content/groups/console-schema";
import { groupFilterNames } from "@/lib/content/groups/list-address";
import { grantKinds, groupGrants } from "@/lib/labels/group-flags";

const RemovalDialog = dialogOnDemand(() =>
  import("@/app/(console)/functionalgroups/removal-dialog").then((module) => module.RemovalDialog),
);

const kind: ListedKind<GroupRow> = {
  ...recordKinds.groups,
  description: "What apps may do. Each group allows RPCs at certain HMI levels, and apps are given groups.",
  icon: ShieldPlus,
  search: "Search groups, RPCs, parameters",
  exported: { path: "/api/v1/ui/groups/export", csv: "Table of RPCs (CSV)", json: "Groups (JSON)" },
  tableName: "groups",
  place: "after",
  record: (row) => row,
  labelOf: ({ name }) => name,
  isChosenByRow: true,
  nothing: {
    staging: {
      title: "No functional groups",
      text: "A group defines which RPCs apps may call, at which HMI levels, and whether the driver is asked first. Without groups, apps may do nothing.",
    },
    production: {
      title: "No functional groups in production",
      text: "You edit groups in staging. Vehicles receive them once they are published. Without groups, apps may do nothing.",
    },
  },
};

const filters: readonly ListFilter[] = [
  { label: "RPC", parameter: "rpc" },
  { label: "Parameter", parameter: "param" },
  {
    label: "Granted to",
    parameter: "grant",
    choices: grantKinds.map((kind) => ({ value: kind, label: groupGrants[kind].label })),
  },
  { label: "HMI level", parameter: "level", choices: levelOrder.map((level) => ({ value: level, label: level })) },
  {
    label: "Consent prompt",
    parameter: "prompt",
    choices: [
      { value: "with", label: "Asks the driver" },
      { value: "without", label: "Does not ask" },
    ],
  },
  { label: "Encryption", parameter: "encryption", choices: [{ value: "required", label: "Required" }] },
];

/** The groups of one environment; beside them the permissions that are in no group. */
export function GroupList({
  list,
  query,
  unmapped,
  panel,
}: Readonly<{
  list: Listed;
  query: GroupListQuery;
  /** How many permissions are in no group; null: that is not known. */
  unmapped: number | null;
  /** What stands in place of the list: those permissions, or the matrix. */
  panel: ReactNode;
}>) {
  const address = useSearchParams();
  // The matrix is of the groups that the filters let pass.
  const isMatrix = query.panel === undefined && query.view === "matrix";
  const isFiltered = groupFilterNames.some((name) => query[name] !== undefined);
  return (
    <RecordList
      kind={kind}
      query={query}
      columns={groupColumns}
      filters={filters}
      rows={list.rows}
      page={{ first: list.after, count: list.rows.length, total: list.total, unfiltered: list.unfiltered }}
      counts={list.counts}
      // Under filters the number would not be that of all.
      waiting={isFiltered ? 0 : list.counts.modified}
      tabs={[
        {
          label: "Unmapped permissions",
          href: changeAddress(kind.section, address, { panel: "unmapped", view: null }),
          isCurrent: query.panel === "unmapped",
          count: unmapped,
        },
        {
          label: "Coverage",
          href: changeAddress(kind.section, address, { panel: null, view: "matrix" }),
          isCurrent: isMatrix,
        },
      ]}
      panel={
        panel !== null && isMatrix ? (
          <>
            <ListFilters search={kind.search} filters={filters} query={query} end={<ExportMenu {...kind.exported} />} />
            {panel}
          </>
        ) : (
          panel
        )
      }
      renderRemoval={(group, isRestore, close) => <RemovalDialog {...{ group, isRestore }} onClose={close} />}
    />
  );
}
