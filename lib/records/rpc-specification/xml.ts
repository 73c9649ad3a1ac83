import { XMLParser, XMLValidator } from "fast-xml-parser";
import { z } from "zod";
import { SpecificationRefused } from "@/lib/records/rpc-specification/errors";

export interface XmlElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  // Nothing that matters contains an entity, and entities can turn a small document into a huge one.
  processEntities: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
});
const attributesMember = ":@";
const node = z.record(z.string(), z.unknown());
const attributeValues = z.record(z.string(), z.string());

/** Reads the root element of a document and its child elements; throws SpecificationRefused for malformed XML. */
export function readXml(text: string): XmlElement {
  // Document types declare entities; the specification has none.
  if (/<!DOCTYPE/i.test(text)) throw new SpecificationRefused("The RPC specification has a document type declaration");
  const nodes = parse(text.replace(/^\uFEFF/, ""));
  const [root, ...others] = toElements(nodes);
  if (root === undefined || others.length > 0 || nodes.some((one) => "#text" in one))
    throw malformed("more than one root");
  return root;
}

function parse(text: string) {
  try {
    // The parser alone accepts truncated documents. The validator's future package is not worth another dependency.
    // oxlint-disable-next-line typescript/no-deprecated
    const checked = XMLValidator.validate(text);
    if (checked !== true) throw malformed(`line ${checked.err.line}`);
    return z.array(node).parse(parser.parse(text));
  } catch (error) {
    throw error instanceof SpecificationRefused ? error : malformed("it cannot be parsed");
  }
}

function toElements(nodes: readonly Readonly<Record<string, unknown>>[]): XmlElement[] {
  return nodes.flatMap(({ [attributesMember]: attributes, ...tags }) =>
    Object.entries(tags).flatMap(([tag, children]) =>
      Array.isArray(children)
        ? [
            {
              tag,
              attributes: attributeValues.safeParse(attributes).data ?? {},
              children: toElements(z.array(node).parse(children)),
            },
          ]
        : [],
    ),
  );
}

function malformed(where: string): SpecificationRefused {
  return new SpecificationRefused(`The RPC specification is not well-formed XML (${where})`);
}
