"use client";
import { useState } from "react";
import { usePrinting } from "@/app/_components/hooks/use-printing";
import { Problem } from "@/app/_components/feedback/problem";
import { Breakable } from "@/app/_components/ui/breakable";
import { Link } from "@/app/_components/ui/link";
import { Skeleton } from "@/app/_components/ui/skeleton";
import { FieldDiff } from "@/app/_releases/field-diff";
import { ChangeMark } from "@/app/_releases/labels";
import { pathOfItem } from "@/app/_releases/publication";
import type { ItemDiffJson } from "@/lib/releases/answer-schema";
import { itemAddress, itemText, releaseItems } from "@/lib/vocabulary/release-items";
import type { Environment } from "@/lib/vocabulary/terms";
import { LongList } from "./long-list";
import { useItemContent } from "./use-item-content";

export interface ShownDiff extends Omit<ItemDiffJson, "fields"> {
  /** Its display name. */
  readonly title: string;
  /** Null: fetched once the item is opened. */
  readonly fields: ItemDiffJson["fields"] | null;
  readonly summary: string | null;
}

/** The differences item by item, each foldable. */
export function ItemDiffs({
  items,
  environment,
  path = null,
}: Readonly<{
  items: readonly ShownDiff[];
  /** The environment of the links to items. */
  environment: Environment;
  /** The route with the content of all items; null: it is here, or that of each staged item is read alone. */
  path?: string | null;
}>) {
  if (items.length === 0) return <p className="px-4 py-3 text-table text-muted">No differences.</p>;
  return (
    <LongList
      className="divide-y divide-line"
      rows={items.map((item) => (
        <ItemDiff
          key={itemText(item)}
          item={item}
          href={itemAddress(item, environment)}
          path={path}
          isOpenAtFirst={item.fields !== null && items.length <= maxOpen && !isNewApp(item)}
        />
      ))}
    />
  );
}

/** Its fields are what the app directory knows of it; what it may do is in the effect. */
const isNewApp = ({ family, change }: ShownDiff) => family === "app" && change === "add";

/** Number of items open at first. */
const maxOpen = 3;

function ItemDiff({
  item,
  href,
  path,
  isOpenAtFirst,
}: Readonly<{ item: ShownDiff; href: string; path: string | null; isOpenAtFirst: boolean }>) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const isPrinted = usePrinting() && item.fields !== null;
  return (
    <li>
      <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 -outline-offset-2 hover:bg-hover">
          <ChangeMark change={item.change} />
          <span className="font-medium">
            <Breakable text={item.title} />
          </span>
          <span className="text-xs text-muted">{releaseItems[item.family].noun}</span>
          {item.summary !== null && !isOpen && (
            <span className="basis-full text-table text-muted sm:basis-auto">{item.summary}</span>
          )}
        </summary>
        {(isOpen || isPrinted) && (
          <div className="border-t border-line bg-page">
            <ItemContent item={item} path={path} />
            <p className="px-4 pb-3 text-table print:hidden">
              <Link href={href}>{`Open ${item.title}`}</Link>
            </p>
          </div>
        )}
      </details>
    </li>
  );
}

function ItemContent({ item, path }: Readonly<{ item: ShownDiff; path: string | null }>) {
  const source = { path: path ?? pathOfItem(item), isFixed: path !== null };
  const { content, isGone, error } = useItemContent(item, source);
  if (error !== undefined) return <Problem error={error} />;
  if (content === null && !isGone) return <Skeleton className="m-4 h-16" />;
  return <FieldDiff fields={content?.fields ?? []} empty="Its content stays the same." />;
}
