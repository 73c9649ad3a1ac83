import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type SeedFile, seedFiles, type Seed } from "@/lib/exchange/seed/schema";
import { buildSpecification } from "@/lib/records/rpc-specification/build";
import type { XmlElement } from "@/lib/records/rpc-specification/xml";

/** Read on demand and never bundled, because the server starts from the project folder. Throws if invalid. */
export async function readSeed<T>(root: string, { name, schema }: SeedFile<T>): Promise<T> {
  return schema.parse(JSON.parse(await readFile(join(root, "seed", `${name}.json`), "utf8")));
}

/** Codes that head units know. */
export async function readLanguages(root: string): Promise<ReadonlySet<string>> {
  const { languages, additional_policy_languages: others } = await readSeed(root, seedFiles.languages);
  return new Set([...languages, ...others].map(({ id }) => id));
}

type Members = Readonly<Record<string, unknown>>;

/** Read like the app directory's specification (`directory.md` 3.7). */
export function buildRpcSpecification(
  { min_version: minVersion, enums, structs, functions, ...facts }: Seed<"rpcSpec">,
  storedAt: Date,
) {
  const root = elementOf("interface", { ...facts, minVersion }, [
    ...enums.map(({ elements, ...type }) =>
      elementOf(
        "enum",
        type,
        elements.map((one) => elementOf("element", one)),
      ),
    ),
    ...structs.map(({ params, ...type }) => elementOf("struct", type, params.map(paramOf))),
    ...functions.map(({ params, ...type }) => elementOf("function", type, params.map(paramOf))),
  ]);
  return { ...buildSpecification(root).specification, storedAt };
}

/** The file has `array` on every parameter; specifications have it only if it is true. */
const paramOf = ({ array, ...facts }: Members) => elementOf("param", { ...facts, ...(array === true && { array }) });

function elementOf(tag: string, members: Members, children: readonly XmlElement[] = []): XmlElement {
  const values = Object.entries(members).filter(([, value]) => ["string", "number", "boolean"].includes(typeof value));
  return { tag, attributes: Object.fromEntries(values.map(([name, value]) => [name, String(value)])), children };
}
