import type { ItemKey } from "@/lib/content/releases/vocabulary";

/** The route of an item's history; for the module config, of which there is one, the key in the path says nothing. */
export function historyPath({ family, key }: ItemKey): string {
  return `/api/v1/history/${family}/${key === "" ? "-" : encodeURIComponent(key)}`;
}

/** One page of it; null: the newest. */
export function historyPagePath(item: ItemKey, cursor: number | null): string {
  return `${historyPath(item)}?limit=20${cursor === null ? "" : `&cursor=${cursor}`}`;
}
