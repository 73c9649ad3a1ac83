import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type SeedFile, seedFiles } from "@/lib/exchange/seed/schema";

/**
 * Reads one of the files in `<root>/seed`. They are read when needed and never bundled: the server starts from the
 * project folder.
 *
 * @throws when the file is missing or has another shape
 */
export async function readSeed<T>(root: string, { name, schema }: SeedFile<T>): Promise<T> {
  return schema.parse(JSON.parse(await readFile(join(root, "seed", `${name}.json`), "utf8")));
}

/** Codes of the languages that head units know. */
export async function readLanguages(root: string): Promise<ReadonlySet<string>> {
  const { languages, additional_policy_languages: others } = await readSeed(root, seedFiles.languages);
  return new Set([...languages, ...others].map(({ id }) => id));
}
