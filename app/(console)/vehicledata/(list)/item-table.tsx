"use client";
import { Copy, Eye, Pencil, Trash2, Undo2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useMemo, useState, useTransition } from "react";
import { itemColumns, itemTableName } from "@/app/(console)/vehicledata/(list)/item-columns";
import { NothingListed } from "@/app/(console)/vehicledata/(list)/nothing-listed";
import { TreeContext } from "@/app/(console)/vehicledata/(list)/tree-context";
import { DataTable } from "@/app/_components/list/table/data-table";
import { changeAddress } from "@/app/_components/list/list-address";
import { Pagination } from "@/app/_components/list/pagination";
import type { MenuEntry } from "@/app/_components/overlay/menu-layer";
import { WaitingBar } from "@/app/_components/feedback/waiting-bar";
import type { VehicleDataList } from "@/lib/vehicle-data/console-queries";
import type { VehicleDataRow } from "@/lib/vehicle-data/console-rows";
import {
  readOpenItems,
  toggleOpenItem,
  vehicleDataPath,
  type VehicleDataListQuery,
} from "@/lib/vehicle-data/list-address";

const PromoteDialog = dynamic(
  () => import("@/app/(console)/vehicledata/promote-dialog").then((module) => module.PromoteDialog),
  { ssr: false },
);
const RemovalDialog = dynamic(
  () => import("@/app/(console)/vehicledata/removal-dialog").then((module) => module.RemovalDialog),
  { ssr: false },
);

type Act =
  | { readonly kind: "promote" }
  | {
      readonly kind: "delete" | "restore";
      readonly item: { readonly id: number; readonly name: string } & NonNullable<VehicleDataRow["item"]>;
    };

/** The items of the page as a tree, with what can be done with them. */
export function ItemTable({
  list,
  query,
  address,
}: Readonly<{ list: VehicleDataList; query: VehicleDataListQuery; address: string }>) {
  const router = useRouter();
  const [act, setAct] = useState<Act | null>(null);
  const [, startTransition] = useTransition();
  /** Lines inside an open item that were closed. */
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const { environment } = query;
  const isStaging = environment === "staging";
  const href = (changes: Readonly<Record<string, string | null>>) => changeAddress("/vehicledata", address, changes);
  const close = () => {
    setAct(null);
  };

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
        const next = changeAddress("/vehicledata", address, {
          item,
          after: query.after === 0 ? null : String(query.after),
        });
        startTransition(() => {
          router.replace(next, { scroll: false });
        });
      },
    };
  }, [query.item, query.after, environment, folded, address, router]);

  function listActions(row: VehicleDataRow): MenuEntry[] {
    const { item } = row;
    const path = vehicleDataPath(row.id, environment);
    const copy: MenuEntry = { label: "Duplicate", icon: Copy, href: `/vehicledata/manage?from=${row.rootId}` };
    if (!isStaging)
      return item ? [{ label: "View", icon: Eye, href: path }, copy] : [{ label: "View", icon: Eye, href: path }];
    if (item === null) return [{ label: "Edit", icon: Pencil, href: path }];
    const act = { ...item, id: row.id, name: row.name };
    if (item.isDeleted) {
      const restore = () => {
        setAct({ kind: "restore", item: act });
      };
      return [
        { label: "View", icon: Eye, href: path },
        { label: "Restore…", icon: Undo2, onSelect: restore },
      ];
    }
    const remove = () => {
      setAct({ kind: "delete", item: act });
    };
    return [
      { label: "Edit", icon: Pencil, href: path },
      copy,
      "separator",
      { label: "Delete…", icon: Trash2, danger: true, onSelect: remove },
    ];
  }

  return (
    <TreeContext value={tree}>
      {isStaging && (
        <WaitingBar
          count={list.pending.length}
          word="item"
          onPromote={() => {
            setAct({ kind: "promote" });
          }}
        >
          Vehicle data is promoted all together.
        </WaitingBar>
      )}
      <DataTable
        label="Custom vehicle data"
        name={itemTableName}
        columns={itemColumns}
        rows={hideFolded(list.rows, folded)}
        rowId={(row) => String(row.id)}
        rowLabel={(row) => row.name}
        rowHref={(row) => vehicleDataPath(row.id, environment)}
        rowActions={listActions}
        isDimmed={(row) => row.item?.isDeleted === true}
        sort={query.sort}
        empty={<NothingListed list={list} query={query} clearHref={href({ q: null, type: null, use: null })} />}
      />
      {list.total > 0 && (
        <Pagination
          first={list.after + 1}
          count={list.shown}
          total={list.total}
          size={query.size}
          previousHref={list.after === 0 ? null : href({ after: String(Math.max(0, list.after - query.size)) })}
          nextHref={list.after + list.shown < list.total ? href({ after: String(list.after + query.size) }) : null}
        />
      )}
      {act?.kind === "promote" && <PromoteDialog items={list.pending} onClose={close} />}
      {(act?.kind === "delete" || act?.kind === "restore") && (
        <RemovalDialog item={act.item} isRestore={act.kind === "restore"} onClose={close} />
      )}
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
