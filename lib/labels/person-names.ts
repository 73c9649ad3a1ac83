/** Characters that do not show: with them two names look like one. */
const hidden = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Whether a name is written the one way that counts (`people.md` P6): in NFKC, and with characters that show only. */
export function isPlainName(name: string): boolean {
  return name !== "" && name.trim() === name && toPlainName(name) === name;
}

/** Whether two names are the same to whoever reads them, whatever their case; null is nobody's name. */
export function isSameName(one: string | null | undefined, other: string | null | undefined): boolean {
  return foldName(one ?? "") === foldName(other ?? "");
}

/** The form in which names are compared. By way of capitals "ß", its own capital and "ss" become one. */
export function foldName(name: string): string {
  return toPlainName(toPlainName(name).toLowerCase().toUpperCase().toLowerCase()).trim();
}

function toPlainName(name: string): string {
  return name.replace(hidden, "").normalize("NFKC").replace(hidden, "");
}
