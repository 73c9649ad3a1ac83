/** The first member that an object of a JSON text has twice, and where it begins; null: none. Meaningless for invalid JSON. */
export function findRepeatedMember(text: string): { readonly name: string; readonly at: number } | null {
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "{") open.push(new Set());
    else if (character === "}") open.pop();
    else if (character === '"') {
      const start = at;
      at = findEndOfText(text, start);
      if (!isBeforeColon(text, at + 1)) continue;
      const quoted = text.slice(start, at + 1);
      const name = quoted.includes("\\") ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
      const names = open.at(-1);
      if (names?.has(name) === true) return { name, at: start };
      names?.add(name);
    }
  }
  return null;
}

function findEndOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

function isBeforeColon(text: string, start: number): boolean {
  let at = start;
  while (" \t\r\n".includes(text[at] ?? "x")) at++;
  return text[at] === ":";
}
