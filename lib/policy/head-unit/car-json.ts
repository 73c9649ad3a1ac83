/** What head units read in a file although JSON does not allow it (`head-unit-rules.md` section 1). */
export type Leniency =
  | "comments"
  | "trailing commas"
  | "control characters in texts"
  | "numbers"
  | "text after the end";

/** A text, a comment, a number, a bracket or separator, a word, blanks, or any other character. */
const tokens = /"(?:[^"\\]|\\[^])*"|\/\*[^]*?\*\/|\/\/[^\n\r]*|[+-]?\d[\w.+-]*|[{}[\],:]|[a-zA-Z]\w*|\s+|[^]/g;
// eslint-disable-next-line no-control-regex -- these are what JSON does not allow in a text
const controls = /\\[^]|[\u0000-\u001f]/g;

/** Reads JSON as head units do. For tables only: all else that people hand in stays strict. Throws SyntaxError. */
export function readCarJson(text: string): { readonly value: unknown; readonly leniencies: readonly Leniency[] } {
  const found = new Set<Leniency>();
  const kept: string[] = [];
  let depth = 0;
  let isAfterComment = false;
  for (const [token] of text.matchAll(tokens)) {
    if (/^\s/.test(token)) continue;
    const isComment = /^\/[/*]./s.test(token) || token === "//";
    if (kept.length > 0 && depth === 0) {
      if (!isComment) found.add("text after the end");
      break;
    }
    if (isComment) {
      found.add("comments");
      isAfterComment = true;
      continue;
    }
    if (token === ":" && isAfterComment) throw new SyntaxError("a comment stands between a key and its colon");
    isAfterComment = false;
    if (token === "}" || token === "]") {
      // Only after a value: neither reader takes `[,]` or `[1,,]`.
      if (kept.at(-1) === "," && !/^[,:[{]?$/.test(kept.at(-2) ?? "")) {
        kept.pop();
        found.add("trailing commas");
      }
      depth -= 1;
    } else if (token === "{" || token === "[") depth += 1;
    kept.push(toJson(token, found));
  }
  return { value: JSON.parse(kept.join(" ")), leniencies: [...found] };
}

/** A token as JSON has it; one that head units do not read either stays as it is. */
function toJson(token: string, found: Set<Leniency>): string {
  if (token.startsWith('"')) {
    return token.replaceAll(controls, (one) => {
      if (one.startsWith("\\")) return one;
      found.add("control characters in texts");
      return `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;
    });
  }
  // Digits with a sign, leading zeros, or nothing after the point.
  const number = /^[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/.test(token) ? Number(token) : NaN;
  if (!Number.isFinite(number) || /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(token)) return token;
  found.add("numbers");
  return String(number);
}
