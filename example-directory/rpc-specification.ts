import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

type Members = Readonly<Record<string, unknown>>;

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

export async function readRpcSpecification(root: string): Promise<string> {
  const seed = specification.parse(JSON.parse(await readFile(join(root, "seed", "rpc-spec.json"), "utf8")));
  const { min_version, enums, structs, functions, ...facts } = seed;
  const elements = [
    ...enums.map(({ elements: values, ...item }) => toXml("enum", item, values.map(buildElement))),
    ...structs.map(({ params, ...item }) => toXml("struct", item, params.map(buildParam))),
    ...functions.map(({ params, functionIDNumeric: _, ...item }) => toXml("function", item, params.map(buildParam))),
  ];
  return `<?xml version="1.0" standalone="no"?>\n${toXml("interface", { ...facts, minVersion: min_version }, elements)}`;
}

const buildElement = (members: Members) => toXml("element", members);

/** The allowed values of an enumeration parameter become child elements. */
function buildParam({ allowed_values: values = [], ...facts }: z.infer<typeof param>): string {
  return toXml(
    "param",
    facts,
    values.map((name) => buildElement({ name })),
  );
}

/** Custom, because the writer of the XML package used here is deprecated. */
function toXml(tag: string, members: Members, elements: readonly string[] = []): string {
  const facts = Object.entries(members)
    .filter(([, value]) => ["string", "number", "boolean"].includes(typeof value))
    .map(([name, value]) => ` ${name}="${escape(String(value))}"`)
    .join("");
  if (elements.length === 0) return `<${tag}${facts}/>\n`;
  return `<${tag}${facts}>\n${elements.join("")}</${tag}>\n`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? "");
}
