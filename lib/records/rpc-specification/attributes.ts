import { whyNameRefused } from "@/lib/policy/table/vehicle-data";
import { SpecificationRefused } from "@/lib/records/rpc-specification/errors";
import type { XmlElement } from "@/lib/records/rpc-specification/xml";

const longestText = 255;

type Kind<T> = (text: string) => T | undefined;

const words: Kind<string> = (text) => (text.length <= longestText ? text : undefined);
const flag: Kind<boolean> = (text) => (text === "true" ? true : text === "false" ? false : undefined);
const decimal: Kind<number> = (text) => (/^[+-]?\d{1,30}(\.\d{1,30})?$/.test(text) ? Number(text) : undefined);

const history = { since: words, until: words, deprecated: flag, removed: flag } as const;

export const typeKinds = { ...history, internal_scope: words, platform: words } as const;
const memberKinds = {
  ...history,
  rootscreen: flag,
  mandatory: flag,
  value: decimal,
  hexvalue: words,
  internal_name: words,
  minlength: decimal,
  maxlength: decimal,
  minsize: decimal,
  maxsize: decimal,
  minvalue: decimal,
  maxvalue: decimal,
  array: flag,
  platform: words,
  defvalue: words,
} as const;

type ValueOf<K> = K extends Kind<infer T> ? T : never;
type Stored<N extends string> = N extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Tail>}` : N;
export type Facts<K> = { [N in keyof K & string as Stored<N>]?: ValueOf<K[N]> };

export function readFacts<K extends Readonly<Record<string, Kind<string | number | boolean>>>>(
  { attributes }: XmlElement,
  kinds: K,
  leaveOut: (attribute: string) => void,
): Facts<K> {
  const facts = Object.entries(kinds).flatMap(([attribute, read]) => {
    const text = attributes[attribute] ?? "";
    if (text === "") return [];
    const value = read(text);
    if (value === undefined) leaveOut(attribute);
    return value === undefined ? [] : [[attribute.replace(/_(.)/, (_, letter: string) => letter.toUpperCase()), value]];
  });
  // TypeScript cannot follow the renaming; `Stored` is the same rule as a type.
  return Object.fromEntries(facts) as Facts<K>;
}

export function requireText({ attributes }: XmlElement, attribute: string, where: string): string {
  const text = attributes[attribute] ?? "";
  if (text !== "" && text.length <= longestText) return text;
  const problem = text === "" ? `no ${attribute}` : `too long a ${attribute}`;
  throw new SpecificationRefused(`In the RPC specification ${where} has ${problem}`);
}

/** For names that may reach a policy table. A single invalid one would stop the updates of all head units. */
export function requireNameAttribute(element: XmlElement, attribute: string, where: string): string {
  const name = requireText(element, attribute, where);
  const reason = whyNameRefused(name);
  if (reason === null) return name;
  throw new SpecificationRefused(`In the RPC specification ${where} has an unusable ${attribute}: ${reason}`);
}

export interface NewElement extends Facts<typeof memberKinds> {
  readonly name: string;
  readonly type?: string;
}

export interface NewParam extends NewElement {
  readonly type: string;
}

/** Reads the elements of an enumeration; adds unusable attributes to `leftOut`. Throws SpecificationRefused. */
export function readElements(owner: XmlElement, ownerName: string, leftOut: string[]): readonly NewElement[] {
  return childrenNamed(owner, "element").map((element) => {
    const name = requireText(element, "name", `an element of ${ownerName}`);
    const type = element.attributes.type
      ? { type: requireNameAttribute(element, "type", `element ${name} of ${ownerName}`) }
      : {};
    return { name, ...type, ...readMember(element, `${ownerName}, element ${name}`, leftOut) };
  });
}

export function readParams(owner: XmlElement, ownerName: string, leftOut: string[]): readonly NewParam[] {
  return childrenNamed(owner, "param").map((element) => {
    const name = requireNameAttribute(element, "name", `a param of ${ownerName}`);
    const type = requireNameAttribute(element, "type", `param ${name} of ${ownerName}`);
    return { name, type, ...readMember(element, `${ownerName}, param ${name}`, leftOut) };
  });
}

function readMember(element: XmlElement, name: string, leftOut: string[]) {
  return readFacts(element, memberKinds, (attribute) => leftOut.push(`${name}: ${attribute}`));
}

/** Direct children only, because `history` elements contain old versions. */
export function childrenNamed(element: XmlElement, tag: string): readonly XmlElement[] {
  return element.children.filter((child) => child.tag === tag);
}
