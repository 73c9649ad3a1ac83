"use client";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useState, type RefObject } from "react";
import { mostPlainRows } from "@/app/_components/list/most-plain-rows";

/** What is assumed of a window before there is one. */
const firstHeight = 1200;

/** Of a long list, the rows around what is in view. The page itself scrolls, so that back finds the old place. */
export function useVirtualRows({
  count,
  rowHeight,
  body,
}: Readonly<{ count: number; rowHeight: number; body: RefObject<HTMLElement | null> }>) {
  const isVirtual = count > mostPlainRows;
  const [scrollMargin, setScrollMargin] = useState(0);
  useEffect(() => {
    if (!isVirtual) return;
    // What stands above the list may grow: notices, filters. The first call comes by itself.
    const observer = new ResizeObserver(() => {
      if (body.current) setScrollMargin(Math.round(body.current.getBoundingClientRect().top + window.scrollY));
    });
    observer.observe(document.body);
    return () => {
      observer.disconnect();
    };
  }, [isVirtual, body]);
  const virtualizer = useWindowVirtualizer({
    count,
    enabled: isVirtual,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin,
    initialRect: { width: 0, height: firstHeight },
  });
  if (!isVirtual) {
    return {
      indexes: Array.from({ length: count }, (_, index) => index),
      before: 0,
      after: 0,
      measure: undefined,
      reveal: () => undefined,
    } as const;
  }
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
