import { ChevronDown, ChevronRight } from "lucide-react";
import { cn } from "@/app/_components/ui/cn";
import type { JsonRow } from "@/app/_components/json-viewer/json-tree";
import { formatNumber } from "@/lib/vocabulary/format-number";

/** In pixels; the virtual list depends on it. */
export const lineHeight = 24;
const indentPixels = 18;

export function JsonLine({
  row,
  id,
  isActive,
  isMatch,
  onPick,
}: Readonly<{
  row: JsonRow;
  id: string;
  isActive: boolean;
  isMatch: boolean;
  onPick: () => void;
}>) {
  const { path, key, value, size, isOpen, position, siblings } = row;
  const Arrow = isOpen ? ChevronDown : ChevronRight;
  return (
    <div
      role="treeitem"
      id={id}
      aria-level={path.length + 1}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={isActive}
      aria-expanded={size === null || size === 0 ? undefined : isOpen}
      onClick={onPick}
      className={cn(
        "flex cursor-default items-center gap-1 pr-3 font-mono text-xs leading-6 whitespace-nowrap hover:bg-hover",
        isMatch && "bg-warn-soft",
        isActive && "bg-accent-soft outline-1 -outline-offset-1 outline-accent-line",
      )}
      style={{ height: lineHeight, paddingLeft: 8 + path.length * indentPixels }}
    >
      <span aria-hidden="true" className="grid size-4 shrink-0 place-items-center text-muted">
        {size !== null && size > 0 && <Arrow className="size-3.5" />}
      </span>
      {key !== null && (
        <>
          <span className={typeof key === "number" ? "text-muted" : "font-medium text-text"}>{key}</span>
          <span className="text-muted">:</span>
        </>
      )}
      {size === null ? <PlainValue value={value} /> : <Inside value={value} size={size} />}
      {isMatch && <span className="sr-only">, found</span>}
    </div>
  );
}

function PlainValue({ value }: Readonly<{ value: unknown }>) {
  // Types also differ without colour: quotes, digits, words.
  const look = typeof value === "string" ? "text-good" : typeof value === "number" ? "text-link" : "text-warn";
  return <span className={cn("overflow-hidden text-ellipsis", look)}>{JSON.stringify(value)}</span>;
}

function Inside({ value, size }: Readonly<{ value: unknown; size: number }>) {
  const isList = Array.isArray(value);
  if (size === 0) return <span className="text-muted">{isList ? "[ ]" : "{ }"}</span>;
  const words = isList ? ["item", "items"] : ["member", "members"];
  return (
    <span className="text-muted">
      {isList ? "[…]" : "{…}"} <span className="text-2xs">{`${formatNumber(size)} ${words[size === 1 ? 0 : 1]}`}</span>
    </span>
  );
}
