import "server-only";
import { loadAppNames } from "@/lib/apps/applications/queries";
import { type ItemKey, titleOf } from "@/lib/labels/release-items";
import { distinct } from "@/lib/labels/order";

/** Tells what people call items: apps by their names, everything else by its key. */
export async function loadTitles(items: readonly ItemKey[]): Promise<(item: ItemKey) => string> {
  const names = await loadAppNames(distinct(items.flatMap(({ family, key }) => (family === "app" ? key : []))));
  return (item) => (item.family === "app" ? names.get(item.key) : undefined) ?? titleOf(item);
}
