/** A NUL as written by `JSON.stringify`; literal backslashes come in pairs. */
const writtenNul = /(?<!\\)((?:\\\\)*)\\u0000/g;

/**
 * JSON text of a value with a question mark for each NUL: a head unit's database cuts texts and names there, and what it
 * then reads back may stop its updates for good (rule G12).
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes("\\u0000") ? text.replaceAll(writtenNul, "$1?") : text;
}

/**
 * JSON text of an object whose members keep the given order.
 *
 * A JavaScript object would move names like "42" to the front, but the table's order is fixed (rule G6).
 *
 * @param members pairs of name and finished JSON text
 */
export function objectText(members: Iterable<readonly [name: string, json: string]>): string {
  const parts: string[] = [];
  for (const [name, json] of members) parts.push(`${jsonText(name)}:${json}`);
  return `{${parts.join(",")}}`;
}
