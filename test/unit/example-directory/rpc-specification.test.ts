import { XMLParser } from "fast-xml-parser";
import { afterAll, beforeAll, expect, it } from "vitest";
import specification from "@/seed/rpc-spec.json";
import { type ExampleDirectory, startExampleDirectory } from "@/example-directory/directory";

type Facts = Readonly<Record<string, unknown>>;
let directory: ExampleDirectory;
let root: any;
beforeAll(async () => {
  directory = await startExampleDirectory();
  const response = await fetch(directory.endpoint.rpcSpecUrl);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch("application/xml");
  const lists = ["enum", "struct", "function", "element", "param"];
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "",
    parseAttributeValue: false,
    isArray: (name) => lists.includes(name),
  });
  root = parser.parse(await response.text()).interface;
});
afterAll(() => directory.close());

/** The facts of a part of the file as attributes write them. */
const asTexts = (facts: Facts) =>
  Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, String(value)]));
const asParam = ({ allowed_values, ...facts }: Facts) => ({
  ...asTexts(facts),
  ...(Array.isArray(allowed_values) && { element: allowed_values.map((name) => ({ name: String(name) })) }),
});
const withParams = ({ params, ...facts }: Facts & { readonly params: readonly Facts[] }) => ({
  ...asTexts(facts),
  ...(params.length > 0 && { param: params.map(asParam) }),
});

it("serves the RPC specification without keys", () => {
  const { name, version, minVersion, date } = root;
  expect({ name, version, minVersion, date }).toEqual({
    name: specification.name,
    version: specification.version,
    minVersion: specification.min_version,
    date: specification.date,
  });
});

it("writes every enumeration, in order", () => {
  expect(root.enum).toEqual(
    specification.enums.map(({ elements, ...facts }) => ({ ...asTexts(facts), element: elements.map(asTexts) })),
  );
  const language = root.enum.find(({ name }: { name: string }) => name === "Language");
  expect(language.element[0]).toEqual({ name: "EN-US", internal_name: "EN_US" });
});

it("writes every struct and function, in order", () => {
  expect(root.struct).toEqual(specification.structs.map(withParams));
  expect(root.function).toEqual(specification.functions.map(({ functionIDNumeric: _, ...facts }) => withParams(facts)));
});
