import { hidden } from "@/lib/vocabulary/whole-text";

/** `people.md` P6: NFKC with visible characters only. */
export function isPlainName(name: string): boolean {
  return name !== "" && name.trim() === name && toPlainName(name) === name;
}

/** Look the same to a reader, regardless of case. Null matches only an empty name. */
export function isSameName(one: string | null | undefined, other: string | null | undefined): boolean {
  return foldName(one ?? "") === foldName(other ?? "");
}

/** Upper-casing makes "ß", its capital letter and "ss" equal. */
export function foldName(name: string): string {
  return toPlainName(toPlainName(name).toLowerCase().toUpperCase().toLowerCase()).trim();
}

function toPlainName(name: string): string {
  return name.replace(hidden, "").normalize("NFKC").replace(hidden, "");
}
