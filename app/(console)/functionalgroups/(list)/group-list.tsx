"use client";
import { ShieldPlus, MessageCircleWarning, MessageSquare } from "lucide-react";
import { useSearchParams } from "next/navigation";
import type { ReactNode } from "react";
import { levelOrder } from "@/lib/records/groups/rules";
import { changeAddress } from "@/app/_components/list/list-address";
import type { ListFilter } from "@/app/_components/list/list-filters";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";
import { recordKinds } from "@/app/_records/kinds";
import type { ListedKind } from "@/app/_records/listed-kind";
import { RecordList } from "@/app/_records/record-list";
import type { GroupList as Listed } from "@/lib/records/groups/console-queries";
import type { GroupRow, PromptLink } from "@/lib/records/groups/console-rows";
import type { GroupListQuery } from "@/lib/records/groups/console-schema";
import { groupFilterNames } from "@/lib/records/groups/list-address";
import { grantKinds, groupGrants } from "@/lib/vocabulary/group-flags";
import { Link } from "@/app/_components/ui/link";
import { promptNotes } from "../prompt-notes";
import { Chip } from "@/app/_components/ui/chip";
import type { DataColumn } from "@/app/_components/list/table/data-column";
import { recordColumns } from "@/app/_records/record-columns";
import { Breakable } from "@/app/_components/ui/breakable";

const RemovalDialog = dialogOnDemand(() => import("../removal-dialog").then((module) => module.RemovalDialog));

const kind: ListedKind<GroupRow> = {
  ...recordKinds.groups,
  description: "What apps may do. Each group allows RPCs at certain HMI levels, and apps are given groups.",
  icon: ShieldPlus,
  search: "Search groups, RPCs, parameters",
  exported: { path: "/api/v1/ui/groups/export", csv: "Table of RPCs (CSV)", json: "Groups (JSON)" },
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

export function GroupList({
  list,
  query,
  unmapped,
  panel,
}: Readonly<{
  list: Listed;
  query: GroupListQuery;
  /** Null if unknown. */
  unmapped: number | null;
  panel: ReactNode;
}>) {
  const address = useSearchParams();
  const isFiltered = groupFilterNames.some((name) => query[name] !== undefined);
  return (
    <RecordList
      kind={kind}
      query={query}
      columns={groupColumns}
      filters={filters}
      list={isFiltered ? { ...list, waiting: 0 } : list}
      tabs={[
        {
          label: "Unmapped permissions",
          href: changeAddress(kind.section, address, { panel: "unmapped" }),
          isCurrent: query.panel === "unmapped",
          count: unmapped,
        },
      ]}
      panel={panel}
      renderRemoval={(group, isRestore, close) => <RemovalDialog {...{ group, isRestore }} onClose={close} />}
    />
  );
}

const groupColumns: readonly DataColumn<GroupRow>[] = [
  {
    id: "name",
    header: "Name",
    sortKey: "name",
    isPrimary: true,
    // Takes the remaining width.
    className: "w-full max-w-0 min-w-40",
    cell: (row) => (
      <>
        <Breakable text={row.name} />
        {row.description && (
          <span className="block truncate text-xs font-normal text-muted" title={row.description}>
            {row.description}
          </span>
        )}
        {row.foundCount > 0 && <Found row={row} />}
      </>
    ),
  },
  {
    id: "grants",
    header: "Granted to",
    className: "max-w-44",
    hiddenBelow: "lg",
    cell: ({ grants }) =>
      grants.length === 0 ? (
        <span className="whitespace-nowrap text-muted">On request</span>
      ) : (
        <span className="inline-flex flex-wrap gap-1">
          {grants.map((kind) => (
            <Chip key={kind} tone={kind === "default" ? "accent" : "plain"}>
              {groupGrants[kind].chip}
            </Chip>
          ))}
        </span>
      ),
  },
  { id: "rpcs", header: "RPCs", align: "end", className: "w-16 tabular-nums", cell: ({ rpcCount }) => rpcCount },
  {
    id: "parameters",
    header: "Parameters",
    align: "end",
    className: "w-24 tabular-nums",
    hiddenBelow: "xl",
    cell: ({ parameterCount }) => (parameterCount === 0 ? <span className="text-muted">–</span> : parameterCount),
  },
  {
    id: "prompt",
    header: "Consent prompt",
    className: "max-w-48",
    hiddenBelow: "lg",
    cell: ({ prompt }) => (prompt === null ? <span className="text-muted">–</span> : <Prompt prompt={prompt} />),
  },
  ...recordColumns<GroupRow>((row) => row),
];

function Prompt({ prompt: { category, id, state } }: Readonly<{ prompt: PromptLink }>) {
  const note = promptNotes[state];
  return (
    <span className="relative z-1 inline-flex max-w-full flex-wrap items-center gap-1.5">
      {id === null ? (
        <span className="truncate">{category}</span>
      ) : (
        <Link href={`/consumermessages/manage?id=${id}`} className="inline-flex min-w-0 gap-1">
          <MessageSquare aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
          <span className="truncate">{category}</span>
        </Link>
      )}
      {note && (
        <Chip tone={note.tone} icon={MessageCircleWarning}>
          {note.word}
        </Chip>
      )}
    </span>
  );
}

function Found({ row: { found, foundCount } }: Readonly<{ row: GroupRow }>) {
  const more = foundCount - found.length;
  return (
    <span className="block truncate text-xs font-normal text-muted">
      Holds <span className="font-medium text-text">{found.join(", ")}</span>
      {more > 0 && ` and ${more} more`}
    </span>
  );
}
