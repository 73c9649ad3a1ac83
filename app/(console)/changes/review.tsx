"use client";
import { Rocket } from "lucide-react";
import { useState } from "react";
import { ChangeDetail } from "@/app/(console)/changes/change-detail";
import { ChangeList } from "@/app/(console)/changes/change-list";
import { MovedNotice } from "@/app/(console)/changes/moved-notice";
import { NothingToPublish } from "@/app/(console)/changes/nothing-to-publish";
import type { Moved } from "@/app/_releases/publication";
import { findObstacle } from "@/app/_releases/review-data";
import { useReview } from "@/app/(console)/changes/use-review";
import { useViewed } from "@/app/(console)/changes/use-viewed";
import { Verdict } from "@/app/(console)/changes/verdict";
import { useMedia } from "@/app/_components/hooks/use-media";
import { Button } from "@/app/_components/ui/button";
import { PageHeader } from "@/app/_components/ui/page-header";
import { Tooltip } from "@/app/_components/ui/tooltip";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";
import { FreezeNotice } from "@/app/_releases/freeze-notice";
import type { Choice } from "@/app/_releases/item-address";
import { describePlan } from "@/app/_releases/labels";
import type { ChangesAnswer, FreezeAnswer, ReleaseOutlineJson } from "@/lib/content/releases/answer-schema";
import { type ItemKey, itemText } from "@/lib/labels/release-items";
import { plural } from "@/lib/labels/format-number";

const PublishDialog = dialogOnDemand(() =>
  import("@/app/(console)/changes/publish-dialog").then((m) => m.PublishDialog),
);

/** One place for everything that is not in production: looked at, chosen, checked, published (L5 to L10). */
export function Review({
  first,
  choices,
  freeze,
  last,
  asksSecond = false,
  waiting,
}: Readonly<{
  first: ChangesAnswer;
  choices: readonly Choice[];
  freeze: FreezeAnswer["freeze"];
  last: ReleaseOutlineJson | null;
  /** Whether another person has to approve what is published. */
  asksSecond?: boolean;
  /** What waits for that. */
  waiting?: React.ReactNode;
}>) {
  const review = useReview(first, choices);
  const viewed = useViewed();
  const [openText, setOpenText] = useState<string | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const [moved, setMoved] = useState<readonly Moved[]>([]);
  // One below the other the changes stand at their item.
  const isNarrow = useMedia("(width < 64rem)");

  const { items, chosen, checks } = review;
  const named = items.find((item) => itemText(item) === openText);
  const open = named ?? (isNarrow ? null : (chosen[0] ?? items[0] ?? null));
  const toggle = (item: ItemKey) => setOpenText(itemText(item) === openText && isNarrow ? null : itemText(item));
  const isFrozen = freeze?.is_active === true;
  const obstacle = isFrozen ? "Publishing is frozen" : findObstacle(chosen.length, checks);
  const detail = open && (
    <ChangeDetail
      key={`${open.family}:${open.id}`}
      item={open}
      isViewed={viewed.isViewed(open)}
      onViewed={(is) => {
        viewed.setViewed(open, is);
      }}
    />
  );
  const publish = (
    <Button
      variant="primary"
      needsServer
      needs="publish"
      disabled={obstacle !== null}
      aria-haspopup="dialog"
      onClick={() => {
        setIsAsking(true);
      }}
    >
      <Rocket aria-hidden="true" />
      {`${asksSecond ? "Ask to publish" : "Publish"} ${plural(chosen.length, "item")}`}
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Review changes"
        description={
          items.length === 0
            ? "What staging has and production does not."
            : `${describePlan(chosen)}. Vehicles receive it once it is published.`
        }
        actions={items.length > 0 && (obstacle === null ? publish : <Tooltip text={obstacle}>{publish}</Tooltip>)}
      />
      <FreezeNotice freeze={freeze} />
      {waiting}
      <MovedNotice moved={moved} onClose={() => setMoved([])} />
      {items.length === 0 ? (
        <NothingToPublish last={last} />
      ) : (
        <div className="space-y-4">
          <Verdict review={review} />
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)] 2xl:grid-cols-[minmax(0,28rem)_minmax(0,1fr)]">
            <ChangeList
              review={review}
              open={open}
              onOpen={toggle}
              isViewed={viewed.isViewed}
              renderOpen={isNarrow ? () => detail : null}
            />
            {!isNarrow && open && (
              <section
                aria-label={`Changes of ${open.title}`}
                className="sticky top-[calc(var(--header)+var(--strip)+1rem)] max-h-[calc(100dvh-var(--header)-var(--strip)-3rem)] overflow-y-auto rounded-card border border-line bg-surface max-lg:hidden"
              >
                <h2 className="px-4 pt-3 text-sm font-semibold wrap-anywhere">{open.title}</h2>
                {detail}
              </section>
            )}
          </div>
        </div>
      )}
      {isAsking && (
        <PublishDialog
          review={review}
          asksSecond={asksSecond}
          onMoved={(which) => {
            setMoved(which);
          }}
          onClose={() => {
            setIsAsking(false);
          }}
        />
      )}
    </>
  );
}
