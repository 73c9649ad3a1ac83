/** A NUL as written by `JSON.stringify`; literal backslashes come in pairs. */
const writtenNul = /(?<!\\)((?:\\\\)*)\\u0000/g;

/** A NUL becomes a question mark: head units' databases cut texts there, which may end all updates (rule G12). */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes("\\u0000") ? text.replaceAll(writtenNul, "$1?") : text;
}

/** Members keep the given order (rule G6). A JavaScript object would move names like "42" to the front. */
export function objectText(members: Iterable<readonly [name: string, json: string]>): string {
  const parts: string[] = [];
  for (const [name, json] of members) parts.push(`${jsonText(name)}:${json}`);
  return `{${parts.join(",")}}`;
}
