import { type VehicleDataNode, type VehicleDataRecord } from "@/lib/vehicle-data/rules";

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

/** What a promotion does with one item. */
export interface ItemChange {
  readonly kind: "new" | "modified" | "deleted";
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

/**
 * Compares an item with what production has of it; nodes are the same when their names and those above them are.
 *
 * @param before null: production does not have it
 */
export function compareItems(before: VehicleDataRecord | null, after: VehicleDataRecord): ItemChange {
  const [old, now] = [before === null ? new Map<string, string>() : contentByPath(before), contentByPath(after)];
  if (after.isDeleted) return { kind: "deleted", added: 0, removed: old.size, changed: 0 };
  if (before === null) return { kind: "new", added: now.size, removed: 0, changed: 0 };
  const added = [...now.keys()].filter((path) => !old.has(path)).length;
  const removed = [...old.keys()].filter((path) => !now.has(path)).length;
  const changed = [...now].filter(([path, content]) => old.has(path) && old.get(path) !== content).length;
  return { kind: "modified", added, removed, changed };
}

function contentByPath({ nodes }: VehicleDataRecord): Map<string, string> {
  const paths = new Map<number, string>();
  const contents = new Map<string, string>();
  for (const { id, parentId, ...content } of nodes) {
    const path = `${parentId === null ? "" : (paths.get(parentId) ?? "")}/${encodeURIComponent(content.name)}`;
    paths.set(id, path);
    contents.set(path, JSON.stringify(Object.entries(content).sort()));
  }
  return contents;
}
