import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
type Attributes = Readonly<Record<string, z.infer<typeof scalar>>>;
const attributes = z.record(z.string(), z.unknown()).transform((members): Attributes =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => {
      const parsed = scalar.safeParse(value);
      return parsed.success ? [[name, parsed.data]] : [];
    }),
  ),
);

const element = z.looseObject({ name: z.string() });
const param = z.looseObject({
  name: z.string(),
  allowed_values: z.array(z.union([z.string(), z.number()])).optional(),
});
const specification = z.looseObject({
  min_version: z.string().nullable(),
  enums: z.array(z.looseObject({ elements: z.array(element) })),
  structs: z.array(z.looseObject({ params: z.array(param) })),
  functions: z.array(z.looseObject({ params: z.array(param) })),
});

/** An XML element. */
interface Node {
  readonly tag: string;
  readonly attributes: Attributes;
  readonly children: readonly Node[];
}

/**
 * The RPC specification of the seed folder as an XML document of the form of `MOBILE_API.xml`: an `interface` with
 * `enum`, `struct` and `function` elements, whose facts are attributes.
 *
 * @param root project folder
 */
export async function readRpcSpecification(root: string): Promise<string> {
  const seed = specification.parse(JSON.parse(await readFile(join(root, "seed", "rpc-spec.json"), "utf8")));
  const { min_version: minVersion, ...members } = seed;
  const node: Node = {
    tag: "interface",
    attributes: attributes.transform((facts) => ({ ...facts, minVersion })).parse(members),
    children: [
      ...seed.enums.map((item) =>
        buildNode(
          "enum",
          item,
          item.elements.map((child) => buildNode("element", child)),
        ),
      ),
      ...seed.structs.map((item) => buildNode("struct", item, item.params.map(buildParam))),
      ...seed.functions.map(({ functionIDNumeric: _, ...item }) =>
        buildNode("function", item, item.params.map(buildParam)),
      ),
    ],
  };
  return `<?xml version="1.0" standalone="no"?>\n${toXml(node, "")}`;
}

function buildNode(tag: string, members: Readonly<Record<string, unknown>>, children: readonly Node[] = []): Node {
  return { tag, attributes: attributes.parse(members), children };
}

/** The values that a parameter of an enumeration type may have are elements inside it. */
function buildParam({ allowed_values: values = [], ...facts }: z.infer<typeof param>): Node {
  return buildNode(
    "param",
    facts,
    values.map((name) => buildNode("element", { name })),
  );
}

function toXml({ tag, attributes, children }: Node, indent: string): string {
  const facts = Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ` ${name}="${escape(String(value))}"`)
    .join("");
  if (children.length === 0) return `${indent}<${tag}${facts}/>\n`;
  const inner = children.map((child) => toXml(child, `${indent}    `)).join("");
  return `${indent}<${tag}${facts}>\n${inner}${indent}</${tag}>\n`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? "");
}
