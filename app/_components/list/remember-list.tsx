"use client";
import { useSearchParams } from "next/navigation";
import { useEffect, useLayoutEffect } from "react";
import { type ListedItem, noteScroll, rememberList, takeReturn } from "@/app/_components/list/list-memory";

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
  useEffect(() => {
    // Whatever leads on is clicked, by keys as well.
    const onClick = () => {
      noteScroll(path);
    };
    window.addEventListener("click", onClick, true);
    return () => {
      window.removeEventListener("click", onClick, true);
    };
  }, [path]);
  return null;
}
