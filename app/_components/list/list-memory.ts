"use client";
import { useSearchParams } from "next/navigation";
import { useCallback, useEffect, useLayoutEffect, useSyncExternalStore } from "react";
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
const read = new Map<string, { readonly text: string | null; readonly list: SeenList }>();

/** @param section path of the list, e.g. `/functionalgroups` */
function rememberList(section: string, list: SeenList): void {
  writeStored("sessionStorage", keyOf(section), JSON.stringify(list));
}

/** The list of a section that this tab came from; unknown on the server. */
export function useSeenList(section: string): SeenList {
  const readNow = useCallback(() => readList(section), [section]);
  return useSyncExternalStore(subscribe, readNow, () => unknown);
}

/** The same object while the stored text is the same. */
function readList(section: string): SeenList {
  const text = readStored("sessionStorage", keyOf(section));
  const known = read.get(section);
  if (known?.text === text) return known.list;
  const list = parse(section, text);
  read.set(section, { text, list });
  return list;
}

/** Only `rememberList` writes here, but addresses must stay within the section. */
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

/** Notes how far a list is scrolled down. */
function noteScroll(path: string): void {
  scrolled.set(path, window.scrollY);
}

/** Says that the next page is a list which somebody returns to by our link. */
export function noteReturn(section: string): void {
  returning = section;
}

/** The place in a list to which somebody returns, in pixels; null: it is opened in another way. */
function takeReturn(section: string, path: string): number | null {
  const is = returning === section;
  returning = null;
  return is ? (scrolled.get(path) ?? 0) : null;
}

/** Put into a list: remembers it for the way back from an item (`BackToList`), with the place in it. */
export function RememberList({ section, items }: Readonly<{ section: string; items: readonly ListedItem[] }>) {
  const query = useSearchParams().toString();
  const path = query === "" ? section : `${section}?${query}`;
  useEffect(() => {
    rememberList(section, { path, items });
  }, [section, path, items]);
  useLayoutEffect(() => {
    const place = takeReturn(section, path);
    if (place !== null) window.scrollTo(0, place);
  }, [section, path]);
  // Whatever leads on is clicked, by keys as well.
  useListener("click", () => noteScroll(path), { capture: true });
  return null;
}
