import type { PendingItem } from "@/lib/vehicle-data/console-queries";

/** What a promotion does with one item, in words. */
export function describeChange({ kind, added, removed, changed }: PendingItem): string {
  if (kind === "new") return added === 1 ? "comes to production" : `comes to production, with ${added - 1} inside`;
  if (kind === "deleted") return removed === 0 ? "was never in production" : "leaves production";
  const parts = [
    added > 0 ? `${added} added` : "",
    removed > 0 ? `${removed} removed` : "",
    changed > 0 ? `${changed} changed` : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? "saved again without a difference" : parts.join(", ");
}
