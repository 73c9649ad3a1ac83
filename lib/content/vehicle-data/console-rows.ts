import type { VehicleDataNode, VehicleDataRecord } from "@/lib/content/vehicle-data/rules";
import type { RecordStatus } from "@/lib/labels/vocabulary";

export interface GroupLink {
  readonly id: number;
  readonly name: string;
}

/** What the list says of an item as a whole. */
export interface ItemFacts {
  readonly status: RecordStatus;
  readonly isDeleted: boolean;
  readonly isNew: boolean;
  readonly changedAt: string;
  readonly usedBy: readonly GroupLink[];
  /** How many of the nodes inside are what is searched for; 0 when nothing is. */
  readonly foundInside: number;
}

/** One line of the list: an item, or something inside an item that is open or was searched for. */
export interface VehicleDataRow {
  readonly id: number;
  readonly rootId: number;
  /** 0 for an item itself. */
  readonly depth: number;
  readonly name: string;
  readonly type: string;
  readonly isArray: boolean;
  readonly key: string;
  readonly limits: string;
  readonly isMandatory: boolean;
  /** How many nodes are inside, at all depths. */
  readonly nested: number;
  readonly isFound: boolean;
  /** Null on what is inside an item. */
  readonly item: ItemFacts | null;
}

/** What is looked for; empty texts look for nothing. */
export interface NodeSearch {
  readonly q: string;
  readonly type: string;
}

/** Most nodes of one item that a search brings into the list; opening the item shows all. */
const maxFound = 20;

export const isSearching = ({ q, type }: NodeSearch) => q !== "" || type !== "";

/** Whether a node is what is looked for: text in name, key or type, upper and lower case alike, and the type in full. */
export function isNodeFound(node: Pick<VehicleDataNode, "name" | "key" | "type">, { q, type }: NodeSearch): boolean {
  if (type !== "" && node.type !== type) return false;
  const wanted = q.toLowerCase();
  return [node.name, node.key, node.type].some((text) => text.toLowerCase().includes(wanted));
}

/** The lines of an item: itself, and all that is inside if it is open, else what a search found there. */
export function buildItemRows(
  record: VehicleDataRecord,
  facts: Omit<ItemFacts, "foundInside" | "status" | "isDeleted" | "changedAt">,
  { isOpen, search }: { readonly isOpen: boolean; readonly search: NodeSearch },
): VehicleDataRow[] {
  const depths = new Map<number, number>();
  const parents = new Map(record.nodes.map(({ id, parentId }) => [id, parentId]));
  const nested = countNested(record.nodes, parents);
  const found = new Set(
    isSearching(search) ? record.nodes.filter((node) => isNodeFound(node, search)).map(({ id }) => id) : [],
  );
  const inside = [...found].filter((id) => id !== record.id);
  const shown = new Set<number>([record.id]);
  for (const id of isOpen ? parents.keys() : inside.slice(0, maxFound)) {
    for (let at: number | null = id; at !== null; at = parents.get(at) ?? null) shown.add(at);
  }
  return record.nodes.flatMap((node): VehicleDataRow[] => {
    const depth = node.parentId === null ? 0 : (depths.get(node.parentId) ?? 0) + 1;
    depths.set(node.id, depth);
    if (!shown.has(node.id)) return [];
    const { status, isDeleted, createdAt } = record;
    const item = { ...facts, status, isDeleted, changedAt: createdAt.toISOString(), foundInside: inside.length };
    return [
      {
        id: node.id,
        rootId: record.id,
        depth,
        name: node.name,
        type: node.type,
        isArray: node.array,
        key: node.key,
        limits: describeLimits(node),
        isMandatory: node.mandatory,
        nested: nested.get(node.id) ?? 0,
        isFound: found.has(node.id),
        item: depth === 0 ? item : null,
      },
    ];
  });
}

function countNested(nodes: readonly VehicleDataNode[], parents: ReadonlyMap<number, number | null>) {
  const counts = new Map<number, number>();
  for (const { parentId } of nodes) {
    for (let at = parentId; at !== null; at = parents.get(at) ?? null) counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  return counts;
}

type Limits = Pick<
  VehicleDataNode,
  "type" | "array" | "minLength" | "maxLength" | "minSize" | "maxSize" | "minValue" | "maxValue"
>;

/** The limits of a node in a few words: "0…250", "at most 40 characters · 1…4 elements"; empty without any. */
export function describeLimits(node: Limits): string {
  const parts = [
    describeRange(node.minValue, node.maxValue, ""),
    describeRange(node.minLength, node.maxLength, "characters"),
    describeRange(node.minSize, node.maxSize, "elements"),
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

function describeRange(min: number | null, max: number | null, unit: string): string {
  if (min === null && max === null) return "";
  const range = min === null ? `≤ ${max}` : max === null ? `≥ ${min}` : min === max ? String(min) : `${min}…${max}`;
  return unit === "" ? range : `${range} ${unit}`;
}
