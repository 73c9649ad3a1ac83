"use client";
import { type ComponentProps, type ReactNode, type Ref, type RefObject, useImperativeHandle } from "react";
import { useVirtualRows } from "@/app/_components/list/table/use-virtual-rows";

/** Renders a row of the list; `measure` takes its height, `shown` are the rows that are in the page. */
export type RenderRow = (
  index: number,
  measure: ((element: Element | null) => void) | undefined,
  shown: readonly number[],
) => ReactNode;

/** Of a long list, the rows around what is in view, between two spacers. Loaded for long lists only. */
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
  /** Stands for rows that are out of view. */
  gap?: typeof Gap;
  /** Is given what brings a row into the page. */
  revealRef: Ref<(index: number) => void>;
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

/** The same within a table. */
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
