/**
 * Why a text does not reach a head unit and its database as it is, or null when it does: the reader refuses half a
 * surrogate pair, the database cuts at a NUL (`head-unit-rules.md` section 1 and C10).
 */
export function whyNotWhole(text: string): string | null {
  if (!text.isWellFormed()) return "holds half a surrogate pair";
  return text.includes("\0") ? "holds a NUL" : null;
}

/** Whether a text reaches a head unit and its database as it is. */
export function isWholeText(text: string): boolean {
  return whyNotWhole(text) === null;
}
