import { ChangeMark } from "@/app/_releases/change-mark";
import { titleOf } from "@/lib/labels/release-items";
import type { ReleaseItemJson } from "@/lib/content/releases/answer-schema";
import { itemText } from "@/lib/labels/release-items";

/** What a return does to each item, in a sentence. */
export function ReturnItems({ items }: Readonly<{ items: readonly ReleaseItemJson[] }>) {
  if (items.length === 0) return null;
  return (
    <ul className="max-h-56 divide-y divide-line overflow-y-auto rounded-card border border-line text-table text-text">
      {items.map((item) => (
        <li key={itemText(item)} className="flex flex-wrap items-center gap-x-2.5 gap-y-0.5 px-3 py-1.5">
          <ChangeMark change={item.change} />
          <span className="font-medium wrap-anywhere">{titleOf(item)}</span>
          <span className="text-muted">{item.summary}</span>
        </li>
      ))}
    </ul>
  );
}
