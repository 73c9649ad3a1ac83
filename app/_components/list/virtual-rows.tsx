"use client";
import { type ReactNode, type Ref, type RefObject, useImperativeHandle } from "react";
import { useVirtualRows } from "@/app/_components/list/use-virtual-rows";

/** Renders a row of the list; `measure` takes its height. */
export type RenderRow = (index: number, measure?: (element: Element | null) => void) => ReactNode;

/** Of a long list, the rows around what is in view, between two spacers. Loaded for long lists only. */
export function VirtualRows({
  count,
  rowHeight,
  body,
  revealRef,
  renderRow,
}: Readonly<{
  count: number;
  /** In pixels, until a row has been measured. */
  rowHeight: number;
  body: RefObject<HTMLElement | null>;
  /** Is given what brings a row into the page. */
  revealRef: Ref<(index: number) => void>;
  renderRow: RenderRow;
}>) {
  const { indexes, before, after, measure, reveal } = useVirtualRows({ count, rowHeight, body });
  useImperativeHandle(revealRef, () => reveal);
  return (
    <>
      <Spacer height={before} />
      {indexes.map((index) => renderRow(index, measure))}
      <Spacer height={after} />
    </>
  );
}

/** Stands for rows that are out of view. */
function Spacer({ height }: Readonly<{ height: number }>) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true" className="max-md:block">
      <td style={{ height }} className="p-0" />
    </tr>
  );
}
