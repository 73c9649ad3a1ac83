import { ChangeRow } from "@/app/(console)/changes/change-row";
import { groupByFamily } from "@/app/_releases/review-data";
import type { Review } from "@/app/(console)/changes/use-review";
import { Checkbox } from "@/app/_components/fields/checkbox";
import { releaseItems } from "@/lib/labels/release-items";
import type { ChangedItemJson } from "@/lib/content/releases/answer-schema";
import { formatNumber } from "@/lib/labels/format-number";

/** Everything that production does not have, in the order in which it is published. */
export function ChangeList({
  review: { items, isChosen, choose },
  open,
  onOpen,
  isViewed,
  renderOpen,
}: Readonly<{
  review: Review;
  open: ChangedItemJson | null;
  onOpen: (item: ChangedItemJson) => void;
  isViewed: (item: ChangedItemJson) => boolean;
  renderOpen: (() => React.ReactNode) | null;
}>) {
  return (
    <div className="space-y-4">
      {groupByFamily(items).map(({ family, items: ofFamily }) => {
        const heading = releaseItems[family].heading;
        const count = ofFamily.filter(isChosen).length;
        return (
          <section key={family} aria-label={heading} className="rounded-card border border-line bg-surface">
            <header className="flex items-center gap-2.5 border-b border-line px-3 py-2">
              <Checkbox
                label={`All ${heading.toLowerCase()}`}
                checked={count === ofFamily.length}
                isMixed={count > 0 && count < ofFamily.length}
                onChange={(isAll) => {
                  choose(ofFamily, isAll);
                }}
              />
              <h2 className="text-table font-semibold">{heading}</h2>
              <span className="ml-auto text-xs text-muted tabular-nums">
                {`${formatNumber(count)} of ${formatNumber(ofFamily.length)}`}
              </span>
            </header>
            <ul className="divide-y divide-line">
              {ofFamily.map((item) => {
                const isOpen = open !== null && item.family === open.family && item.key === open.key;
                return (
                  <ChangeRow
                    key={item.key}
                    item={item}
                    isChosen={isChosen(item)}
                    onChoose={(is) => {
                      choose([item], is);
                    }}
                    isOpen={isOpen}
                    onOpen={() => {
                      onOpen(item);
                    }}
                    isViewed={isViewed(item)}
                  >
                    {isOpen && renderOpen?.()}
                  </ChangeRow>
                );
              })}
            </ul>
          </section>
        );
      })}
    </div>
  );
}
