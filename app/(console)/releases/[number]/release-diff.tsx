import { Link } from "@/app/_components/ui/link";
import { Breakable } from "@/app/_components/ui/breakable";
import { ChangeMark } from "@/app/_releases/change-mark";
import { FieldDiff } from "@/app/_releases/field-diff";
import { itemPath } from "@/app/_releases/item-address";
import { titleOf } from "@/app/_releases/labels";
import type { ItemDiffJson } from "@/lib/content/releases/answer-schema";
import { type ItemKey, itemNouns, itemText } from "@/lib/content/releases/vocabulary";

/** This many are open at first. */
const maxOpen = 3;

/** What differs, item by item; each can be folded away. */
export function ReleaseDiff({
  items,
  summaryOf,
}: Readonly<{
  items: readonly ItemDiffJson[];
  /** What became of an item in a sentence, where that is known. */
  summaryOf: (item: ItemKey) => string | null;
}>) {
  if (items.length === 0) return <p className="px-4 py-3 text-table text-muted">Nothing differs.</p>;
  return (
    <ul className="divide-y divide-line">
      {items.map((item) => {
        const path = itemPath(item, "production");
        const summary = summaryOf(item);
        return (
          <li key={itemText(item)}>
            <details open={items.length <= maxOpen}>
              <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 -outline-offset-2 hover:bg-hover">
                <ChangeMark change={item.change} />
                <span className="font-medium">
                  <Breakable text={titleOf(item)} />
                </span>
                <span className="text-xs text-muted">{itemNouns[item.family]}</span>
                {summary !== null && <span className="basis-full text-table text-muted sm:basis-auto">{summary}</span>}
              </summary>
              <div className="border-t border-line bg-page">
                <FieldDiff fields={item.fields} empty="Its content stays the same." />
                {path !== null && (
                  <p className="px-4 pb-3 text-table">
                    <Link href={path}>{`Open ${titleOf(item)}`}</Link>
                  </p>
                )}
              </div>
            </details>
          </li>
        );
      })}
    </ul>
  );
}
