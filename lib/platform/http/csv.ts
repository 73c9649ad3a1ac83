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

const formulaStart = /[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/;
const cellEnd = /[;\t\r\n]/;
const ignoredBefore = /[\s\p{Cc}]/u;

/** Keeps spreadsheets from running a cell as a formula, also if they split cells at semicolons or tabs and ignore quotes. */
function defuse(text: string): string {
  const defused = formulaStart.test(text) ? quoteFormulas(text) : text;
  return /^[\t\r\n]/.test(defused) ? `'${defused}` : defused;
}

function quoteFormulas(text: string): string {
  const parts: string[] = [];
  let [begin, cell, isAtStart] = [0, 0, true];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (cellEnd.test(character)) [cell, isAtStart] = [at + 1, true];
    else if (isAtStart && formulaStart.test(character)) {
      parts.push(text.slice(begin, cell), "'");
      [begin, isAtStart] = [cell, false];
    } else isAtStart &&= ignoredBefore.test(character);
  }
  return parts.join("") + text.slice(begin);
}
