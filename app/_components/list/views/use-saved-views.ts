"use client";
import { useMemo } from "react";
import {
  findNamed,
  formatViews,
  parseViews,
  type SavedView,
  withoutView,
  withView,
} from "@/app/_components/list/views/saved-views";
import { readPreference, useStoredText } from "@/app/_components/hooks/use-preference";

/** The views of a list that are kept in this browser, in the order of their names. */
export interface SavedViews {
  readonly views: readonly SavedView[];
  /** A view of the same name is replaced. */
  readonly save: (view: SavedView) => void;
  readonly remove: (name: string) => void;
  /** Brings a removed view back, unless its name has been given away since. */
  readonly restore: (view: SavedView) => void;
}

/** @param path path of the list, e.g. `/functionalgroups` */
export function useSavedViews(path: string): SavedViews {
  const key = `views:${path}`;
  const [text, setText] = useStoredText(key);
  return useMemo(() => {
    // Others may have changed it since this was drawn: another tab, or whoever waited before choosing "Undo".
    const change = (next: (views: readonly SavedView[]) => readonly SavedView[]) => {
      setText(formatViews(next(parseViews(readPreference(key)))));
    };
    return {
      views: parseViews(text),
      save: (view) => {
        change((views) => withView(views, view));
      },
      remove: (name) => {
        change((views) => withoutView(views, name));
      },
      restore: (view) => {
        change((views) => (findNamed(views, view.name) ? views : withView(views, view)));
      },
    };
  }, [key, text, setText]);
}
