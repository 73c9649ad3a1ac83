import {
  type Facts,
  memberKinds,
  readFacts,
  requireName,
  requireText,
} from "@/lib/content/rpc-specification/attributes";
import type { XmlElement } from "@/lib/content/rpc-specification/xml";

/** An element of an enumeration. */
export interface NewElement extends Facts<typeof memberKinds> {
  readonly name: string;
  readonly type?: string;
}

/** A parameter of a struct or a function. */
export interface NewParam extends NewElement {
  readonly type: string;
}

/**
 * Reads the elements of an enumeration.
 *
 * @param owner for sentences, e.g. `enum Language`
 * @param leftOut is told which attributes are no use
 * @throws SpecificationRefused
 */
export function readElements(owner: XmlElement, ownerName: string, leftOut: string[]): readonly NewElement[] {
  return childrenNamed(owner, "element").map((element) => {
    const name = requireText(element, "name", `an element of ${ownerName}`);
    const type = element.attributes.type
      ? { type: requireName(element, "type", `element ${name} of ${ownerName}`) }
      : {};
    return { name, ...type, ...readMember(element, `${ownerName}, element ${name}`, leftOut) };
  });
}

/** Reads the parameters of a struct or a function, as `readElements`. */
export function readParams(owner: XmlElement, ownerName: string, leftOut: string[]): readonly NewParam[] {
  return childrenNamed(owner, "param").map((element) => {
    const name = requireName(element, "name", `a param of ${ownerName}`);
    const type = requireName(element, "type", `param ${name} of ${ownerName}`);
    return { name, type, ...readMember(element, `${ownerName}, param ${name}`, leftOut) };
  });
}

function readMember(element: XmlElement, name: string, leftOut: string[]) {
  return readFacts(element, memberKinds, (attribute) => leftOut.push(`${name}: ${attribute}`));
}

/** Direct children only: what lies in `history` elements is past. */
export function childrenNamed(element: XmlElement, tag: string): readonly XmlElement[] {
  return element.children.filter((child) => child.tag === tag);
}
