"use client";
import { Settings2 } from "lucide-react";
import { IconButton } from "@/app/_components/ui/icon-button";
import { LazyLayer } from "@/app/_components/overlay/lazy-layer";
import type { DataColumn } from "@/app/_components/list/table/data-column";

export interface TableOptionsProps {
  readonly name: string;
  /** What is read of them: nothing depends on the rows. */
  readonly columns: readonly Pick<DataColumn<never>, "id" | "header" | "isPrimary" | "isOptional" | "hiddenBelow">[];
}

const load = () => import("@/app/_components/list/table/table-options-layer").then((m) => m.TableOptionsLayer);

/** Chooses columns and the height of rows. Give it the `name` and `columns` of the table; put it into the toolbar. */
export function TableOptions(props: Readonly<TableOptionsProps>) {
  const trigger = <IconButton icon={Settings2} label="Columns and density" variant="secondary" />;
  return <LazyLayer popup="menu" trigger={trigger} load={load} props={props} />;
}
