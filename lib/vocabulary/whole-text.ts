/**
 * Null: the text reaches a head unit and its database unchanged. The parser refuses half a surrogate pair, and the
 * database cuts at NUL (`head-unit-rules.md` section 1 and C10).
 */
export function whyNotWhole(text: string): string | null {
  if (!text.isWellFormed()) return "holds half a surrogate pair";
  return text.includes("\0") ? "holds a NUL" : null;
}

export function isWholeText(text: string): boolean {
  return whyNotWhole(text) === null;
}

/** Invisible characters can make two names look the same. */
export const hidden = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}]/gu;

/** The form in which names are stored (`exchange.md` X1b). */
export const tidyName = (name: string) => name.replace(hidden, "").replace(unprintable, " ").trim();

/** Null: the name is usable once it is trimmed. */
export function whyUnfitName(name: string): string | null {
  return name.trim() === "" ? "must not be blank" : whyHidden(name.trim());
}

/** These join emoji into one picture. */
const joiners = /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f0-9#*])[\ufe0f\u200d]/gu;

/** Why readers would not see all of a text; null: they do. */
export function whyUnfitText(text: string, hasLines = false): string | null {
  return whyHidden((hasLines ? text.replace(/[\t\n\r]/g, "") : text).replace(joiners, ""));
}

function whyHidden(text: string): string | null {
  const [character] = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}]/u.exec(text) ?? [];
  return character === undefined ? null : `must not hold ${nameHidden(character)}`;
}

const hiddenNames: Readonly<Record<string, string>> = {
  "\t": "tab",
  "\n": "line break",
  "\r": "line break",
  "\u00ad": "soft hyphen",
  "\u061c": "Arabic letter mark",
  "\u200b": "zero-width space",
  "\u200c": "zero-width non-joiner",
  "\u200d": "zero-width joiner",
  "\u200e": "left-to-right mark",
  "\u200f": "right-to-left mark",
  "\u2028": "line separator",
  "\u2029": "paragraph separator",
  "\u202a": "left-to-right embedding",
  "\u202b": "right-to-left embedding",
  "\u202c": "end of a direction",
  "\u202d": "left-to-right override",
  "\u202e": "right-to-left override",
  "\u2060": "word joiner",
  "\u2066": "left-to-right isolate",
  "\u2067": "right-to-left isolate",
  "\u2068": "first strong isolate",
  "\u2069": "end of an isolate",
  "\ufeff": "zero-width no-break space",
};

function nameHidden(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const usual = /\p{Cc}/u.test(character) ? "control character" : "invisible character";
  return `U+${code} ${hiddenNames[character] ?? usual}`;
}

/** Keeps a byte-order mark; a problem says which line is not UTF-8. */
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
