"use client";
import { useMemo } from "react";
import { useStoredText } from "@/app/_components/hooks/use-preference";
import type { ChangedItemJson } from "@/lib/content/releases/answer-schema";

/** Marks that are kept; the oldest go first. */
const most = 2000;

const markOf = ({ family, id }: Pick<ChangedItemJson, "family" | "id">) => `${family}:${id}`;

/**
 * Which items the reader has looked at, kept in this browser. A mark belongs to one stored version and so falls off when
 * the item changes (L8).
 */
export function useViewed() {
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
