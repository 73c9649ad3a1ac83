/** The words of releases, as the console says them. */
import type { AuthorJson } from "@/lib/content/releases/answer-schema";
import type { ItemChange, ReleaseKind } from "@/lib/labels/release-items";
import { formatNumber } from "@/lib/labels/format-number";

/** How production came to change, in words (L2). */
export const kindLabels: Readonly<Record<ReleaseKind, string>> = {
  release: "Release",
  direct: "Published directly",
  return: "Rollback",
  import: "Import",
  first: "First data",
};

type Changes = readonly { readonly change: ItemChange }[];

/** "3 to add, 5 to change, 1 to remove" */
export function describePlan(items: Changes): string {
  return countChanges(items, ["to add", "to change", "to remove"]) || "Nothing to publish";
}

/** "3 added, 5 changed, 1 removed" */
export function describeDone(items: Changes): string {
  return countChanges(items, ["added", "changed", "removed"]) || "Nothing changed";
}

function countChanges(items: Changes, words: readonly [add: string, change: string, remove: string]): string {
  return (["add", "change", "delete"] as const)
    .map((wanted, index) => [items.filter(({ change }) => change === wanted).length, words[index]] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${formatNumber(count)} ${word ?? ""}`)
    .join(", ");
}

/** Who did it; null: that is not on record. */
export function nameOf(author: AuthorJson | null): string {
  if (author === null) return "unknown";
  return author.display_name ?? author.actor;
}

/** Bytes as people read them: "812 B", "41.3 kB". */
export function describeBytes(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`;
}

/** "+120 B", "−1.2 kB"; null: the same. */
export function describeGrowth(before: number, after: number): string | null {
  if (before === after) return null;
  return `${after > before ? "+" : "−"}${describeBytes(Math.abs(after - before))}`;
}
