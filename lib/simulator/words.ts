import type { Environment, HmiLevel } from "@/lib/labels/vocabulary";

const maxNamed = 5;

/** A list in words: "A", "A and B", "A, B and C"; of long ones the first five and how many more there are. */
export function listWords(words: readonly string[]): string {
  const more = words.length - maxNamed;
  const named = more > 1 ? [...words.slice(0, maxNamed), `${more} more`] : words;
  return named.length < 2 ? named.join("") : `${named.slice(0, -1).join(", ")} and ${named.at(-1) ?? ""}`;
}

/** The levels of an RPC in words. */
export const levelLabels = (levels: readonly HmiLevel[]): string => listWords(levels);

/** The environment in a sentence. */
export const environmentLabels: Readonly<Record<Environment, string>> = {
  staging: "Staging",
  production: "Production",
};
