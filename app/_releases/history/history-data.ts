import { type ItemKey, itemPath } from "@/lib/labels/release-items";

/** The route of an item's history. */
export function historyPath(item: ItemKey): string {
  return `/api/v1/history/${itemPath(item)}`;
}

/** One page of it; null: the newest. */
export function historyPagePath(item: ItemKey, cursor: number | null): string {
  return `${historyPath(item)}?limit=20${cursor === null ? "" : `&cursor=${cursor}`}`;
}
