import { useState } from "react";
import type { NodeProblems } from "../check-item";
import { type ItemForm, rootUid } from "../item-form";
import { findPath, listPaths, type NodePath } from "../tree-edit";
import type { VehicleDataPage } from "@/lib/records/vehicle-data/editor-queries";

/** The name field of a fresh node gets the focus. */
export type ChooseNode = (uid: string, options?: { readonly isFresh?: boolean }) => void;

interface Choice {
  readonly uid: string;
  /** After a save a node has another uid, but the same names. */
  readonly names: readonly string[];
  readonly isFresh: boolean;
}

/** Incomplete fields are not reported before the reader selects another node or tries to save. */
export function useNodeChoice(root: ItemForm, problems: ReadonlyMap<string, NodeProblems>, firstUid: string) {
  const [choice, setChoice] = useState<Choice>({ uid: firstUid, names: [], isFresh: false });
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isAsked, setIsAsked] = useState(0);
  const found = findPath(root, choice.uid) ?? findByNames(root, choice.names);
  const path = found ?? [root];
  const uid = path.at(-1)?.uid ?? rootUid;
  const names = path.slice(1).map(({ name }) => name);
  if (found !== null && uid !== choice.uid) setChoice({ uid, names, isFresh: false });
  else if (found !== null && names.join("/") !== choice.names.join("/")) setChoice({ ...choice, names });
  const shown = new Map<string, NodeProblems>();
  for (const [node, own] of problems) {
    const fields = Object.entries(own).filter(([, { isMissing }]) => !isMissing || isAsked > 0 || left.has(node));
    if (fields.length > 0) shown.set(node, Object.fromEntries(fields));
  }
  const choose: ChooseNode = (next, { isFresh = false } = {}) => {
    if (next !== uid) setLeft((before) => new Set(before).add(uid));
    setChoice({ uid: next, names: [], isFresh });
  };
  return {
    root,
    path,
    uid,
    /** New: its name is typed first. */
    isFresh: choice.isFresh,
    shown: shown as ReadonlyMap<string, NodeProblems>,
    /** Increases with each attempt to save. */
    isAsked,
    choose,
    revealAll: () => {
      setIsAsked((count) => count + 1);
      const first = listPaths(root).find((one) => problems.has(one.at(-1)?.uid ?? ""));
      if (first) setChoice({ uid: first.at(-1)?.uid ?? rootUid, names: [], isFresh: false });
    },
  };
}

export type NodeChoice = ReturnType<typeof useNodeChoice>;

function findByNames(root: ItemForm, names: readonly string[]): NodePath | null {
  const path: NodePath[number][] = [root];
  for (const name of names) {
    const next = path.at(-1)?.params.find((child) => child.name === name);
    if (next === undefined) return null;
    path.push(next);
  }
  return path;
}

export type EditorFacts = Omit<VehicleDataPage, "item" | "nodeId"> & {
  readonly id: number;
  readonly copyOf: number | null;
  readonly isDeleted: boolean;
  readonly firstUid: string;
  readonly nodeIds: Readonly<Record<string, number>>;
};
