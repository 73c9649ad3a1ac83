import type { ItemKey } from "@/lib/releases/vocabulary";

/** The route of an item's history; the module config, which has no key, is the only one of its family. */
export function historyPath({ family, key }: ItemKey): string {
  return `/api/v1/history/${family}/${encodeURIComponent(key)}`;
}

/** One page of it; null: the newest. */
export function historyPagePath(item: ItemKey, cursor: number | null): string {
  return `${historyPath(item)}?limit=20${cursor === null ? "" : `&cursor=${cursor}`}`;
}
