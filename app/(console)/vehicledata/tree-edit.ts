import type { NodeForm } from "./item-form";
import { deepestLevel } from "@/lib/records/vehicle-data/rules";

/** The item itself first. */
export type NodePath = readonly NodeForm[];

export function findPath(root: NodeForm, uid: string): NodePath | null {
  if (root.uid === uid) return [root];
  for (const child of root.params) {
    const below = findPath(child, uid);
    if (below !== null) return [root, ...below];
  }
  return null;
}

export const countNodes = (node: NodeForm): number => node.params.reduce((sum, one) => sum + countNodes(one), 1);

export const countLevels = (node: NodeForm): number => 1 + Math.max(0, ...node.params.map(countLevels));

export function changeNode<T extends NodeForm>(root: T, uid: string, change: (node: NodeForm) => NodeForm): T {
  // Changes only members of `NodeForm`; other members of the root stay.
  if (root.uid === uid) return { ...root, ...change(root) };
  const params = root.params.map((child) => changeNode(child, uid, change));
  return params.every((child, index) => child === root.params[index]) ? root : { ...root, params };
}

/** Behind `after`, or at the end. */
export function addNode<T extends NodeForm>(root: T, parentUid: string, node: NodeForm, after?: string): T {
  return changeNode(root, parentUid, (parent) => {
    const at = parent.params.findIndex(({ uid }) => uid === after);
    return { ...parent, params: parent.params.toSpliced(at === -1 ? parent.params.length : at + 1, 0, node) };
  });
}

export function removeNode<T extends NodeForm>(root: T, uid: string): T {
  const parent = findPath(root, uid)?.at(-2);
  if (parent === undefined) return root;
  return changeNode(root, parent.uid, (node) => ({
    ...node,
    params: node.params.filter((child) => child.uid !== uid),
  }));
}

export function moveNode<T extends NodeForm>(root: T, uid: string, targetUid: string, after?: string): T {
  const node = findPath(root, uid)?.at(-1);
  if (node === undefined || whyNoMove(root, uid, targetUid) !== null) return root;
  return addNode(removeNode(root, uid), targetUid, node, after);
}

/** Null if it can move. */
export function whyNoMove(root: NodeForm, uid: string, targetUid: string): string | null {
  const [path, target] = [findPath(root, uid), findPath(root, targetUid)];
  const [node, goal] = [path?.at(-1), target?.at(-1)];
  if (node === undefined || goal === undefined || target === null || node === root) return "It is not in the tree";
  if (target.includes(node)) return "An item cannot be moved into itself";
  if (goal.type !== "Struct") return "Only a struct can contain other items";
  if (path?.at(-2) === goal) return "It is there already";
  if (target.length + countLevels(node) > deepestLevel) return `More than ${deepestLevel} levels`;
  return null;
}

export function listTargets(root: NodeForm, uid: string): NodePath[] {
  return listPaths(root).filter((path) => whyNoMove(root, uid, path.at(-1)?.uid ?? "") === null);
}

export function listPaths(root: NodeForm, above: NodePath = []): NodePath[] {
  const path = [...above, root];
  return [path, ...root.params.flatMap((child) => listPaths(child, path))];
}

/** Descendants also get new uids. */
export function copyNode(node: NodeForm, name: string, newUid: () => string): NodeForm {
  return { ...node, uid: newUid(), name, params: node.params.map((child) => copyNode(child, child.name, newUid)) };
}

/** "levelCopy", "levelCopy2" */
export function freeName(name: string, siblings: readonly NodeForm[]): string {
  const taken = new Set(siblings.map((one) => one.name));
  const base = `${name}Copy`;
  if (!taken.has(base)) return base;
  for (let number = 2; ; number++) if (!taken.has(`${base}${number}`)) return `${base}${number}`;
}

/** "cabinScent › level" */
export function describePath(path: NodePath): string {
  return path.map(({ name }) => (name === "" ? "unnamed" : name)).join(" › ");
}
