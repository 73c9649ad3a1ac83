import type { RecordFamily } from "@/app/_records/family";
import { recordKinds } from "@/app/_records/kinds";
import { vehicleDataPath } from "@/lib/records/vehicle-data/list-address";
import { type LimitName, limitNames } from "@/lib/vocabulary/terms";
import { recordOf, snakeName } from "@/lib/vocabulary/members";
import type { VehicleDataItem } from "@/lib/policy/table/snapshot";
import type { buildRecordBody } from "@/lib/records/vehicle-data/wire";

/** Numbers are strings, so that the input stays as typed, valid or not. */
export interface NodeForm extends Readonly<Record<LimitName, string>> {
  /** Identifies a node whatever its name; the item itself is `root`. */
  readonly uid: string;
  readonly name: string;
  readonly key: string;
  readonly type: string;
  readonly mandatory: boolean;
  readonly array: boolean;
  readonly params: readonly NodeForm[];
}

export interface ItemForm extends NodeForm {
  readonly isDeleted: boolean;
}

export const rootUid = "root";

/** A body, or the answer of the API. */
export type FormSource = NonNullable<ReturnType<typeof buildRecordBody>>;

/** Equal items give equal forms, because uids derive from names and parents. */
export function toForm(item: FormSource): ItemForm {
  return { ...toNode(item, rootUid), isDeleted: item.is_deleted };
}

function toNode(node: Omit<FormSource, "is_deleted">, uid: string): NodeForm {
  const seen = new Map<string, number>();
  const childUid = (name: string) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return `${uid}/${encodeURIComponent(name)}${count === 1 ? "" : `#${count}`}`;
  };
  return {
    uid,
    name: node.name ?? "",
    key: node.key ?? "",
    type: node.type ?? "",
    mandatory: node.mandatory,
    array: node.array,
    ...recordOf(limitNames, (name) => String(node[snakeName(name)] ?? "")),
    params: node.params.map((child) => toNode(child, childUid(child.name ?? ""))),
  };
}

export function emptyNode(uid: string): NodeForm {
  return {
    uid,
    name: "",
    key: "",
    type: "",
    mandatory: false,
    array: false,
    ...recordOf(limitNames, () => ""),
    params: [],
  };
}

export function usableLimits({ type, array }: Pick<NodeForm, "type" | "array">): readonly LimitName[] {
  return [
    ...(type === "String" ? (["minLength", "maxLength"] as const) : []),
    ...(type === "Integer" || type === "Float" ? (["minValue", "maxValue"] as const) : []),
    ...(array ? (["minSize", "maxSize"] as const) : []),
  ];
}

/** Set limits that don't apply to the type; a save omits them. */
export function uselessLimits(node: NodeForm): LimitName[] {
  const usable = usableLimits(node);
  return limitNames.filter((name) => node[name] !== "" && !usable.includes(name));
}

/** Null if it is empty or not a number. */
export function readLimit(text: string): number | null {
  const number = text.trim() === "" ? NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}

/** Limits that don't apply to a type are null. */
export function toBody({ isDeleted, ...root }: ItemForm, baseId: number | null) {
  // The top level cannot be mandatory: no message must contain it.
  return { ...toBodyNode({ ...root, mandatory: false }), is_deleted: isDeleted, base_id: baseId };
}

type BodyNode = Record<string, unknown>;

function toBodyNode(node: NodeForm): BodyNode {
  const usable = usableLimits(node);
  const limits = limitNames.map((name) => {
    const text = usable.includes(name) ? node[name].trim() : "";
    // An invalid number is sent as typed: the server says what is wrong with it.
    return [snakeName(name), text === "" ? null : (readLimit(text) ?? text)] as const;
  });
  return {
    name: node.name,
    key: node.key,
    type: node.type,
    mandatory: node.mandatory,
    array: node.array,
    ...Object.fromEntries(limits),
    params: node.type === "Struct" ? node.params.map(toBodyNode) : [],
  };
}

export function toPolicyItem(node: NodeForm): VehicleDataItem {
  const usable = usableLimits(node);
  return {
    name: node.name,
    key: node.key,
    type: node.type,
    mandatory: node.uid !== rootUid && node.mandatory,
    array: node.array,
    ...recordOf(limitNames, (name) => (usable.includes(name) ? readLimit(node[name]) : null)),
    params: node.params.map(toPolicyItem),
  };
}

export const itemFamily: RecordFamily<ItemForm> = {
  ...recordKinds.vehicleData,
  api: "/api/v1/vehicle-data",
  draftPrefix: "vehicle-data",
  pathAfter: (answer) => pathAfterSave(answer, []),
  nameOf: ({ name }) => name,
  toBody: (form, baseId, isDeleted) => toBody({ ...form, isDeleted }, baseId),
  toForm: (body) => toForm(body as FormSource),
};

interface Saved {
  readonly id: number;
  readonly name: string;
  readonly params: readonly Saved[];
}

/** `names`: the path from the item to the node. */
export function pathAfterSave(answer: unknown, names: readonly string[]): string | null {
  // The shape is that of `vehicleDataListAnswer`.
  const { custom_vehicle_data: saved } = answer as { readonly custom_vehicle_data?: readonly Saved[] };
  const root = saved?.[0];
  let node = root;
  for (const name of names) node = node?.params.find((child) => child.name === name);
  const id = node?.id ?? root?.id;
  return id === undefined ? null : vehicleDataPath(id, "staging");
}
