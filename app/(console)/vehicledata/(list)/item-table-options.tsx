"use client";
import { itemColumns, itemTableName } from "@/app/(console)/vehicledata/(list)/item-columns";
import { TableOptions } from "@/app/_components/list/table/table-options";

/** Columns and density of the list of vehicle data. */
export function ItemTableOptions() {
  return <TableOptions name={itemTableName} columns={itemColumns} />;
}
