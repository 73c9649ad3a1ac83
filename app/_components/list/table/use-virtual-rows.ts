"use client";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useState, type RefObject } from "react";

/** What is assumed of a window before there is one. */
const firstHeight = 1200;

/** Of a long list, the rows around what is in view. The page itself scrolls, so that back finds the old place. */
export function useVirtualRows({
  count,
  rowHeight,
  body,
}: Readonly<{ count: number; rowHeight: number; body: RefObject<HTMLElement | null> }>) {
  const [scrollMargin, setScrollMargin] = useState(0);
  useEffect(() => {
    // What stands above the list may grow: notices, filters. The first call comes by itself.
    const observer = new ResizeObserver(() => {
      if (body.current) setScrollMargin(Math.round(body.current.getBoundingClientRect().top + window.scrollY));
    });
    observer.observe(document.body);
    return () => {
      observer.disconnect();
    };
  }, [body]);
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin,
    initialRect: { width: 0, height: firstHeight },
  });
  const items = virtualizer.getVirtualItems();
  return {
    indexes: items.map(({ index }) => index),
    before: (items[0]?.start ?? scrollMargin) - scrollMargin,
    after: virtualizer.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin),
    measure: virtualizer.measureElement,
    reveal: (index: number) => {
      virtualizer.scrollToIndex(index, { align: "center" });
    },
  } as const;
}
