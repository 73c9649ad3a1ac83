/** The list of custom vehicle data in the console: what its address can say. Without zod. */
import type { Environment } from "@/lib/labels/vocabulary";

/** The ids in `item`. */
export function readOpenItems(item: string): number[] {
  return item.split(",").flatMap((id) => (/^\d{1,15}$/.test(id) ? [Number(id)] : []));
}

/** `item` with one item opened or closed. */
export function toggleOpenItem(item: string, id: number): string {
  const open = readOpenItems(item);
  return (open.includes(id) ? open.filter((one) => one !== id) : [...open, id]).join(",");
}

/** Where one item is edited, or with `production` read; the id of something inside it leads to that. */
export function vehicleDataPath(id: number, environment: Environment): string {
  return `/vehicledata/manage?id=${id}&environment=${environment}`;
}
