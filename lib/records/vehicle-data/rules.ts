"one per process";

import { recordOf, snakeName } from "@/lib/vocabulary/members";
import { byLowerCase } from "@/lib/vocabulary/order";
import { whyNameRefused } from "@/lib/policy/table/vehicle-data";
import { type LimitName, limitNames, type RecordStatus } from "@/lib/vocabulary/terms";
import { byteLength } from "@/lib/vocabulary/byte-length";
import { whyUnfitName } from "@/lib/vocabulary/whole-text";

/** Types that every vehicle knows; the RPC specification adds its enumerations (`api.md` 14.6). */
export const basicTypes = ["Float", "String", "Boolean", "Integer", "Struct"] as const;

/** The members of a node in the order of the API (`api.md` 14.1). */
export const nodeMembers = ["name", "type", "key", "mandatory", ...limitNames, "array"] as const;

export interface VehicleDataInput extends Readonly<Record<LimitName, number | null>> {
  readonly name: string;
  readonly key: string;
  readonly type: string;
  readonly mandatory: boolean;
  readonly array: boolean;
  readonly params: readonly VehicleDataInput[];
}

export interface VehicleDataTreeInput extends VehicleDataInput {
  readonly isDeleted: boolean;
}

export interface VehicleDataNode extends Omit<VehicleDataInput, "params"> {
  readonly id: number;
  readonly parentId: number | null;
}

export interface VehicleDataContent {
  readonly name: string;
  readonly isDeleted: boolean;
  /** Parents come before their children, the root first. */
  readonly nodes: readonly VehicleDataNode[];
}

export interface VehicleDataRecord extends VehicleDataContent {
  readonly id: number;
  readonly status: RecordStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const deepestLevel = 10;
export const maxNodes = 500;
/** Limits of head units (section 8 of their rules): 32-bit numbers, and the number of params of one Struct. */
const greatestNumber = 2_147_483_647;
const maxParams = 255;

export class TreeRefusal extends Error {
  override readonly name = "TreeRefusal";
}

/** Reads a submitted tree (`api.md` 14.3) or throws TreeRefusal. Checks that need stored data follow in the command. */
export function readTree(body: Readonly<Record<string, unknown>>): VehicleDataTreeInput {
  const budget = { left: maxNodes };
  const root = readNode(body, "", 1, budget);
  const isDeleted = readBoolean(body.is_deleted, "is_deleted");
  // A deletion names a stored item, which may be older than the rules for names.
  if (!isDeleted) requireFitNames(root, "");
  return { ...root, isDeleted };
}

function requireFitNames({ name, key, params }: VehicleDataInput, path: string): void {
  for (const [member, text] of Object.entries({ name, key })) {
    const why = whyUnfitName(text);
    if (why !== null) throw new TreeRefusal(`${path}${member} ${why}`);
  }
  for (const [index, child] of params.entries()) requireFitNames(child, `${path}params[${index}].`);
}

function readNode(value: unknown, path: string, level: number, budget: { left: number }): VehicleDataInput {
  if (!isObject(value)) throw new TreeRefusal(`${path.slice(0, -1)} must be an object`);
  if (level > deepestLevel)
    throw new TreeRefusal(`${path}params must not be nested deeper than ${deepestLevel} levels`);
  budget.left -= 1;
  if (budget.left < 0) throw new TreeRefusal(`params must not hold more than ${maxNodes} nodes in all`);
  for (const name of ["name", "key", "type"]) requireText(value[name], path, name);
  const node = {
    name: readName(value.name, `${path}name`),
    key: readName(value.key, `${path}key`),
    type: readType(value.type, `${path}type`),
    mandatory: readBoolean(value.mandatory, `${path}mandatory`),
    ...readLimits(value, path),
    array: readBoolean(value.array, `${path}array`),
  };
  return { ...node, params: readParams(value.params, node.type, path, level, budget) };
}

/** All three must be present before any of them is validated (table of errors in 14.3). */
function requireText(value: unknown, path: string, name: string): void {
  if (value === undefined || value === null || value === "") throw new TreeRefusal(`${path}${name} is required`);
  if (typeof value !== "string") throw new TreeRefusal(`${path}${name} must be a string`);
}

function readName(value: unknown, path: string): string {
  const text = typeof value === "string" ? value : "";
  const reason = whyNameRefused(text);
  if (reason !== null) throw new TreeRefusal(`${path} is refused by head units: ${reason}`);
  if (isUnclean(text)) throw new TreeRefusal(`${path} must not hold control characters`);
  return text;
}

function readType(value: unknown, path: string): string {
  const text = typeof value === "string" ? value : "";
  if (byteLength(text) > 255 || isUnclean(text)) throw new TreeRefusal(`${path} is not a known type`);
  return text;
}

function isUnclean(text: string): boolean {
  return !text.isWellFormed() || /[\u0000-\u001f\u007f]/.test(text);
}

/** Bodies copied from other servers contain null for unset flags. */
function readBoolean(value: unknown, path: string): boolean {
  if (value === undefined || value === null || value === false || value === "false") return false;
  if (value === true || value === "true") return true;
  throw new TreeRefusal(`${path} must be true or false`);
}

function readLimits(value: Readonly<Record<string, unknown>>, path: string) {
  const limits = recordOf(limitNames, (limit) => {
    const name = snakeName(limit);
    if (!limit.endsWith("Value")) return readSize(value[name], `${path}${name}`);
    return readNumber(value[name], `${path}${name}`, value.type === "Integer");
  });
  for (const kind of ["Length", "Size", "Value"] as const) {
    const [min, max] = [limits[`min${kind}`], limits[`max${kind}`]];
    if (min === null || max === null || min <= max) continue;
    throw new TreeRefusal(`${path}${snakeName(`min${kind}`)} must not be above ${path}${snakeName(`max${kind}`)}`);
  }
  return limits;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function readSize(value: unknown, path: string): number | null {
  if (isEmpty(value)) return null;
  const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  const isUsable = typeof number === "number" && Number.isSafeInteger(number) && number >= 0;
  if (!isUsable) throw new TreeRefusal(`${path} must be an integer of 0 or more`);
  if (number > greatestNumber) throw new TreeRefusal(`${path} must not be above ${greatestNumber}`);
  return number + 0;
}

const decimal = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function readNumber(value: unknown, path: string, isWhole: boolean): number | null {
  if (isEmpty(value)) return null;
  const number = typeof value === "string" && decimal.test(value) ? Number(value) : value;
  const isUsable = typeof number === "number" && (isWhole ? Number.isSafeInteger(number) : Number.isFinite(number));
  if (!isUsable) throw new TreeRefusal(`${path} must be ${isWhole ? "an integer" : "a number"}`);
  if (Math.abs(number) > greatestNumber) {
    throw new TreeRefusal(`${path} must be from -${greatestNumber} to ${greatestNumber}`);
  }
  return number + 0;
}

function readParams(
  value: unknown,
  type: string,
  path: string,
  level: number,
  budget: { left: number },
): readonly VehicleDataInput[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new TreeRefusal(`${path}params must be a list`);
  if (value.length > 0 && type !== "Struct") throw new TreeRefusal(`${path}params is only for the type Struct`);
  const params = value.map((child, index) => readNode(child, `${path}params[${index}].`, level + 1, budget));
  if (params.length > maxParams) throw new TreeRefusal(`${path}params must not hold more than ${maxParams} items`);
  const seen = new Set<string>();
  for (const [index, { name }] of params.entries()) {
    if (seen.has(name)) throw new TreeRefusal(`Duplicate name: ${path}params[${index}].name`);
    seen.add(name);
  }
  return params;
}

/** Valid type names while no RPC specification is stored (`api.md` 14.6). */
export const anyType = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** The path of the first `type` that is not in 14.6, or null. `enumerations`: null if no specification is stored. */
export function findUnknownType(
  node: VehicleDataInput,
  enumerations: ReadonlySet<string> | null,
  path = "",
): string | null {
  const isBasic = basicTypes.some((type) => type === node.type);
  const isKnown = isBasic || (enumerations === null ? anyType.test(node.type) : enumerations.has(node.type));
  if (!isKnown) return `${path}type`;
  for (const [index, child] of node.params.entries()) {
    const found = findUnknownType(child, enumerations, `${path}params[${index}].`);
    if (found !== null) return found;
  }
  return null;
}

/** Flattens a tree for storage: parents before their children, children by name, numbered from 0. */
export function buildContent({ isDeleted, ...root }: VehicleDataTreeInput): VehicleDataContent {
  const nodes: VehicleDataNode[] = [];
  const add = ({ params, ...node }: VehicleDataInput, parentId: number | null): void => {
    const id = nodes.length;
    nodes.push({ ...node, id, parentId });
    for (const child of params.toSorted((a, b) => byLowerCase(a.name, b.name))) add(child, id);
  };
  add(root, null);
  return { name: root.name, isDeleted, nodes };
}

export function renumberNodes(nodes: readonly VehicleDataNode[], nextId: () => number): VehicleDataNode[] {
  const newIds = new Map(nodes.map(({ id }) => [id, nextId()]));
  const renumber = (id: number): number => {
    const found = newIds.get(id);
    if (found === undefined) throw new RangeError(`node ${id} is not part of the tree`);
    return found;
  };
  return nodes.map((node) => ({
    ...node,
    id: renumber(node.id),
    parentId: node.parentId === null ? null : renumber(node.parentId),
  }));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
