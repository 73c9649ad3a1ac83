/**
 * Why a text would not reach a head unit and its database unchanged; null: it would. The parser refuses half a surrogate
 * pair, and the database cuts at NUL (`head-unit-rules.md` section 1 and C10).
 */
export function whyNotWhole(text: string): string | null {
  if (!text.isWellFormed()) return "holds half a surrogate pair";
  return text.includes("\0") ? "holds a NUL" : null;
}

/** Whether a text reaches a head unit and its database unchanged. */
export function isWholeText(text: string): boolean {
  return whyNotWhole(text) === null;
}
