const quote = 0x22;
const backslash = 0x5c;
const isOpening = (byte: number | undefined) => byte === 0x7b || byte === 0x5b;
const isClosing = (byte: number | undefined) => byte === 0x7d || byte === 0x5d;

/**
 * Whether a JSON text has objects or lists inside each other beyond a limit. Asked before it is parsed: parsing a megabyte
 * of brackets takes a second, looking at it a millisecond. Of a text that is no JSON the answer means nothing.
 *
 * @param bytes UTF-8
 * @param limit the deepest nesting allowed; `{}` has 1
 */
export function isJsonDeeperThan(bytes: Uint8Array, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = findEndOfText(bytes, at);
    else if (isOpening(byte)) {
      depth++;
      if (depth > limit) return true;
    } else if (isClosing(byte)) depth--;
  }
  return false;
}

/** Where the closing mark of a text lies whose opening one is at `start`. */
function findEndOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
