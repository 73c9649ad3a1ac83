import { ChevronRight } from "lucide-react";
import { Link } from "@/app/_components/ui/link";
import type { CSSProperties } from "react";
import { useTreeFacts } from "@/app/(console)/vehicledata/(list)/tree-context";
import { cn } from "@/app/_components/ui/cn";
import type { DataColumn } from "@/app/_components/list/table/data-column";
import type { ListedRecord } from "@/app/_records/listed-kind";
import { recordColumns } from "@/app/_records/record-columns";
import type { ItemFacts, VehicleDataRow } from "@/lib/content/vehicle-data/console-rows";
import { formatNumber } from "@/lib/labels/format-number";

/** An item as a record of any family; what is inside of one is none. */
export function toRecord({ id, name, item }: VehicleDataRow): ListedRecord | null {
  return item && { ...item, id, name };
}

export const itemColumns: readonly DataColumn<VehicleDataRow>[] = [
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
  const { isOpen, toggle } = useTreeFacts();
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
          onClick={() => {
            toggle(row);
          }}
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
  const { environment } = useTreeFacts();
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
