import { type NodeForm, readLimit, usableLimits } from "./item-form";
import { type LimitName, limitNames } from "@/lib/vocabulary/terms";
import { whyUnfitName } from "@/lib/vocabulary/whole-text";
import { countNodes, listPaths } from "./tree-edit";
import { anyType, maxNodes } from "@/lib/records/vehicle-data/rules";
import { capital } from "@/lib/vocabulary/format-number";

export const fieldLabels = {
  name: "Name",
  key: "Key",
  type: "Type",
  minLength: "Min length",
  maxLength: "Max length",
  minSize: "Min size",
  maxSize: "Max size",
  minValue: "Min value",
  maxValue: "Max value",
} as const satisfies Readonly<Record<"name" | "key" | "type" | LimitName, string>>;

export type FieldName = keyof typeof fieldLabels;

export type NodeProblems = Readonly<Partial<Record<FieldName, Problem>>>;

export interface Problem {
  readonly message: string;
  /** Not reported before the reader has had a chance to fill it in. */
  readonly isMissing: boolean;
}

export interface CheckFacts {
  readonly types: readonly string[];
  /** False while every type is accepted because no RPC specification is stored. */
  readonly isSpecified: boolean;
  readonly natives: readonly string[];
  readonly taken: Readonly<Record<string, number>>;
}

const longestBytes = 255;

/** `api.md` 14.3; by the uid of the node, without valid nodes. */
export function checkItem(root: NodeForm, facts: CheckFacts): ReadonlyMap<string, NodeProblems> {
  const found = new Map<string, NodeProblems>();
  const natives = new Set(facts.natives);
  const isTooMany = countNodes(root) > maxNodes;
  for (const path of listPaths(root)) {
    const [node, parent] = [path.at(-1) ?? root, path.at(-2)];
    const siblings = parent?.params ?? [];
    const problems = {
      name:
        whyBadText(node.name) ??
        whyNameTaken(node, siblings, natives, path.length === 1 ? facts.taken : {}) ??
        (isTooMany && parent === undefined ? wrong(`More than ${maxNodes} nodes in all`) : null),
      key: whyBadText(node.key),
      type: whyBadType(node, facts),
      ...whyBadLimits(node),
    };
    const own = Object.entries(problems).filter(([, problem]) => problem !== null);
    if (own.length > 0) found.set(node.uid, Object.fromEntries(own));
  }
  return found;
}

const wrong = (message: string): Problem => ({ message, isMissing: false });
const missing = (message: string): Problem => ({ message, isMissing: true });

function whyBadText(text: string): Problem | null {
  if (text === "") return missing("Required");
  const [character] = /[\p{White_Space}\p{Cc}!@#$%^&*]/u.exec(text) ?? [];
  if (character !== undefined) return wrong(`${nameCharacter(character)} is not allowed because head units refuse it`);
  const hidden = whyUnfitName(text);
  if (hidden !== null) return wrong(capital(hidden));
  if (!text.isWellFormed()) return wrong("Holds half a character");
  const bytes = new TextEncoder().encode(text).length;
  return bytes > longestBytes ? wrong(`${bytes} bytes long; at most ${longestBytes} are allowed`) : null;
}

function nameCharacter(character: string): string {
  if (character === " ") return "A space";
  if (/\p{White_Space}/u.test(character)) return "White space";
  return /\p{Cc}/u.test(character) ? "A control character" : `The character ${character}`;
}

function whyNameTaken(
  { uid, name }: NodeForm,
  siblings: readonly NodeForm[],
  natives: ReadonlySet<string>,
  taken: Readonly<Record<string, number>>,
): Problem | null {
  if (natives.has(name)) return wrong(`${name} is native vehicle data in the RPC specification. Choose another name`);
  if (Object.hasOwn(taken, name)) return wrong("An item with this name exists. Choose another name");
  const hasTwin = siblings.some((one) => one.uid !== uid && one.name === name);
  return hasTwin ? wrong(`${name} is used twice on this level`) : null;
}

function whyBadType({ type, params }: NodeForm, { types, isSpecified }: CheckFacts): Problem | null {
  if (type === "") return missing("Required");
  if (!types.includes(type) && (isSpecified || !anyType.test(type))) {
    return wrong(`${type} is not a type of the RPC specification in use`);
  }
  return params.length > 0 && type !== "Struct" ? wrong(`Only a Struct can contain other items, not ${type}`) : null;
}

function whyBadLimits(node: NodeForm): Partial<Record<LimitName, Problem | null>> {
  const usable = usableLimits(node);
  const problems: Partial<Record<LimitName, Problem | null>> = {};
  for (const name of limitNames) if (usable.includes(name)) problems[name] = whyBadNumber(name, node);
  for (const [min, max] of limitPairs) {
    const [low, high] = [readLimit(node[min]), readLimit(node[max])];
    if (!usable.includes(min) || problems[min] || problems[max] || low === null || high === null) continue;
    if (low > high) problems[max] = wrong(`Less than the minimum, ${low}`);
  }
  return problems;
}

const limitPairs = [
  ["minLength", "maxLength"],
  ["minSize", "maxSize"],
  ["minValue", "maxValue"],
] as const satisfies readonly (readonly [LimitName, LimitName])[];

/** The API's number format: digits, a sign, and for a Float a fraction or exponent. */
function whyBadNumber(name: LimitName, node: NodeForm): Problem | null {
  const text = node[name].trim();
  if (text === "") return null;
  const isValue = name === "minValue" || name === "maxValue";
  if (isValue && node.type === "Float") {
    const isNumber = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text));
    return isNumber ? null : wrong("Not a number. Use a form like -1.5");
  }
  const isWhole = /^-?\d+$/.test(text);
  if (!isWhole) return wrong("Not a whole number");
  if (!isValue && Number(text) < 0) return wrong("Must be 0 or more");
  return Number.isSafeInteger(Number(text)) ? null : wrong("Too large");
}
