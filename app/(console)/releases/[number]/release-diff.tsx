import { Link } from "@/app/_components/ui/link";
import { Breakable } from "@/app/_components/ui/breakable";
import { ChangeMark } from "@/app/_releases/change-mark";
import { FieldDiff } from "@/app/_releases/field-diff";
import type { ItemDiffJson } from "@/lib/content/releases/answer-schema";
import { itemAddress, type ItemKey, itemText, releaseItems, titleOf } from "@/lib/labels/release-items";

/** This many are open at first. */
const maxOpen = 3;

/** What differs, item by item; each can be folded away. */
export function ReleaseDiff({
  items,
  summaryOf,
}: Readonly<{
  items: readonly ItemDiffJson[];
  summaryOf: (item: ItemKey) => string | null;
}>) {
  if (items.length === 0) return <p className="px-4 py-3 text-table text-muted">No differences.</p>;
  return (
    <ul className="divide-y divide-line">
      {items.map((item) => {
        const summary = summaryOf(item);
        return (
          <li key={itemText(item)}>
            <details open={items.length <= maxOpen}>
              <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 -outline-offset-2 hover:bg-hover">
                <ChangeMark change={item.change} />
                <span className="font-medium">
                  <Breakable text={titleOf(item)} />
                </span>
                <span className="text-xs text-muted">{releaseItems[item.family].noun}</span>
                {summary !== null && <span className="basis-full text-table text-muted sm:basis-auto">{summary}</span>}
              </summary>
              <div className="border-t border-line bg-page">
                <FieldDiff fields={item.fields} empty="Its content stays the same." />
                <p className="px-4 pb-3 text-table">
                  <Link href={itemAddress(item, "production")}>{`Open ${titleOf(item)}`}</Link>
                </p>
              </div>
            </details>
          </li>
        );
      })}
    </ul>
  );
}
