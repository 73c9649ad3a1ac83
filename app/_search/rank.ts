/* No imports: the server orders records with it, the browser pages and actions. */

/** Lower is better. */
const exact = 0;
const prefix = 1;
const wordStart = 2;
const contained = 3;
const perText = 4;

/**
 * Ignores case. A word begins after a non-letter, at a camelCase capital, and where digits and letters meet.
 * @param wanted in lower case, not empty
 * @returns 0 is best; null: no match
 */
export function scoreText(text: string, wanted: string): number | null {
  const lower = text.toLowerCase();
  if (lower === wanted) return exact;
  let at = lower.indexOf(wanted);
  if (at === 0) return prefix;
  if (at === -1) return null;
  for (; at !== -1; at = lower.indexOf(wanted, at + 1)) if (isWordStart(text, at)) return wordStart;
  return contained;
}

const isUpper = (char: string) => /\p{Lu}/u.test(char);
const isDigit = (char: string) => /\p{Nd}/u.test(char);
const isWordPart = (char: string) => /[\p{L}\p{N}]/u.test(char);

function isWordStart(text: string, at: number): boolean {
  const [before = "", here = "", after = ""] = [text[at - 1], text[at], text[at + 1]];
  if (!isWordPart(here)) return false;
  if (!isWordPart(before) || isDigit(before) !== isDigit(here)) return true;
  // `mySpeed`, and the last capital of `GPSSpeed`.
  return isUpper(here) && (!isUpper(before) || (isWordPart(after) && !isUpper(after) && !isDigit(after)));
}

/** A match in one text beats any in the next. Infinity: no match. */
export function scoreTexts(texts: readonly (string | null)[], wanted: string): number {
  for (const [place, text] of texts.entries()) {
    const score = text === null ? null : scoreText(text, wanted);
    if (score !== null) return place * perText + score;
  }
  return Infinity;
}

/** Best first; at equal scores the shorter first text. `keepsRest` keeps items without a match, at the end. */
export function rank<T>(
  items: readonly T[],
  search: string,
  textsOf: (item: T) => readonly [string, ...(string | null)[]],
  { keepsRest = false }: { readonly keepsRest?: boolean } = {},
): T[] {
  const wanted = search.toLowerCase();
  return items
    .map((item) => {
      const texts = textsOf(item);
      return { item, score: scoreTexts(texts, wanted), length: texts[0].length };
    })
    .filter(({ score }) => keepsRest || score !== Infinity)
    .sort((a, b) => (a.score === b.score ? (a.score === Infinity ? 0 : a.length - b.length) : a.score - b.score))
    .map(({ item }) => item);
}
