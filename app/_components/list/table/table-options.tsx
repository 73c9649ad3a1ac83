"use client";
import { Settings2 } from "lucide-react";
import { IconButton } from "@/app/_components/ui/icon-button";
import { LazyLayer } from "@/app/_components/overlay/lazy-layer";
import type { TableOptionsProps } from "@/app/_components/list/table/table-options-layer";

const load = () => import("@/app/_components/list/table/table-options-layer").then((m) => m.TableOptionsLayer);

/** Chooses columns and the height of rows. Give it the `name` and `columns` of the table; put it into the toolbar. */
export function TableOptions(props: Readonly<TableOptionsProps>) {
  const trigger = <IconButton icon={Settings2} label="Columns and density" variant="secondary" />;
  return <LazyLayer popup="menu" trigger={trigger} load={load} props={props} />;
}
