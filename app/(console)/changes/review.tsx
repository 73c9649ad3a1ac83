"use client";
import { Rocket, CircleCheck } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { ChangeDetail, ChangeList } from "./change-list";
import { findObstacle, useReview } from "@/app/_releases/publication";
import { Verdict } from "./verdict";
import { useMedia } from "@/app/_components/hooks/use-media";
import { BottomBar } from "@/app/_components/shell/bars/bottom-bars";
import { Button } from "@/app/_components/ui/button";
import { PageHeader } from "@/app/_components/ui/page-header";
import { Tooltip } from "@/app/_components/ui/tooltip";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";
import { FreezeNotice } from "@/app/_releases/freeze-notice";
import { RolloutSection } from "@/app/_releases/rollout-section";
import type { Choice } from "@/app/_releases/item-address";
import { describePlan, Author } from "@/app/_releases/labels";
import type {
  ChangedItemJson,
  ChangesAnswer,
  FreezeAnswer,
  MovedItemJson,
  ReleaseOutlineJson,
  RolloutJson,
} from "@/lib/releases/answer-schema";
import { groupByFamily, type ItemKey, itemText, titleOf } from "@/lib/vocabulary/release-items";
import { formatNumber, plural } from "@/lib/vocabulary/format-number";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { LinkButton } from "@/app/_components/ui/link-button";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { useStoredText } from "@/app/_components/hooks/use-preference";
import { Notice } from "@/app/_components/feedback/notice";

/** Maximum number of stored marks; the oldest are dropped first. */
const most = 2000;

const markOf = ({ family, id }: Pick<ChangedItemJson, "family" | "id">) => `${family}:${id}`;

const PublishDialog = dialogOnDemand(() => import("./publish-dialog").then((m) => m.PublishDialog));

/** The review of everything that is not in production: look, select, check, publish (L5 to L10). */
export function Review({
  first,
  choices,
  freeze,
  rollout = null,
  last,
  asksSecond = false,
  waiting,
}: Readonly<{
  first: ChangesAnswer;
  choices: readonly Choice[];
  freeze: FreezeAnswer["freeze"];
  /** Nothing can be published while it is there. */
  rollout?: RolloutJson | null;
  last: ReleaseOutlineJson | null;
  asksSecond?: boolean;
  waiting?: React.ReactNode;
}>) {
  const review = useReview(first, choices);
  const viewed = useViewed();
  const [openText, setOpenText] = useState<string | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const [moved, setMoved] = useState<readonly MovedItemJson[]>([]);
  // On narrow screens, changes show below their item.
  const isNarrow = useMedia("(width < 64rem)");

  const { items, chosen, checks } = review;
  const named = items.find((item) => itemText(item) === openText);
  const open = named ?? (isNarrow ? null : (chosen[0] ?? items[0] ?? null));
  const toggle = (item: ItemKey) => setOpenText(itemText(item) === openText && isNarrow ? null : itemText(item));
  const pane = useRef<HTMLElement>(null);
  // On wide screens, the effect is above the changes of an item.
  useEffect(() => {
    if (openText !== null) pane.current?.scrollIntoView({ block: "nearest" });
  }, [openText]);
  const isFrozen = freeze?.is_active === true;
  const isHeld = rollout !== null && `Release #${rollout.release} is being rolled out`;
  const obstacle = isFrozen ? "Publishing is frozen" : isHeld || findObstacle(chosen.length, checks);
  const ordered = groupByFamily(items).flatMap((family) => family.items);
  const place = open === null ? 0 : ordered.indexOf(open);
  const next = [...ordered.slice(place + 1), ...ordered.slice(0, place)].find((item) => !viewed.isViewed(item));
  const detail = open && (
    <ChangeDetail
      key={`${open.family}:${open.id}`}
      item={open}
      isViewed={viewed.isViewed(open)}
      onViewed={(is) => viewed.setViewed(open, is)}
      // On narrow screens, the next item is right below.
      next={
        !isNarrow &&
        next && (
          <Button size="sm" className="max-w-56" onClick={() => setOpenText(itemText(next))}>
            <span className="truncate">{`Next: ${next.title}`}</span>
          </Button>
        )
      }
    />
  );
  const publish = (
    <Button
      variant="primary"
      needsServer
      needs="publish"
      disabled={obstacle !== null}
      aria-haspopup="dialog"
      onClick={() => setIsAsking(true)}
    >
      <Rocket aria-hidden="true" />
      {`${asksSecond ? "Request to publish" : "Publish"} ${plural(chosen.length, "change")}`}
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Review changes"
        description={
          items.length === 0
            ? "Changes in staging that are not in production."
            : `${describePlan(chosen)}. Vehicles receive the changes once they are published.`
        }
      />
      <FreezeNotice freeze={freeze} />
      <RolloutSection rollout={rollout} className="mb-4" />
      {waiting}
      <MovedNotice moved={moved} items={items} onClose={() => setMoved([])} />
      {items.length === 0 ? (
        <NothingToPublish last={last} />
      ) : (
        <>
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)] 2xl:grid-cols-[minmax(0,28rem)_minmax(0,1fr)]">
            <ChangeList
              review={review}
              open={open}
              onOpen={toggle}
              isViewed={viewed.isViewed}
              renderOpen={isNarrow ? () => detail : null}
            />
            <div className="space-y-4">
              <Verdict review={review} />
              {!isNarrow && open && (
                <section
                  ref={pane}
                  aria-label={`Changes of ${open.title}`}
                  className="rounded-card border border-line bg-surface max-lg:hidden print:hidden"
                >
                  <h2 className="px-4 pt-3 text-sm font-semibold wrap-anywhere">{open.title}</h2>
                  {detail}
                </section>
              )}
            </div>
          </div>
          <BottomBar label="Publish" className="justify-end gap-x-4">
            <Progress done={items.filter(viewed.isViewed).length} count={items.length} />
            {obstacle !== null && <span className="text-table text-muted">{obstacle}</span>}
            {obstacle === null ? publish : <Tooltip text={obstacle}>{publish}</Tooltip>}
          </BottomBar>
        </>
      )}
      {isAsking && (
        <PublishDialog
          review={review}
          asksSecond={asksSecond}
          onMoved={(which) => setMoved(which)}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}

/** How many items the reader has viewed; viewing them is optional. */
function Progress({ done, count }: Readonly<{ done: number; count: number }>) {
  const words = `${formatNumber(done)} of ${formatNumber(count)} viewed`;
  return (
    <span className="mr-auto flex items-center gap-2.5 text-table tabular-nums">
      <progress
        value={done}
        max={count}
        aria-label={words}
        className="h-1.5 w-24 appearance-none overflow-hidden rounded-full bg-active max-sm:hidden [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-active [&::-webkit-progress-value]:bg-accent"
      />
      {words}
    </span>
  );
}

/** Staging and production are the same. */
function NothingToPublish({ last }: Readonly<{ last: ReleaseOutlineJson | null }>) {
  return (
    <EmptyState
      icon={CircleCheck}
      title="Production and staging are the same"
      action={
        <LinkButton data-next-focus="" href={last === null ? "/releases" : `/releases/${last.number}`}>
          {last === null ? "All releases" : "View release"}
        </LinkButton>
      }
    >
      {last === null ? (
        "Nothing has been published yet."
      ) : (
        <>
          Last release #{last.number}
          {last.name !== null && `, ${last.name}`}, <TimeAgo at={last.at} />.
        </>
      )}
    </EmptyState>
  );
}

/**
 * Items that the reader has viewed, kept in this browser. A mark belongs to one stored version, so a changed item loses
 * it (L8).
 */
function useViewed() {
  const [text, store] = useStoredText("viewedChanges");
  const marks = useMemo(() => new Set((text ?? "").split(" ").filter((mark) => mark !== "")), [text]);
  return {
    isViewed: (item: ChangedItemJson) => marks.has(markOf(item)),
    setViewed: (item: ChangedItemJson, isViewed: boolean) => {
      const others = [...marks].filter((mark) => mark !== markOf(item));
      store((isViewed ? [...others, markOf(item)] : others).slice(-most).join(" "));
    },
  };
}

/** Items that somebody else has saved since the review was opened: nothing was published, and they show again (L8). */
function MovedNotice({
  moved,
  items,
  onClose,
}: Readonly<{ moved: readonly MovedItemJson[]; items: readonly ChangedItemJson[]; onClose: () => void }>) {
  if (moved.length === 0) return null;
  const titles = new Map(items.map((item) => [itemText(item), item.title]));
  return (
    <div role="alert" className="mb-4">
      <Notice
        title="Nothing was published: somebody else has saved changes"
        action={
          <Button size="sm" onClick={onClose}>
            Close
          </Button>
        }
      >
        <ul>
          {moved.map((item) => (
            <li key={itemText(item)}>
              <span className="font-medium">{titles.get(itemText(item)) ?? titleOf(item)}</span>, by{" "}
              <Author author={item.author} />
              {item.at !== null && (
                <>
                  {", "}
                  <TimeAgo at={item.at} />
                </>
              )}
            </li>
          ))}
        </ul>
        <p>The review now shows their versions.</p>
      </Notice>
    </div>
  );
}
