export type CsvValue = string | number | boolean | null;

/** Excel reads a file as UTF-8 only if it starts with this. Other CSV readers skip it. */
export const csvStart = "\uFEFF";

export function buildCsvLine(values: readonly CsvValue[]): string {
  return `${values.map(buildCell).join(",")}\r\n`;
}

function buildCell(value: CsvValue): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const text = defuse(value);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Keeps spreadsheets from running a cell as a formula, also if they split cells at semicolons or tabs and ignore quotes. */
function defuse(text: string): string {
  const defused = text.replaceAll(/(^|[;\t\r\n])([\s\p{Cc}]*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu, "$1'$2");
  return /^[\t\r\n]/.test(defused) ? `'${defused}` : defused;
}
