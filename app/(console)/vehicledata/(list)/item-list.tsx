"use client";
import { CarFront } from "lucide-react";
import { useRouter, useSearchParams } from "next/navigation";
import { useMemo, useState, useTransition } from "react";
import { itemColumns, toRecord } from "@/app/(console)/vehicledata/(list)/item-columns";
import { TreeContext } from "@/app/(console)/vehicledata/(list)/tree-context";
import { changeAddress } from "@/app/_components/list/list-address";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";
import { recordKinds } from "@/app/_records/kinds";
import type { ListedKind } from "@/app/_records/listed-kind";
import { RecordList } from "@/app/_records/record-list";
import type { VehicleDataList } from "@/lib/content/vehicle-data/console-queries";
import type { VehicleDataRow } from "@/lib/content/vehicle-data/console-rows";
import type { VehicleDataListQuery } from "@/lib/content/vehicle-data/console-schema";
import { readOpenItems, toggleOpenItem } from "@/lib/content/vehicle-data/list-address";

const RemovalDialog = dialogOnDemand(() =>
  import("@/app/(console)/vehicledata/removal-dialog").then((module) => module.RemovalDialog),
);

const kind: ListedKind<VehicleDataRow> = {
  ...recordKinds.vehicleData,
  description: "Your own vehicle data. Functional groups can grant each item as a parameter of the vehicle data RPCs.",
  icon: CarFront,
  search: "Search names, keys, types",
  exported: { path: "/api/v1/ui/vehicle-data/export", csv: "Table of all nodes (CSV)", json: "Items (JSON)" },
  tableName: "vehicledata",
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
  /** Lines inside an open item that were closed. */
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
        // The place in the list stays: only what is inside of one line comes or goes.
        const next = changeAddress(kind.section, address, {
          item,
          after: query.after === 0 ? null : String(query.after),
        });
        startTransition(() => {
          router.replace(next, { scroll: false });
        });
      },
    };
  }, [query.item, query.after, environment, folded, address, router]);

  const types = new Set([...list.types, ...(query.type === "" ? [] : [query.type])]);
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
        rows={hideFolded(list.rows, folded)}
        page={{ first: list.after, count: list.shown, total: list.total, unfiltered: list.unfiltered }}
        counts={list.counts}
        waiting={list.waiting}
        renderRemoval={({ id, name, item }, isRestore, close) =>
          item && <RemovalDialog item={{ ...item, id, name }} isRestore={isRestore} onClose={close} />
        }
      />
    </TreeContext>
  );
}

/** The lines that are not inside a closed one; lines stand in the order of the tree. */
function hideFolded(rows: readonly VehicleDataRow[], folded: ReadonlySet<number>): readonly VehicleDataRow[] {
  let hiddenBelow = Infinity;
  return rows.filter((row) => {
    if (row.depth > hiddenBelow) return false;
    hiddenBelow = folded.has(row.id) ? row.depth : Infinity;
    return true;
  });
}
