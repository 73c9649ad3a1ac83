import "server-only";
import { loadAppNames } from "@/lib/apps/applications/queries";
import { type ItemKey, titleOf } from "@/lib/vocabulary/release-items";
import { distinct } from "@/lib/vocabulary/order";

/** Returns a function that names items for people: apps by name, everything else by key. */
export async function loadTitles(items: readonly ItemKey[]): Promise<(item: ItemKey) => string> {
  const names = await loadAppNames(distinct(items.flatMap(({ family, key }) => (family === "app" ? key : []))));
  return (item) => (item.family === "app" ? names.get(item.key) : undefined) ?? titleOf(item);
}
