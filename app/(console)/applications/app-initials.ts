/** Grounds that white stands out from in both themes; `--tile-…` of globals.css. */
const tiles = [
  "bg-tile-indigo",
  "bg-tile-teal",
  "bg-tile-rose",
  "bg-tile-amber",
  "bg-tile-sky",
  "bg-tile-violet",
  "bg-tile-green",
  "bg-tile-slate",
] as const;

/** The first letters of the first two words of a name, in capitals; empty for a name without letters or digits. */
export function initialsOf(name: string): string {
  const first = [...name.matchAll(/([\p{L}\p{N}])[\p{L}\p{N}]*/gu)].map(([, letter = ""]) => letter);
  return first.slice(0, 2).join("").toUpperCase();
}

/** The class of the ground for a name; always the same for the same name. */
export function tileOf(name: string): string {
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return tiles[hash % tiles.length] ?? tiles[0];
}
