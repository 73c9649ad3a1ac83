import { jsonText } from "@/lib/policy/table/json-text";
import { byLowerCase } from "@/lib/vocabulary/order";
import type {
  PolicySnapshot,
  RpcSpecParam,
  SnapshotRpcSpec,
  SnapshotVehicleData,
  VehicleDataItem,
} from "@/lib/policy/table/snapshot";
import { limitNames, type Environment, type LimitName } from "@/lib/vocabulary/terms";

export type Report = (problem: { readonly record: string; readonly reason: string }) => void;

export interface SchemaItem {
  readonly name: string;
  readonly params?: readonly SchemaItem[];
  readonly [member: string]: unknown;
}

/** Rules V1 to V6: parameters of the RPC specification, then custom vehicle data of the environment's view. */
export function buildVehicleData(snapshot: PolicySnapshot, environment: Environment, report: Report): string {
  return jsonText({
    schema_version: schemaVersion(snapshot.rpcSpec, snapshot.vehicleData[environment]),
    schema_items: [...listSchemaItems(snapshot, environment, report).values()],
  });
}

/** The elements of the section's `schema_items` by name, in order (rules V2 to V6). */
export function listSchemaItems(
  snapshot: PolicySnapshot,
  environment: Environment,
  report: Report,
): ReadonlyMap<string, SchemaItem> {
  const items = new Map<string, SchemaItem>();
  const custom = customItems(snapshot.vehicleData[environment], report);
  for (const item of [...nativeVehicleData(snapshot.rpcSpec), ...custom]) {
    if (!items.has(item.name)) items.set(item.name, item);
  }
  return items;
}

/** Rule V1. Views contain the newest record of every name, and so the newest of all. */
function schemaVersion(spec: SnapshotRpcSpec | null, custom: readonly SnapshotVehicleData[]): string {
  const newest = custom.reduce<SnapshotVehicleData | null>(
    (best, one) => (best && best.id > one.id ? best : one),
    null,
  );
  const times = [spec?.storedAt ?? null, newest?.savedAt ?? null].filter((time) => time !== null);
  return times.length === 0 ? "0.000" : (Math.max(...times) / 1000).toFixed(3);
}

/** The native vehicle data of an RPC specification (rules V3, V4); empty if none is stored. */
export function nativeVehicleData(spec: SnapshotRpcSpec | null): SchemaItem[] {
  if (!spec) return [];
  const response = spec.functions.find(
    ({ name, messageType }) => name === "GetVehicleData" && messageType === "response",
  );
  const structs = new Map(spec.structs.map((struct) => [struct.name, struct.params]));
  return nativeItems(response?.params ?? [], structs, new Set());
}

function nativeItems(
  params: readonly RpcSpecParam[],
  structs: ReadonlyMap<string, readonly RpcSpecParam[]>,
  open: ReadonlySet<string>,
): SchemaItem[] {
  const items: SchemaItem[] = [];
  for (const param of params) {
    if (param.platform === "documentation") continue;
    const members = structs.get(param.type);
    if (!members) {
      items.push(nativeItem(param, param.type));
      continue;
    }
    // A struct that contains itself has no finite description, and head units refuse structs without parameters.
    if (open.has(param.type)) continue;
    const inner = nativeItems(members, structs, new Set(open).add(param.type));
    if (inner.length > 0) items.push({ ...nativeItem(param, "Struct"), params: inner });
  }
  return items;
}

/** Specifications have `array` only if it is true; a stored false was added by a parser. */
function nativeItem(param: RpcSpecParam, type: string): SchemaItem {
  return schemaItem({ ...param, type, key: param.name, array: isTrue(param.array) ? true : null }, true);
}

function customItems(records: readonly SnapshotVehicleData[], report: Report): SchemaItem[] {
  return buildCustomItems(
    records.filter((record) => !record.isDeleted),
    (name, reason) => report({ record: `vehicle data ${name}`, reason }),
  );
}

/** Rule V5: ascending by lower-case name on every level. `leaveOut` gets the dotted path of an item, and why. */
export function buildCustomItems(
  nodes: readonly VehicleDataItem[],
  leaveOut: (name: string, reason: string) => void,
): SchemaItem[] {
  const items: SchemaItem[] = [];
  for (const node of nodes.toSorted((a, b) => byLowerCase(a.name, b.name))) {
    const reason = whyRefused(node);
    if (reason !== null) {
      leaveOut(node.name, reason);
      continue;
    }
    const item = schemaItem(tableSpelling(node), false);
    if (node.type !== "Struct") {
      items.push(item);
      continue;
    }
    const params = buildCustomItems(node.params, (name, why) => leaveOut(`${node.name}.${name}`, why));
    if (params.length > 0) items.push({ ...item, params });
    else leaveOut(node.name, "a struct without usable parameters");
  }
  return items;
}

/** Whitespace, and the characters that a head unit refuses in names and keys. */
const refusedCharacters = /[\t\n\v\f\r !@#$%^&*]/;

/** Why a head unit refuses this name or key of custom vehicle data (rule V5), or null if it accepts it. */
export function whyNameRefused(text: string): string | null {
  if (text === "") return "empty";
  // Not `Buffer`, because the console uses this in the browser.
  if (new TextEncoder().encode(text).length > 255) return "longer than 255 bytes";
  if (text.includes("\0")) return "holds a NUL";
  return refusedCharacters.test(text) ? "holds a blank or one of !@#$%^&*" : null;
}

function whyRefused({ name, key, type }: VehicleDataItem): string | null {
  const badName = whyNameRefused(name);
  if (badName !== null) return `its name is refused by head units: ${badName}`;
  const badKey = whyNameRefused(key);
  if (badKey !== null) return `its key is refused by head units: ${badKey}`;
  return type === "" ? "it has no type" : null;
}

/** The name that tables have for a limit: `minLength` is `minlength` there (rule V6). */
export const tableLimit = (name: LimitName) => name.toLowerCase();

function tableSpelling(node: VehicleDataItem): ItemSource {
  return { ...node, ...Object.fromEntries(limitNames.map((name) => [tableLimit(name), node[name]])) };
}

/** The input of rule V6; any member may be null, absent or empty. */
interface ItemSource {
  readonly name: string;
  readonly [member: string]: unknown;
}

const booleanMembers = new Set(["deprecated", "removed", "array"]);
const limitMembers = new Set(["minlength", "maxlength", "minsize", "maxsize", "minvalue", "maxvalue"]);
const memberOrder = [
  ...["name", "type", "since", "until", "deprecated", "removed", "key", "mandatory"],
  ...["minlength", "maxlength", "minsize", "maxsize", "minvalue", "maxvalue", "array"],
];

/** Rule V6 without `params`. */
function schemaItem(source: ItemSource, mandatoryByDefault: boolean): SchemaItem {
  const item: Record<string, unknown> & { name: string } = { name: source.name };
  for (const member of memberOrder) {
    const value = source[member];
    const absent = value === null || value === undefined || value === "";
    if (member === "mandatory") item[member] = absent ? mandatoryByDefault : isTrue(value);
    else if (absent) continue;
    else if (booleanMembers.has(member)) item[member] = isTrue(value);
    else if (limitMembers.has(member)) {
      const limit = Number(value);
      if (Number.isFinite(limit)) item[member] = limit;
    } else item[member] = typeof value === "string" ? value : JSON.stringify(value);
  }
  return item;
}

function isTrue(value: unknown): boolean {
  return value === true || value === "true";
}
