"use client";
import { useState } from "react";
import useSWR from "swr";
import { Problem } from "@/app/_components/feedback/problem";
import { Breakable } from "@/app/_components/ui/breakable";
import { Link } from "@/app/_components/ui/link";
import { Skeleton } from "@/app/_components/ui/skeleton";
import { FieldDiff } from "@/app/_releases/field-diff";
import { ChangeMark } from "@/app/_releases/labels";
import type { ItemDiffJson } from "@/lib/content/releases/answer-schema";
import { itemAddress, itemText, releaseItems, titleOf } from "@/lib/labels/release-items";
import { get } from "@/lib/platform/http/client";

interface Item extends Omit<ItemDiffJson, "fields"> {
  /** Null: fetched once the item is opened. */
  readonly fields: ItemDiffJson["fields"] | null;
  readonly summary: string | null;
}

/** What differs, item by item; each can be folded away. */
export function ReleaseDiff({
  items,
  path,
}: Readonly<{
  items: readonly Item[];
  /** The route that has the content of all items. */
  path: string;
}>) {
  if (items.length === 0) return <p className="px-4 py-3 text-table text-muted">No differences.</p>;
  return (
    <ul className="divide-y divide-line">
      {items.map((item) => (
        <ItemDiff key={itemText(item)} item={item} path={path} />
      ))}
    </ul>
  );
}

function ItemDiff({ item, path }: Readonly<{ item: Item; path: string }>) {
  const [isOpen, setIsOpen] = useState(item.fields !== null);
  return (
    <li>
      <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 -outline-offset-2 hover:bg-hover">
          <ChangeMark change={item.change} />
          <span className="font-medium">
            <Breakable text={titleOf(item)} />
          </span>
          <span className="text-xs text-muted">{releaseItems[item.family].noun}</span>
          {item.summary !== null && (
            <span className="basis-full text-table text-muted sm:basis-auto">{item.summary}</span>
          )}
        </summary>
        {isOpen && (
          <div className="border-t border-line bg-page">
            <ItemContent item={item} path={path} />
            <p className="px-4 pb-3 text-table">
              <Link href={itemAddress(item, "production")}>{`Open ${titleOf(item)}`}</Link>
            </p>
          </div>
        )}
      </details>
    </li>
  );
}

const readDiff = async (path: string) => ((await get(path)) as { readonly items: readonly ItemDiffJson[] }).items;

function ItemContent({ item, path }: Readonly<{ item: Item; path: string }>) {
  const { data, error } = useSWR<readonly ItemDiffJson[], unknown>(item.fields === null ? path : null, readDiff, {
    revalidateIfStale: false,
    revalidateOnFocus: false,
  });
  const fields = item.fields ?? data?.find((one) => itemText(one) === itemText(item))?.fields;
  if (error !== undefined && fields === undefined) return <Problem error={error} />;
  if (data === undefined && fields === undefined) return <Skeleton className="m-4 h-16" />;
  return <FieldDiff fields={fields ?? []} empty="Its content stays the same." />;
}
