import { calculateObjectSize } from "bson";
import {
  childrenNamed,
  type Facts,
  type NewElement,
  type NewParam,
  readElements,
  readFacts,
  readParams,
  requireNameAttribute,
  requireText,
  typeKinds,
} from "@/lib/records/rpc-specification/attributes";
import { SpecificationRefused } from "@/lib/records/rpc-specification/errors";
import type { XmlElement } from "@/lib/records/rpc-specification/xml";

/** Maximum size of a stored document, about ten times that of today's specification. */
const maxBytes = 4 * 1024 * 1024;

interface NewType extends Facts<typeof typeKinds> {
  readonly name: string;
}
export interface NewEnumeration extends NewType {
  readonly elements: readonly NewElement[];
}
export interface NewStruct extends NewType {
  readonly params: readonly NewParam[];
}
export interface NewFunction extends NewType {
  readonly messageType: string;
  readonly functionId?: string;
  readonly params: readonly NewParam[];
}

export interface NewSpecification {
  readonly version: string;
  readonly minVersion: string | null;
  readonly date: string | null;
  readonly enums: readonly NewEnumeration[];
  readonly structs: readonly NewStruct[];
  readonly functions: readonly NewFunction[];
}

export interface BuiltSpecification {
  readonly specification: NewSpecification;
  readonly leftOut: readonly string[];
}

/** Builds the specification from its document (`directory.md` 3.7), or throws SpecificationRefused. */
export function buildSpecification(root: XmlElement): BuiltSpecification {
  const leftOut: string[] = [];
  const enums = typesOf(root, "enum").map((element): NewEnumeration => {
    const type = readType(element, leftOut);
    return { ...type, elements: readElements(element, `enum ${type.name}`, leftOut) };
  });
  const structs = typesOf(root, "struct").map((element): NewStruct => {
    const type = readType(element, leftOut);
    return { ...type, params: readParams(element, `struct ${type.name}`, leftOut) };
  });
  const functions = typesOf(root, "function").map((element) => readFunction(element, leftOut));
  const specification: NewSpecification = {
    version: requireText(root, "version", "the root element"),
    ...readRootFacts(root, leftOut),
    enums: firstOfEach(enums, ({ name }) => name),
    structs: firstOfEach(structs, ({ name }) => name),
    functions: firstOfEach(functions, ({ name, messageType }) => `${name} ${messageType}`).filter(
      ({ params }) => params.length > 0,
    ),
  };
  requireBoundedVehicleData(specification);
  if (calculateObjectSize(specification) > maxBytes) {
    throw new SpecificationRefused("The RPC specification is too large to be stored");
  }
  return { specification, leftOut };
}

function readRootFacts(root: XmlElement, leftOut: string[]) {
  const kinds = { minVersion: typeKinds.since, date: typeKinds.since };
  const { minVersion = null, date = null } = readFacts(root, kinds, (attribute) => leftOut.push(`root: ${attribute}`));
  return { minVersion, date };
}

function typesOf(root: XmlElement, tag: string): readonly XmlElement[] {
  const found = childrenNamed(root, tag);
  if (found.length === 0) throw new SpecificationRefused(`The RPC specification has no element "${tag}"`);
  return found;
}

function readType(element: XmlElement, leftOut: string[]): NewType {
  const { tag } = element;
  const name = requireNameAttribute(element, "name", `an element "${tag}"`);
  return { name, ...readFacts(element, typeKinds, (attribute) => leftOut.push(`${tag} ${name}: ${attribute}`)) };
}

function readFunction(element: XmlElement, leftOut: string[]): NewFunction {
  const type = readType(element, leftOut);
  const messageType = requireText(element, "messagetype", `function ${type.name}`);
  const name = `function ${type.name} (${messageType})`;
  const id = element.attributes.functionID ? { functionId: requireText(element, "functionID", name) } : {};
  return { ...type, ...id, messageType, params: readParams(element, name, leftOut) };
}

function firstOfEach<T>(types: readonly T[], identify: (type: T) => string): readonly T[] {
  const first = new Map<string, T>();
  for (const type of types) if (!first.has(identify(type))) first.set(identify(type), type);
  return [...first.values()];
}

/** Language tags as policy tables contain them, e.g. `en-us`. */
const usable = /^[a-z]{2,8}(-[a-z0-9]{1,8}){0,3}$/;

export interface ListedLanguages {
  readonly languages: readonly string[];
  readonly leftOut: readonly string[];
}

/** Lists the elements of the enumeration `Language` (`directory.md` 3.7), or throws SpecificationRefused. */
export function listSpecifiedLanguages(root: XmlElement): ListedLanguages {
  const enumeration = childrenNamed(root, "enum").find(({ attributes }) => attributes.name === "Language");
  const elements = enumeration === undefined ? [] : childrenNamed(enumeration, "element");
  const names = elements.map((element) => requireText(element, "name", "an element of enum Language").toLowerCase());
  const languages = names.filter((name) => usable.test(name));
  if (languages.length === 0) throw new SpecificationRefused("The RPC specification names no languages");
  return { languages: [...new Set(languages)], leftOut: names.filter((name) => !usable.test(name)) };
}

interface Params {
  readonly params: readonly { readonly type: string }[];
}

const maxItems = 20_000;
const deepest = 32;

/** Throws SpecificationRefused for vehicle data that could exhaust memory: tables contain nested structs expanded. */
export function requireBoundedVehicleData(specification: {
  readonly structs: readonly (Params & { readonly name: string })[];
  readonly functions: readonly (Params & { readonly name: string; readonly messageType: string })[];
}): void {
  const structs = new Map(specification.structs.map((struct) => [struct.name, struct]));
  let items = 0;
  const count = ({ params }: Params, open: readonly string[]) => {
    items += params.length;
    if (items > maxItems || open.length > deepest) {
      throw new SpecificationRefused("The vehicle data of the RPC specification are too many");
    }
    for (const { type } of params) {
      const struct = structs.get(type);
      // The table omits a struct inside itself.
      if (struct !== undefined && !open.includes(type)) count(struct, [...open, type]);
    }
  };
  const isVehicleData = (name: string, messageType: string) => name === "GetVehicleData" && messageType === "response";
  for (const one of specification.functions) if (isVehicleData(one.name, one.messageType)) count(one, []);
}
