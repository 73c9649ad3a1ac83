"use client";
import { useSyncExternalStore } from "react";
import { readStored, writeStored } from "@/app/_components/use-preference";

const key = "list:applications";
const plain = "/applications";

/** The list as it was last seen in this tab, for the way back to it. */
export interface SeenList {
  /** Path with its query. */
  readonly path: string;
  /** Ids of the rows, in order. */
  readonly ids: readonly number[];
}

export function rememberList(list: SeenList): void {
  writeStored("sessionStorage", key, JSON.stringify(list));
}

const subscribe = () => () => undefined;
const unknown: SeenList = { path: plain, ids: [] };
let read: { readonly text: string | null; readonly list: SeenList } = { text: null, list: unknown };

/** The list this tab came from; the plain list while that is not known, as on the server. */
export function useSeenList(): SeenList {
  return useSyncExternalStore(subscribe, readList, () => unknown);
}

/** The same object while the stored text is the same. */
function readList(): SeenList {
  const text = readStored("sessionStorage", key);
  if (text !== read.text) read = { text, list: parse(text) };
  return read.list;
}

function parse(text: string | null): SeenList {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    if (typeof value !== "object" || value === null || !("path" in value) || !("ids" in value)) return unknown;
    const { path, ids } = value;
    // Only this module writes here, but the address must stay one of the list.
    if (typeof path !== "string" || !/^\/applications(\?|$)/.test(path) || !Array.isArray(ids)) return unknown;
    return { path, ids: ids.filter((id) => typeof id === "number") };
  } catch {
    return unknown;
  }
}
