import { useWindowVirtualizer } from "@tanstack/react-virtual";
import {
  type ComponentProps,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useState,
} from "react";

export type RenderRow = (
  index: number,
  measure: ((element: Element | null) => void) | undefined,
  shown: readonly number[],
) => ReactNode;

export function VirtualRows({
  count,
  rowHeight,
  body,
  gap: GapOf = Gap,
  revealRef,
  renderRow,
}: Readonly<{
  count: number;
  /** In pixels, until a row has been measured. */
  rowHeight: number;
  body: RefObject<HTMLElement | null>;
  gap?: typeof Gap;
  /** Takes the function that scrolls to a row that may not be rendered. */
  revealRef?: Ref<(index: number) => void>;
  renderRow: RenderRow;
}>) {
  const { indexes, before, after, measure, reveal } = useVirtualRows({ count, rowHeight, body });
  useImperativeHandle(revealRef, () => reveal);
  return (
    <>
      <GapOf height={before} />
      {indexes.map((index) => renderRow(index, measure, indexes))}
      <GapOf height={after} />
    </>
  );
}

function Gap({ height }: Readonly<{ height: number }>) {
  return height > 0 ? <div aria-hidden="true" style={{ height }} /> : null;
}

export function VirtualTableRows(props: Omit<ComponentProps<typeof VirtualRows>, "gap">) {
  return <VirtualRows {...props} gap={RowGap} />;
}

function RowGap({ height }: Readonly<{ height: number }>) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true" className="max-md:block">
      <td style={{ height }} className="p-0" />
    </tr>
  );
}

const firstHeight = 1200;

/** The window itself scrolls, so that back restores the position. */
function useVirtualRows({
  count,
  rowHeight,
  body,
}: Readonly<{ count: number; rowHeight: number; body: RefObject<HTMLElement | null> }>) {
  const [scrollMargin, setScrollMargin] = useState(0);
  useEffect(() => {
    // Content above the list may grow: notices, filters. The observer also calls this at the start.
    const observer = new ResizeObserver(() => {
      if (body.current) setScrollMargin(Math.round(body.current.getBoundingClientRect().top + window.scrollY));
    });
    observer.observe(document.body);
    return () => observer.disconnect();
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
