/** No zod, because the browser uses this too. */
import type { Environment } from "@/lib/vocabulary/terms";

export function readOpenItems(item: string): number[] {
  return item.split(",").flatMap((id) => (/^\d{1,15}$/.test(id) ? [Number(id)] : []));
}

export function toggleOpenItem(item: string, id: number): string {
  const open = readOpenItems(item);
  return (open.includes(id) ? open.filter((one) => one !== id) : [...open, id]).join(",");
}

/** Page that edits an item, or shows it with `production`. The id of a node leads to that node. */
export function vehicleDataPath(id: number, environment: Environment): string {
  return `/vehicledata/manage?id=${id}&environment=${environment}`;
}
