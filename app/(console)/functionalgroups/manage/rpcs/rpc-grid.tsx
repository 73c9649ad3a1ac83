import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import { type RpcRule, withRules, levelLabels } from "../../group-form";
import { levelOrder } from "@/lib/records/groups/rules";
import type { GroupPart } from "../group-facts";
import { removeColumn } from "./rpc-cells";
import { RpcRow, rowGrid } from "./rpc-row";
import { useGridKeys } from "./use-grid-keys";
import { usePrinting } from "@/app/_components/hooks/use-printing";
import { Checkbox } from "@/app/_components/fields/checkbox";
import { maxPlainRows } from "@/app/_components/list/table/most-plain-rows";
import type { RenderRow } from "@/app/_components/list/table/virtual-rows";
import { cn } from "@/app/_components/ui/cn";

const VirtualRows = dynamic(() => import("@/app/_components/list/table/virtual-rows").then((m) => m.VirtualRows));

interface Selection {
  readonly chosen: readonly string[];
  readonly onChoose: (names: readonly string[], isOn: boolean) => void;
}

export function RpcGrid({
  rows,
  part,
  ...selection
}: Readonly<Selection & { rows: readonly (readonly [name: string, rule: RpcRule])[]; part: GroupPart }>) {
  const { change } = part;
  const { chosen, onChoose } = selection;
  const isPrinting = usePrinting();
  const grid = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<readonly string[]>([]);
  // Set by the virtual list, which does not render every row.
  const revealRef = useRef<(index: number) => void>(null);
  const names = rows.map(([name]) => name);
  const columnCount = removeColumn + 1;
  const keys = useGridKeys({ grid, names, columnCount, reveal: (index) => revealRef.current?.(index) });
  const allIndexes = rows.map((_, index) => index);

  function remove(name: string, index: number) {
    change?.((value) => withRules(value, { [name]: null }));
    // The focus moves to the row that takes its place.
    requestAnimationFrame(() => keys.focus(Math.min(index, rows.length - 2), removeColumn));
  }

  const renderRow: RenderRow = (index, measure, shown) => {
    const row = rows[index];
    if (row === undefined) return null;
    const [name, rule] = row;
    return (
      <RpcRow
        key={name}
        name={name}
        rule={rule}
        part={part}
        row={{
          index,
          measure,
          isActive: (column) => keys.isActive(index, column, shown),
          isChosen: chosen.includes(name),
          onChoose: (isOn) => onChoose([name], isOn),
          isOpen: open.includes(name),
          onOpen: (isOpen) => setOpen(isOpen ? [...open, name] : open.filter((one) => one !== name)),
          onRemove: () => remove(name, index),
        }}
      />
    );
  };

  return (
    <div
      ref={grid}
      role="grid"
      aria-label="RPCs of this group"
      aria-rowcount={rows.length + 1}
      aria-multiselectable={change !== undefined}
      aria-readonly={change === undefined}
      className="border-t border-line text-table"
      onKeyDown={keys.onKeyDown}
      onFocus={keys.onFocus}
    >
      <GridHead names={names} isReadOnly={change === undefined} {...selection} />
      <div ref={body}>
        {rows.length > maxPlainRows && !isPrinting ? (
          <VirtualRows count={rows.length} rowHeight={41} body={body} revealRef={revealRef} renderRow={renderRow} />
        ) : (
          rows.map((_, index) => renderRow(index, undefined, allIndexes))
        )}
      </div>
    </div>
  );
}

function GridHead({
  names,
  isReadOnly,
  chosen,
  onChoose,
}: Readonly<Selection & { names: readonly string[]; isReadOnly: boolean }>) {
  const isAll = chosen.length === names.length;
  return (
    <div role="rowgroup" className="sticky top-[calc(var(--header)+var(--strip))] z-10">
      <div
        role="row"
        aria-rowindex={1}
        className={cn(rowGrid, "h-9 border-b border-line bg-surface text-xs font-medium text-muted")}
      >
        <span role="columnheader" className="flex">
          {isReadOnly ? (
            <span className="sr-only">Selection</span>
          ) : (
            <Checkbox
              label="Select all RPCs shown"
              checked={isAll}
              isMixed={chosen.length > 0 && !isAll}
              onChange={(isOn) => onChoose(names, isOn)}
              className="print:hidden"
            />
          )}
        </span>
        <span role="columnheader" className="max-sm:sr-only">
          RPC
        </span>
        {levelOrder.map((level) => (
          <span key={level} role="columnheader" title={levelLabels[level]} className="text-center">
            <span className="max-sm:sr-only">{level}</span>
            <span className="sm:hidden" aria-hidden="true">
              {level.slice(0, 1)}
            </span>
          </span>
        ))}
        <span role="columnheader">
          <span className="sr-only">Remove</span>
        </span>
      </div>
    </div>
  );
}
