import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

type Attributes = readonly (readonly [name: string, value: string])[];

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

interface Node {
  readonly tag: string;
  readonly attributes: Attributes;
  readonly children: readonly Node[];
}

/** The RPC specification of the seed folder as XML of the form of `MOBILE_API.xml`. `root`: project folder. */
export async function readRpcSpecification(root: string): Promise<string> {
  const seed = specification.parse(JSON.parse(await readFile(join(root, "seed", "rpc-spec.json"), "utf8")));
  const { min_version, enums, structs, functions, ...facts } = seed;
  const children = [
    ...enums.map(({ elements, ...item }) => buildNode("enum", item, elements.map(buildElement))),
    ...structs.map(({ params, ...item }) => buildNode("struct", item, params.map(buildParam))),
    ...functions.map(({ params, functionIDNumeric: _, ...item }) =>
      buildNode("function", item, params.map(buildParam)),
    ),
  ];
  const node = buildNode("interface", { ...facts, minVersion: min_version }, children);
  return `<?xml version="1.0" standalone="no"?>\n${toXml(node, "")}`;
}

function buildNode(tag: string, members: Readonly<Record<string, unknown>>, children: readonly Node[] = []): Node {
  const attributes = Object.entries(members).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? [[name, String(value)] as const]
      : [],
  );
  return { tag, attributes, children };
}

function buildElement(members: Readonly<Record<string, unknown>>): Node {
  return buildNode("element", members);
}

/** The values that a parameter of an enumeration type may have are elements inside it. */
function buildParam({ allowed_values: values = [], ...facts }: z.infer<typeof param>): Node {
  return buildNode(
    "param",
    facts,
    values.map((name) => buildElement({ name })),
  );
}

/** By hand: the writer in the package that reads XML here is deprecated. */
function toXml({ tag, attributes, children }: Node, indent: string): string {
  const facts = attributes.map(([name, value]) => ` ${name}="${escape(value)}"`).join("");
  if (children.length === 0) return `${indent}<${tag}${facts}/>\n`;
  const inner = children.map((child) => toXml(child, `${indent}    `)).join("");
  return `${indent}<${tag}${facts}>\n${inner}${indent}</${tag}>\n`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? "");
}
