"use client";
import { useSearchParams } from "next/navigation";
import { useEffect, useLayoutEffect, useMemo, useSyncExternalStore } from "react";
import { useListener } from "@/app/_components/hooks/use-listener";
import { readStored, writeStored } from "@/app/_components/hooks/use-preference";

/** A row of a list, for the way from one item to the next. */
export interface ListedItem {
  /** What stays when the item is saved: its name, or the id of an app. */
  readonly key: string;
  /** Where the item is shown. */
  readonly path: string;
}

/** A list as it was last seen in this tab, for the way back to it. */
export interface SeenList {
  /** Path with its query; null while no list of the section was seen. */
  readonly path: string | null;
  /** In the order of the list; those of the page that was seen. */
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

/** Only `RememberList` writes here, but addresses must stay within the section. */
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

/** How far lists were scrolled down when they were left, by path with query; and the section somebody returns to. */
const scrolled = new Map<string, number>();
let returning: string | null = null;

/** Says that the next page is a list which somebody returns to by our link. */
export function noteReturn(section: string): void {
  returning = section;
}

/** Put into a list: remembers it for the way back from an item (`BackToList`), with the place in it. */
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
  // Whatever leads on is clicked, by keys as well.
  useListener("click", () => void scrolled.set(path, window.scrollY), { capture: true });
  return null;
}
