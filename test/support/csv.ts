/** Parses a CSV file strictly by RFC 4180, so that missing quotes are noticed. */
export function parseCsv(text: string): string[][] {
  const lines: string[][] = [];
  let at = 0;
  while (at < text.length) {
    const line: string[] = [];
    for (;;) {
      const cell = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(text.slice(at));
      if (cell === null) throw new Error(`no cell at ${at}: ${text.slice(at, at + 40)}`);
      at += cell[0].length;
      line.push(cell[1]?.replaceAll('""', '"') ?? cell[2] ?? "");
      if (cell[3] !== ",") break;
    }
    lines.push(line);
  }
  return lines;
}
