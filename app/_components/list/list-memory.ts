"use client";
import { useSearchParams } from "next/navigation";
import { useEffect, useLayoutEffect, useMemo, useSyncExternalStore } from "react";
import { useListener } from "@/app/_components/hooks/use-listener";
import { readStored, writeStored } from "@/app/_components/hooks/use-preference";

/** A row of a list, for links from one item to the next. */
export interface ListedItem {
  /** Stable across saves: its name, or the id of an app. */
  readonly key: string;
  /** The item's page. */
  readonly path: string;
}

/** A list as last seen in this tab, for the link back to it. */
export interface SeenList {
  /** Path with query; null if this tab has not seen a list of the section. */
  readonly path: string | null;
  /** The items of the page that was seen, in order. */
  readonly items: readonly ListedItem[];
}

const keyOf = (section: string) => `list:${section}`;
const subscribe = () => () => undefined;
const unknown: SeenList = { path: null, items: [] };

/** The list of a section that this tab came from; unknown on the server. */
export function useSeenList(section: string): SeenList {
  const text = useSyncExternalStore(
    subscribe,
    () => readStored("sessionStorage", keyOf(section)),
    () => null,
  );
  return useMemo(() => parse(section, text), [section, text]);
}

/** Only `RememberList` writes this value, but addresses must stay within the section. */
function parse(section: string, text: string | null): SeenList {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    if (typeof value !== "object" || value === null || !("path" in value) || !("items" in value)) return unknown;
    const { path, items } = value;
    if (typeof path !== "string" || !Array.isArray(items)) return unknown;
    if (path !== section && !path.startsWith(`${section}?`)) return unknown;
    return { path, items: items.filter((item) => isItem(section, item)) };
  } catch {
    return unknown;
  }
}

function isItem(section: string, item: unknown): item is ListedItem {
  if (typeof item !== "object" || item === null || !("key" in item) || !("path" in item)) return false;
  return typeof item.key === "string" && typeof item.path === "string" && item.path.startsWith(`${section}/`);
}

/** Scroll offsets of lists that were left, by path with query; and the section somebody is returning to. */
const scrolled = new Map<string, number>();
let returning: string | null = null;

/** Announces that a link of ours returns to a list. */
export function noteReturn(section: string): void {
  returning = section;
}

/** Placed in a list: remembers it for the link back from an item (`BackToList`), with the scroll position. */
export function RememberList({ section, items }: Readonly<{ section: string; items: readonly ListedItem[] }>) {
  const query = useSearchParams().toString();
  const path = query === "" ? section : `${section}?${query}`;
  useEffect(() => {
    const list: SeenList = { path, items };
    writeStored("sessionStorage", keyOf(section), JSON.stringify(list));
  }, [section, path, items]);
  useLayoutEffect(() => {
    if (returning === section) window.scrollTo(0, scrolled.get(path) ?? 0);
    returning = null;
  }, [section, path]);
  // Keyboard activation also fires a click.
  useListener("click", () => void scrolled.set(path, window.scrollY), { capture: true });
  return null;
}
