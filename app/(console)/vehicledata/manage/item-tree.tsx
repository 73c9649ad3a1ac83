import { useEffect, useRef, useState, type KeyboardEvent, type CSSProperties } from "react";
import type { NodeProblems } from "../check-item";
import type { NodeForm } from "../item-form";
import type { NodeChoice } from "./use-node-choice";
import { findPath } from "../tree-edit";
import { ChevronRight, CircleAlert } from "lucide-react";
import { cn } from "@/app/_components/ui/cn";

export function ItemTree({ choice: { root, uid: selectedUid, shown, choose } }: Readonly<{ choice: NodeChoice }>) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const tree = useRef<HTMLDivElement>(null);
  const above = new Set(findPath(root, selectedUid)?.map(({ uid }) => uid));
  above.delete(selectedUid);
  // The ancestors of the selected node are always open.
  const isClosed = (uid: string) => closed.has(uid) && !above.has(uid);
  const lines = listLines(root, isClosed);
  const index = lines.findIndex(({ node }) => node.uid === selectedUid);

  useEffect(() => {
    tree.current?.querySelector(`[aria-selected="true"]`)?.scrollIntoView({ block: "nearest" });
  }, [selectedUid]);

  function setOpen(uid: string, isOpen: boolean) {
    const next = new Set(closed);
    if (isOpen) next.delete(uid);
    else next.add(uid);
    setClosed(next);
  }

  function go(to: number) {
    const line = lines[Math.min(lines.length - 1, Math.max(0, to))];
    if (line === undefined) return;
    choose(line.node.uid);
    tree.current?.querySelector<HTMLElement>(`[data-uid="${CSS.escape(line.node.uid)}"]`)?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const line = lines[index];
    if (line === undefined) return;
    const isParent = line.node.params.length > 0;
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(index + 1),
      ArrowUp: () => go(index - 1),
      Home: () => go(0),
      End: () => go(lines.length - 1),
      ArrowRight: () => {
        if (isParent && isClosed(line.node.uid)) setOpen(line.node.uid, true);
        else if (isParent) go(index + 1);
      },
      ArrowLeft: () => {
        if (isParent && !isClosed(line.node.uid)) setOpen(line.node.uid, false);
        else go(lines.findIndex(({ node }) => node.uid === line.parentUid));
      },
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  }

  return (
    <div
      ref={tree}
      role="tree"
      aria-label="Structure"
      className="max-h-[min(32rem,60dvh)] overflow-y-auto p-1.5 text-table"
      onKeyDown={onKeyDown}
    >
      {lines.map((line) => (
        <TreeLine
          key={line.node.uid}
          line={line}
          isOpen={line.node.params.length === 0 ? undefined : !isClosed(line.node.uid)}
          isSelected={line.node.uid === selectedUid}
          shown={shown}
          onChoose={() => choose(line.node.uid)}
          onOpen={(isOpen) => setOpen(line.node.uid, isOpen)}
        />
      ))}
    </div>
  );
}

/** After a button or its target has disappeared. */
export function focusTreeItem(uid: string): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[role="treeitem"][data-uid="${CSS.escape(uid)}"]`)?.focus(),
  );
}

function listLines(root: NodeForm, isClosed: (uid: string) => boolean): Line[] {
  const list = (node: NodeForm, facts: Omit<Line, "node">): Line[] => [
    { node, ...facts },
    ...(isClosed(node.uid)
      ? []
      : node.params.flatMap((child, at) =>
          list(child, {
            parentUid: node.uid,
            level: facts.level + 1,
            position: at + 1,
            siblings: node.params.length,
          }),
        )),
  ];
  return list(root, { parentUid: null, level: 1, position: 1, siblings: 1 });
}

interface Line {
  readonly node: NodeForm;
  readonly parentUid: string | null;
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
}

function TreeLine({
  line: { node, level, position, siblings },
  isOpen,
  isSelected,
  shown,
  onChoose,
  onOpen,
}: Readonly<{
  line: Line;
  /** Undefined if it has no children. */
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

function countFaults(node: NodeForm, shown: ReadonlyMap<string, NodeProblems>, isClosed: boolean): number {
  const own = Object.keys(shown.get(node.uid) ?? {}).length;
  return isClosed ? node.params.reduce((sum, child) => sum + countFaults(child, shown, true), own) : own;
}
