import { Copy, CornerDownRight, CornerLeftUp, FolderInput, ListPlus, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { emptyNode, type ItemForm } from "../item-form";
import { focusTreeItem } from "./item-tree";
import type { NodeChoice } from "./use-node-choice";
import {
  addNode,
  copyNode,
  countNodes,
  findPath,
  freeName,
  listTargets,
  moveNode,
  type NodePath,
  removeNode,
  whyNoMove,
} from "../tree-edit";
import { deepestLevel, maxNodes } from "@/lib/records/vehicle-data/rules";
import { IconButton } from "@/app/_components/ui/icon-button";
import { showDone } from "@/app/_components/feedback/show-toast";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";

export type ChangeItem = (update: (form: ItemForm) => ItemForm) => void;

const MoveDialog = dialogOnDemand(() => import("./move-dialog").then((m) => m.MoveDialog));

const newUid = () => `new-${crypto.randomUUID()}`;

export function TreeToolbar({
  choice: { root, path, choose },
  change,
}: Readonly<{ choice: NodeChoice; change: ChangeItem }>) {
  const [isMoving, setIsMoving] = useState(false);
  const [node, parent, grandparent] = [path.at(-1) ?? root, path.at(-2), path.at(-3)];
  const called = node.name === "" ? "the unnamed item" : node.name;
  const struct = parent && findStructBeside(parent.params, node.uid);
  const whyFull = countNodes(root) >= maxNodes ? `More than ${maxNodes} nodes are not allowed` : null;
  const whyNoneInside =
    node.type !== "Struct"
      ? "Only a Struct can contain other items"
      : path.length >= deepestLevel
        ? `More than ${deepestLevel} levels are not allowed`
        : whyFull;
  const atTop = parent ? null : "Not available for the item itself";

  function add(parentUid: string, after?: string) {
    const uid = newUid();
    change((form) => addNode(form, parentUid, emptyNode(uid), after));
    choose(uid, { isFresh: true });
  }

  function duplicate() {
    if (parent === undefined) return;
    const copy = copyNode(node, freeName(node.name, parent.params), newUid);
    change((form) => addNode(form, parent.uid, copy, node.uid));
    choose(copy.uid, { isFresh: true });
  }

  function remove() {
    if (parent === undefined) return;
    const at = parent.params.findIndex(({ uid }) => uid === node.uid);
    const before = parent.params[at - 1]?.uid;
    change((form) => removeNode(form, node.uid));
    const neighbour = parent.params[at + 1] ?? parent.params[at - 1] ?? parent;
    choose(neighbour.uid);
    focusTreeItem(neighbour.uid);
    showDone(`Removed ${called}${node.params.length > 0 ? " with all that is inside" : ""}`, {
      label: "Undo",
      onClick: () => {
        change((form) => (findPath(form, node.uid) ? form : addNode(form, parent.uid, node, before)));
        choose(node.uid);
        focusTreeItem(node.uid);
      },
    });
  }

  function move(targetUid: string, after?: string) {
    change((form) => moveNode(form, node.uid, targetUid, after));
    choose(node.uid);
  }

  const whyNotUp = grandparent ? null : (atTop ?? "Already at the top level");
  const whyNotDown = !struct ? "There is no struct next to it" : whyNoMove(root, node.uid, struct.uid);
  const hasTargets = listTargets(root, node.uid).length > 0;
  return (
    <div
      role="toolbar"
      aria-label="Change the structure"
      className="flex flex-wrap items-center gap-0.5 border-b border-line px-2 py-1"
    >
      <Act icon={ListPlus} label={`Add inside ${called}`} why={whyNoneInside} act={() => add(node.uid)} />
      <Act
        icon={Plus}
        label={`Add after ${called}`}
        why={atTop ?? whyFull}
        act={() => {
          if (parent) add(parent.uid, node.uid);
        }}
      />
      <Act
        icon={Copy}
        label={`Duplicate ${called}`}
        why={atTop ?? (countNodes(root) + countNodes(node) > maxNodes ? (whyFull ?? "Too many nodes") : null)}
        act={duplicate}
      />
      <span aria-hidden="true" className="mx-1 h-5 w-px bg-line" />
      <Act
        icon={CornerLeftUp}
        label={`Move ${called} up a level`}
        why={whyNotUp}
        act={() => {
          if (grandparent && parent) move(grandparent.uid, parent.uid);
        }}
      />
      <Act
        icon={CornerDownRight}
        label={
          struct && !whyNotDown
            ? `Move ${called} down into ${struct.name || "the struct next to it"}`
            : `Move ${called} down a level`
        }
        why={atTop ?? whyNotDown}
        act={() => {
          if (struct) move(struct.uid);
        }}
      />
      <Act
        icon={FolderInput}
        label={`Move ${called} to…`}
        why={atTop ?? (hasTargets ? null : "No other struct has room for it")}
        act={() => setIsMoving(true)}
      />
      <span aria-hidden="true" className="mx-1 h-5 w-px bg-line" />
      <Act icon={Trash2} label={`Remove ${called}`} why={atTop} act={remove} />
      {isMoving && (
        <MoveDialog root={root} path={path} onMove={(uid) => move(uid)} onClose={() => setIsMoving(false)} />
      )}
    </div>
  );
}

/** The struct above, otherwise the one below: the target of "a level down". */
function findStructBeside(siblings: NodePath, uid: string) {
  const at = siblings.findIndex((one) => one.uid === uid);
  const isStruct = ({ type }: NodePath[number]) => type === "Struct";
  return siblings.slice(0, at).findLast(isStruct) ?? siblings.slice(at + 1).find(isStruct);
}

function Act({
  icon,
  label,
  why,
  act,
}: Readonly<{ icon: typeof Plus; label: string; why: string | null; act: () => void }>) {
  return (
    <IconButton
      icon={icon}
      label={why === null ? label : `${label}. ${why}`}
      size="icon-sm"
      disabled={why !== null}
      onClick={act}
    />
  );
}
