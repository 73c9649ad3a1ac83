import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import type { NodeProblems } from "@/app/(console)/vehicledata/check-item";
import type { ItemForm, NodeForm } from "@/app/(console)/vehicledata/item-form";
import { type Line, TreeLine } from "@/app/(console)/vehicledata/manage/tree-line";
import type { ChooseNode } from "@/app/(console)/vehicledata/manage/use-node-choice";
import { findPath } from "@/app/(console)/vehicledata/tree-edit";

/** The tree of an item. Arrows move, open and close; what has the focus is what the form shows. */
export function ItemTree({
  root,
  selectedUid,
  shown,
  choose,
}: Readonly<{
  root: ItemForm;
  selectedUid: string;
  shown: ReadonlyMap<string, NodeProblems>;
  choose: ChooseNode;
}>) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const tree = useRef<HTMLDivElement>(null);
  const above = new Set(findPath(root, selectedUid)?.map(({ uid }) => uid));
  above.delete(selectedUid);
  // What leads to the chosen node is open, whatever was closed.
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

/** Leads to a line of the tree once it is drawn: where a button has taken itself away, or what it was about. */
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
