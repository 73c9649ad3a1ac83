import { pathOfItem, type Review } from "@/app/_releases/publication";
import { Problem } from "@/app/_components/feedback/problem";
import { Skeleton } from "@/app/_components/ui/skeleton";
import { useItemContent } from "@/app/_releases/use-item-content";
import { Checkbox, CheckboxField } from "@/app/_components/fields/checkbox";
import { checkStyles } from "@/app/_releases/check-list";
import { LongList } from "@/app/_releases/long-list";
import { type CheckLevel, groupByFamily, itemAddress, itemText, releaseItems } from "@/lib/vocabulary/release-items";
import type { ChangedItemJson } from "@/lib/releases/answer-schema";
import { formatNumber } from "@/lib/vocabulary/format-number";
import { ChevronRight, Eye } from "lucide-react";
import { Breakable } from "@/app/_components/ui/breakable";
import { usePrinting } from "@/app/_components/hooks/use-printing";
import { cn } from "@/app/_components/ui/cn";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { Author, ChangeMark } from "@/app/_releases/labels";
import { Link } from "@/app/_components/ui/link";
import { useState } from "react";
import { partOnDemand } from "@/app/_components/overlay/on-demand";
import { FieldDiff } from "@/app/_releases/field-diff";

/** Worst last, so that it wins. */
const worstLast: readonly CheckLevel[] = ["warning", "finding", "block"];

/** All differences between staging and production, in publishing order. */
export function ChangeList({
  review: { items, checks, isChosen, choose },
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
  const isPrinting = usePrinting();
  const levels = new Map(
    worstLast.flatMap((level) =>
      (checks ?? []).flatMap((one) => (one.level === level ? [[itemText(one), level] as const] : [])),
    ),
  );
  return (
    <div className="space-y-4 lg:sticky lg:top-[calc(var(--header)+var(--strip)+1rem)] lg:max-h-[calc(100dvh-var(--header)-var(--strip)-7rem)] lg:overflow-y-auto">
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
                onChange={(isAll) => choose(ofFamily, isAll)}
              />
              <h2 className="text-table font-semibold">{heading}</h2>
              <span className="ml-auto text-xs text-muted tabular-nums">
                {`${formatNumber(count)} of ${formatNumber(ofFamily.length)}`}
              </span>
            </header>
            <LongList
              className="divide-y divide-line"
              rows={ofFamily.map((item) => {
                const isOpen = open !== null && item.family === open.family && item.key === open.key;
                return (
                  <ChangeRow
                    key={item.key}
                    item={item}
                    level={levels.get(itemText(item)) ?? null}
                    isChosen={isChosen(item)}
                    onChoose={(is) => choose([item], is)}
                    isOpen={isOpen}
                    onOpen={() => onOpen(item)}
                    isViewed={isViewed(item)}
                  >
                    {isPrinting ? <ItemContent item={item} view="fields" /> : isOpen && renderOpen?.()}
                  </ChangeRow>
                );
              })}
            />
          </section>
        );
      })}
    </div>
  );
}

const noFields = "No edited field differs from production.";

/** One item of the review: a checkbox, and a sentence about its change. */
function ChangeRow({
  item: { title, change, summary, author, at },
  level,
  isChosen,
  onChoose,
  isOpen,
  onOpen,
  isViewed,
  children,
}: Readonly<{
  item: ChangedItemJson;
  /** The worst result of its checks; null if there are none. */
  level: CheckLevel | null;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  isOpen: boolean;
  onOpen: () => void;
  isViewed: boolean;
  children: React.ReactNode;
}>) {
  return (
    <li className={cn("relative", isOpen && "bg-active")}>
      <div className="flex items-start gap-2.5 px-3 py-2">
        <Checkbox label={`Publish ${title}`} checked={isChosen} onChange={onChoose} className="z-1 mt-0.5" />
        <div className="min-w-0 grow space-y-0.5">
          <div className="flex items-start justify-between gap-2">
            <button
              type="button"
              aria-expanded={isOpen}
              onClick={onOpen}
              className="min-w-0 text-left font-medium text-text -outline-offset-2 after:absolute after:inset-x-0 after:top-0 after:h-full"
            >
              <ChevronRight
                aria-hidden="true"
                className={cn("mr-1 inline size-3.5 text-muted lg:hidden print:hidden", isOpen && "rotate-90")}
              />
              <Breakable text={title} />
            </button>
            <ChangeMark change={change} />
          </div>
          <p className="text-table text-muted">{summary}</p>
          <p className="flex flex-wrap items-center gap-x-1.5 text-xs text-muted">
            {author !== null && (
              <>
                <Author author={author} />
                <span aria-hidden="true">·</span>
              </>
            )}
            <TimeAgo at={at} className="relative z-1" />
            {level !== null && <CheckMark level={level} />}
            {isViewed && (
              <span className="ml-auto inline-flex items-center gap-1 text-good">
                <Eye aria-hidden="true" className="size-3.5" />
                Viewed
              </span>
            )}
          </p>
        </div>
      </div>
      {children && <div className="relative z-1 border-t border-line bg-surface">{children}</div>}
    </li>
  );
}

/** The worst check result of an item. */
function CheckMark({ level }: Readonly<{ level: CheckLevel }>) {
  const { icon: Icon, word, className } = checkStyles[level];
  return (
    <span className={cn("inline-flex items-center gap-1", className)}>
      <Icon aria-hidden="true" className="size-3.5" />
      {word}
    </span>
  );
}

const JsonDiff = partOnDemand(() => import("@/app/_releases/json-diff").then((m) => m.JsonDiff), "m-4 h-40");

const views = [
  ["fields", "Changes"],
  ["table", "Policy table"],
  ["json", "JSON"],
] as const;
type View = (typeof views)[number][0];

export function ChangeDetail({
  item,
  isViewed,
  onViewed,
  next,
}: Readonly<{
  item: ChangedItemJson;
  isViewed: boolean;
  onViewed: (isViewed: boolean) => void;
  next?: React.ReactNode;
}>) {
  const [view, setView] = useState<View>("fields");
  const { title } = item;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2">
        <div role="group" aria-label={`How the changes of ${title} are shown`} className="flex gap-1">
          {views.map(([name, label]) => (
            <button
              key={name}
              type="button"
              aria-pressed={view === name}
              onClick={() => setView(name)}
              className={cn(
                "h-7 rounded-control px-2 text-table font-medium pointer-coarse:h-11",
                view === name ? "bg-active text-text" : "text-muted hover:bg-hover hover:text-text",
              )}
            >
              {label}
            </button>
          ))}
        </div>
        <div className="ml-auto flex items-center gap-4">
          <Link href={itemAddress(item, "staging")} className="inline-flex min-h-6 items-center text-table">
            Open
            <span className="sr-only"> {title}</span>
          </Link>
          <CheckboxField label="Viewed" checked={isViewed} onChange={onViewed} />
          {next}
        </div>
      </div>
      <ItemContent item={item} view={view} />
    </>
  );
}

/** A long review leaves out what differs in most items. */
function ItemContent({ item, view }: Readonly<{ item: ChangedItemJson; view: View }>) {
  const { content, isGone, error } = useItemContent(item, { path: pathOfItem(item) });
  if (error !== undefined) return <Problem error={error} />;
  if (isGone) return <p className="px-4 py-3 text-table text-muted">{`${item.title} is not staged any more.`}</p>;
  if (content === null) return <Skeleton className="m-4 h-16" />;
  const { fields, table_fields: tableFields = [] } = content;
  if (view === "json") return <JsonDiff fields={fields} label={`Changes of ${item.title} as JSON`} />;
  if (view === "table") return <FieldDiff fields={tableFields} empty="The policy table stays the same." />;
  return <FieldDiff fields={fields} empty={noFields} />;
}
