import type { VehicleDataNode, VehicleDataRecord } from "@/lib/records/vehicle-data/rules";
import type { ListedRecord } from "@/lib/records/store/listing";

export interface GroupLink {
  readonly id: number;
  readonly name: string;
}

export interface ItemFacts extends Omit<ListedRecord, "id" | "name"> {
  readonly usedBy: readonly GroupLink[];
  readonly foundInside: number;
}

/** One row of the list: an item, or a node inside an item that is open or matches the search. */
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
  readonly nested: number;
  readonly isFound: boolean;
  readonly item: ItemFacts | null;
}

export interface NodeSearch {
  readonly q?: string | undefined;
  readonly type?: string | undefined;
}

/** Maximum number of matching nodes of one item in the list. Opening the item shows all. */
const maxFound = 20;

export const isSearching = ({ q, type }: NodeSearch) => (q ?? type) !== undefined;

export function isNodeFound(node: Pick<VehicleDataNode, "name" | "key" | "type">, { q, type }: NodeSearch): boolean {
  if (type !== undefined && node.type !== type) return false;
  const wanted = q?.toLowerCase() ?? "";
  return [node.name, node.key, node.type].some((text) => text.toLowerCase().includes(wanted));
}

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

/** The limits of a node as a short text: "0…250", "at most 40 characters · 1…4 elements"; empty without limits. */
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
