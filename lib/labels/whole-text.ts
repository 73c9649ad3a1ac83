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

/** Invisible characters, which can make two names look the same. */
export const hidden = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}]/gu;

/** The form in which names of items are stored (`exchange.md` X1b): no blanks at the ends, no characters that nobody sees. */
export const tidyName = (name: string) => name.replace(hidden, "").replace(unprintable, " ").trim();

/** Why a name is not usable for an item even without blanks at its ends; null: it is. */
export function whyUnfitName(name: string): string | null {
  if (name.trim() === "") return "must not be blank";
  return tidyName(name) === name.trim() ? null : "must not hold invisible characters";
}

/** The text of bytes in UTF-8, with a byte-order mark if it has one; or why there is none, and in which line. */
export function decodeUtf8(bytes: Uint8Array): { readonly text: string } | { readonly problem: string } {
  const [first = 1, second = 1] = bytes;
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  // Without a mark, one half of the first ASCII letter is zero.
  if (hasMark || first === 0 || second === 0) return { problem: "is UTF-16, not UTF-8" };
  const text = decode(bytes);
  if (text !== null) return { text };
  let [start, line] = [0, 1];
  for (let end = bytes.indexOf(10); end >= 0 && decode(bytes.subarray(start, end)) !== null;) {
    [start, line] = [end + 1, line + 1];
    end = bytes.indexOf(10, start);
  }
  return { problem: `is not UTF-8 in line ${line}` };
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
