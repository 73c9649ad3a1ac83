import { ChevronRight, CircleAlert } from "lucide-react";
import type { CSSProperties } from "react";
import type { NodeProblems } from "@/app/(console)/vehicledata/check-item";
import type { NodeForm } from "@/app/(console)/vehicledata/item-form";
import { cn } from "@/app/_components/ui/cn";

export interface Line {
  readonly node: NodeForm;
  readonly parentUid: string | null;
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
}

/** One node of the tree: name, type, and how many problems it has. */
export function TreeLine({
  line: { node, level, position, siblings },
  isOpen,
  isSelected,
  shown,
  onChoose,
  onOpen,
}: Readonly<{
  line: Line;
  /** Undefined where nothing is inside. */
  isOpen: boolean | undefined;
  isSelected: boolean;
  shown: ReadonlyMap<string, NodeProblems>;
  onChoose: () => void;
  onOpen: (isOpen: boolean) => void;
}>) {
  const faults = countFaults(node, shown, isOpen === false);
  return (
    <div
      role="treeitem"
      data-uid={node.uid}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={isSelected}
      aria-expanded={isOpen}
      tabIndex={isSelected ? 0 : -1}
      className={cn(
        "flex min-h-7 cursor-default items-center gap-1 rounded-control pr-2 pl-[calc(var(--depth)*0.625rem+0.125rem)] -outline-offset-2 sm:pl-[calc(var(--depth)*1.125rem+0.125rem)] pointer-coarse:min-h-11",
        isSelected ? "bg-accent-soft" : "hover:bg-hover",
      )}
      style={{ "--depth": level - 1 } as CSSProperties}
      onClick={onChoose}
    >
      {isOpen === undefined ? (
        <span aria-hidden="true" className="w-6 shrink-0" />
      ) : (
        <span
          aria-hidden="true"
          className="grid size-6 shrink-0 place-items-center rounded-control text-muted hover:bg-active"
          onClick={(event) => {
            event.stopPropagation();
            onOpen(!isOpen);
          }}
        >
          <ChevronRight className={cn("size-4 transition-transform", isOpen && "rotate-90")} />
        </span>
      )}
      <span
        className={cn("relative min-w-0 truncate", level === 1 && "font-semibold", node.name === "" && "text-muted")}
      >
        {node.name === "" ? "unnamed" : node.name}
        <span className="sr-only">, </span>
      </span>
      <span className="ml-auto flex shrink-0 items-center gap-1.5 pl-2 text-xs text-muted">
        <span className="max-w-28 truncate">
          {node.type}
          {node.array && " list"}
        </span>
        {faults > 0 && (
          <span className="inline-flex items-center gap-0.5 font-medium text-bad">
            <CircleAlert aria-hidden="true" className="size-3.5" />
            <span className="sr-only">, </span>
            {faults}
            <span className="sr-only">{faults === 1 ? " problem" : " problems"}</span>
          </span>
        )}
      </span>
    </div>
  );
}

/** Problems of a node; of a closed one those inside count as well. */
function countFaults(node: NodeForm, shown: ReadonlyMap<string, NodeProblems>, isClosed: boolean): number {
  const own = Object.keys(shown.get(node.uid) ?? {}).length;
  return isClosed ? node.params.reduce((sum, child) => sum + countFaults(child, shown, true), own) : own;
}
