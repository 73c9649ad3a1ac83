"use client";
import { CarFront, ChevronRight } from "lucide-react";
import { useRouter, useSearchParams } from "next/navigation";
import { useMemo, useState, useTransition, type CSSProperties, createContext, use } from "react";
import { changeAddress } from "@/app/_components/list/list-address";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";
import { recordKinds } from "@/app/_records/kinds";
import type { ListedKind } from "@/app/_records/listed-kind";
import type { ListedRecord } from "@/lib/records/store/listing";
import { RecordList } from "@/app/_records/record-list";
import type { VehicleDataList } from "@/lib/records/vehicle-data/console-queries";
import type { ItemFacts, VehicleDataRow } from "@/lib/records/vehicle-data/console-rows";
import type { VehicleDataListQuery } from "@/lib/records/vehicle-data/console-schema";
import { readOpenItems, toggleOpenItem } from "@/lib/records/vehicle-data/list-address";
import { Link } from "@/app/_components/ui/link";
import { cn } from "@/app/_components/ui/cn";
import type { DataColumn } from "@/app/_components/list/table/data-column";
import { recordColumns } from "@/app/_records/record-columns";
import { formatNumber } from "@/lib/vocabulary/format-number";
import type { Environment } from "@/lib/vocabulary/terms";

const RemovalDialog = dialogOnDemand(() => import("../removal-dialog").then((module) => module.RemovalDialog));

const kind: ListedKind<VehicleDataRow> = {
  ...recordKinds.vehicleData,
  description: "Your own vehicle data. Functional groups can grant each item as a parameter of the vehicle data RPCs.",
  icon: CarFront,
  search: "Search names, keys, types",
  exported: { path: "/api/v1/ui/vehicle-data/export", csv: "Table of all nodes (CSV)", json: "Items (JSON)" },
  place: "after",
  record: toRecord,
  labelOf: ({ name }) => name,
  isChosenByRow: false,
  nothing: {
    staging: {
      title: "No custom vehicle data",
      text: (
        <>
          In addition to native vehicle data such as <code className="font-mono text-xs">speed</code>, a vehicle can
          offer data of its manufacturer: for example a struct <code className="font-mono text-xs">cabinScent</code>{" "}
          with a <code className="font-mono text-xs">level</code> from 0 to 10. Groups then grant it to apps.
        </>
      ),
    },
    production: {
      title: "No custom vehicle data in production",
      text: "You edit items in staging. Vehicles receive them once they are published.",
    },
  },
};

export function ItemList({ list, query }: Readonly<{ list: VehicleDataList; query: VehicleDataListQuery }>) {
  const router = useRouter();
  const address = useSearchParams();
  const [, startTransition] = useTransition();
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const { environment } = query;

  const tree = useMemo(() => {
    const open = new Set(readOpenItems(query.item));
    return {
      environment,
      isOpen: (row: VehicleDataRow) => (row.depth === 0 ? open.has(row.id) : !folded.has(row.id)),
      toggle: (row: VehicleDataRow) => {
        if (row.depth > 0) {
          const next = new Set(folded);
          if (!next.delete(row.id)) next.add(row.id);
          setFolded(next);
          return;
        }
        const item = toggleOpenItem(query.item, row.id);
        // Keeps the place in the list: only lines inside an item come or go.
        const after = query.after === 0 ? null : String(query.after);
        startTransition(() => router.replace(changeAddress(kind.section, address, { item, after }), { scroll: false }));
      },
    };
  }, [query.item, query.after, environment, folded, address, router]);

  const types = new Set([...list.types, ...(query.type === undefined ? [] : [query.type])]);
  return (
    <TreeContext value={tree}>
      <RecordList
        kind={kind}
        query={query}
        columns={itemColumns}
        filters={[
          { label: "Type", parameter: "type", choices: [...types].map((type) => ({ value: type, label: type })) },
          { label: "Use", parameter: "use", choices: [{ value: "unused", label: "Used by no group" }] },
        ]}
        list={{ ...list, rows: hideFolded(list.rows, folded) }}
        renderRemoval={({ id, name, item }, isRestore, close) =>
          item && <RemovalDialog item={{ ...item, id, name }} isRestore={isRestore} onClose={close} />
        }
      />
    </TreeContext>
  );
}

function hideFolded(rows: readonly VehicleDataRow[], folded: ReadonlySet<number>): readonly VehicleDataRow[] {
  let hiddenBelow = Infinity;
  return rows.filter((row) => {
    if (row.depth > hiddenBelow) return false;
    hiddenBelow = folded.has(row.id) ? row.depth : Infinity;
    return true;
  });
}

function toRecord({ id, name, item }: VehicleDataRow): ListedRecord | null {
  return item && { ...item, id, name };
}

const itemColumns: readonly DataColumn<VehicleDataRow>[] = [
  {
    id: "name",
    header: "Name",
    sortKey: "name",
    isPrimary: true,
    className: "md:max-w-64 2xl:max-w-96",
    before: (row) => <Fold row={row} />,
    cell: (row) => <Name row={row} />,
  },
  {
    id: "type",
    header: "Type",
    className: "md:max-w-40 2xl:max-w-64",
    cell: ({ type, isArray, nested }) => (
      <span className="block truncate" title={type}>
        {type}
        {isArray && <span className="text-muted"> list</span>}
        {nested > 0 && <span className="text-muted tabular-nums"> · {formatNumber(nested)} inside</span>}
      </span>
    ),
  },
  {
    id: "key",
    header: "Key",
    hiddenBelow: "lg",
    className: "md:max-w-36 2xl:max-w-72",
    cell: ({ key }) => (
      <code className="block truncate font-mono text-xs text-muted" title={key}>
        {key}
      </code>
    ),
  },
  {
    id: "limits",
    header: "Range",
    hiddenBelow: "lg",
    className: "md:max-w-36 tabular-nums 2xl:max-w-64",
    cell: ({ limits }) => (limits === "" ? null : limits),
  },
  {
    id: "use",
    header: "Used by",
    hiddenBelow: "lg",
    className: "whitespace-nowrap md:max-w-32",
    cell: ({ item, name }) => item && <Use usedBy={item.usedBy} name={name} />,
  },
  ...recordColumns(toRecord, ({ isMandatory }) => isMandatory && <span className="text-muted">mandatory</span>),
];

function Fold({ row }: Readonly<{ row: VehicleDataRow }>) {
  const { isOpen, toggle } = use(TreeContext);
  const open = isOpen(row);
  return (
    <span
      className="flex shrink-0 pl-[calc(var(--depth)*0.5rem)] md:pl-[calc(var(--depth)*0.875rem)] 2xl:pl-[calc(var(--depth)*1.25rem)]"
      style={{ "--depth": row.depth } as CSSProperties}
    >
      {row.nested > 0 ? (
        <button
          type="button"
          aria-expanded={open}
          aria-label={`What is inside ${row.name}`}
          className="relative z-1 mr-1 -ml-1 grid size-6 place-items-center rounded-control text-muted hover:bg-active hover:text-text pointer-coarse:size-11"
          onClick={() => toggle(row)}
        >
          <ChevronRight aria-hidden="true" className={cn("size-4 transition-transform", open && "rotate-90")} />
        </button>
      ) : (
        <span aria-hidden="true" className="mr-1 -ml-1 w-6 pointer-coarse:w-11" />
      )}
    </span>
  );
}

function Name({ row }: Readonly<{ row: VehicleDataRow }>) {
  const found = row.item?.foundInside ?? 0;
  return (
    <>
      <span
        title={row.name}
        className={cn("block truncate", row.depth > 0 && "font-normal", row.isFound && "font-semibold")}
      >
        {row.depth > 0 && <span className="sr-only">{`Level ${row.depth + 1}: `}</span>}
        {row.name}
      </span>
      {found > 0 && <span className="block text-xs font-normal text-muted">{found} match inside</span>}
    </>
  );
}

function Use({ usedBy, name }: Readonly<{ usedBy: ItemFacts["usedBy"]; name: string }>) {
  const { environment } = use(TreeContext);
  const [first] = usedBy;
  if (first === undefined) {
    return (
      <span className="text-muted" title="No functional group grants it">
        <span aria-hidden="true">–</span>
        <span className="sr-only">no group</span>
      </span>
    );
  }
  const href =
    usedBy.length === 1
      ? `/functionalgroups/manage?id=${first.id}&environment=${environment}`
      : `/functionalgroups?environment=${environment}&param=${encodeURIComponent(name)}`;
  return (
    <Link
      href={href}
      title={usedBy.map((group) => group.name).join(", ")}
      className="relative z-1 inline-block max-w-full truncate align-middle"
    >
      {usedBy.length === 1 ? first.name : `${formatNumber(usedBy.length)} groups`}
    </Link>
  );
}

interface TreeFacts {
  readonly environment: Environment;
  readonly isOpen: (row: VehicleDataRow) => boolean;
  readonly toggle: (row: VehicleDataRow) => void;
}

const TreeContext = createContext<TreeFacts>({
  environment: "staging",
  isOpen: () => false,
  toggle: () => undefined,
});
