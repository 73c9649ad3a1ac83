import { z } from "zod";
import { recordId, type SnapshotVehicleData, type VehicleDataItem } from "@/lib/policy/table/snapshot";
import { recordStatuses } from "@/lib/labels/vocabulary";

const limit = z
  .number()
  .nullish()
  .transform((value) => value ?? null);
const yesNo = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);
const node = z.object({
  id: recordId,
  parentId: recordId.nullish().transform((id) => id ?? null),
  name: z.string(),
  key: z.string(),
  type: z.string(),
  mandatory: yesNo,
  minLength: limit,
  maxLength: limit,
  minSize: limit,
  maxSize: limit,
  minValue: limit,
  maxValue: limit,
  array: yesNo,
});
type Node = z.infer<typeof node>;

/** Names that the rules of the table refuse pass here: rule V5 leaves them out with a line of its own. */
export const vehicleDataDocument = z
  .object({
    _id: recordId,
    name: z.string(),
    status: z.enum(recordStatuses),
    isDeleted: z.boolean(),
    createdAt: z.date(),
    nodes: z.array(node).min(1),
  })
  .transform((document, context): SnapshotVehicleData => {
    const root = document.nodes.find((candidate) => candidate.id === document._id && candidate.parentId === null);
    if (root === undefined) {
      context.addIssue({ code: "custom", path: ["nodes"], message: "there is no root node" });
      return z.NEVER;
    }
    // Unique ids mean one parent each, and so a tree without loops below the root.
    if (new Set(document.nodes.map(({ id }) => id)).size < document.nodes.length) {
      context.addIssue({ code: "custom", path: ["nodes"], message: "two nodes share an id" });
      return z.NEVER;
    }
    return {
      ...buildItem(root, groupByParent(document.nodes)),
      name: document.name,
      id: document._id,
      status: document.status,
      isDeleted: document.isDeleted,
      savedAt: document.createdAt.getTime(),
    };
  });

function groupByParent(nodes: readonly Node[]): ReadonlyMap<number | null, readonly Node[]> {
  const groups = new Map<number | null, Node[]>();
  for (const child of nodes) {
    const siblings = groups.get(child.parentId);
    if (siblings === undefined) groups.set(child.parentId, [child]);
    else siblings.push(child);
  }
  return groups;
}

function buildItem(
  { id, parentId: _parent, ...item }: Node,
  children: ReadonlyMap<number | null, readonly Node[]>,
): VehicleDataItem {
  return { ...item, params: (children.get(id) ?? []).map((child) => buildItem(child, children)) };
}
