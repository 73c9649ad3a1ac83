/**
 * The fixed codes of deflate (RFC 1951, 3.2.5 and 3.2.6) as tables made once. A code is stored as its bits in the order
 * they are sent, the first one lowest, because deflate fills each byte from its lowest bit on (3.1.1); extra bits follow
 * the code, so a code and its extra bits are one number.
 */

/** Longest match and farthest distance that deflate can express. */
export const longestMatch = 258;
export const shortestMatch = 3;
export const farthestDistance = 32_768;

/** Huffman codes are sent from their highest bit on, everything else from the lowest. */
function reversed(code: number, count: number): number {
  let bits = 0;
  for (let at = 0; at < count; at++) bits |= ((code >>> at) & 1) << (count - 1 - at);
  return bits;
}

/** Bits and number of bits of each literal byte. */
export const literalCounts = Uint8Array.from({ length: 256 }, (_, byte) => (byte < 144 ? 8 : 9));
export const literalBits = Uint16Array.from({ length: 256 }, (_, byte) =>
  byte < 144 ? reversed(0x30 + byte, 8) : reversed(0x190 + byte - 144, 9),
);

/** A token is bits and, in its five lowest bits, their number: one number, so that nothing has to be allocated. */
const token = (bits: number, count: number) => (bits << 5) + count;

/** Tokens of match lengths from 3 to 258, their extra bits included. */
export const lengthTokens = new Int32Array(longestMatch + 1);

/** Distance codes by distance − 1 below 256, and by its multiples of 128 from there on (every code begins at one). */
const nearCodes = new Uint8Array(256);
const farCodes = new Uint8Array(256);
/** What has to be added to (distance − 1) · 2^10, of each code: its own bits in place of where it begins. */
const distanceTokens = new Int32Array(30);

fillLengths();
fillDistances();

function fillLengths(): void {
  let length = shortestMatch;
  for (let symbol = 257; symbol <= 284; symbol++) {
    const extra = symbol < 261 ? 0 : (symbol - 261) >> 2;
    const isShort = symbol < 280;
    const count = isShort ? 7 : 8;
    const code = isShort ? reversed(symbol - 256, 7) : reversed(0xc0 + symbol - 280, 8);
    for (let rest = 0; rest < 1 << extra; rest++, length++) {
      lengthTokens[length] = token(code | (rest << count), count + extra);
    }
  }
  // 258 has a code without extra bits; 284 with all of them set is not used.
  lengthTokens[longestMatch] = token(reversed(0xc0 + 285 - 280, 8), 8);
}

function fillDistances(): void {
  let start = 0;
  for (let code = 0; code < 30; code++) {
    const extra = code < 4 ? 0 : (code - 2) >> 1;
    distanceTokens[code] = token(reversed(code, 5) - (start << 5), 5 + extra);
    for (let rest = 0; rest < 1 << extra; rest++, start++) {
      if (start < 256) nearCodes[start] = code;
      else farCodes[start >> 7] = code;
    }
  }
}

/** The token of a distance from 1 to 32,768, its extra bits included. */
export function distanceToken(distance: number): number {
  const zeroBased = distance - 1;
  const code = (zeroBased < 256 ? nearCodes[zeroBased] : farCodes[zeroBased >> 7]) ?? 0;
  return (zeroBased << 10) + (distanceTokens[code] ?? 0);
}

/** Bytes as codes of literals, ready to be copied. */
export interface LiteralCodes {
  readonly words: Int32Array;
  /** Number of bits used; the rest of the last word is zero. */
  readonly bitCount: number;
}

/** Codes of literal bytes, packed from the lowest bit of the first word on. */
export function encodeLiterals(bytes: Uint8Array): LiteralCodes {
  const words = new Int32Array(Math.ceil((bytes.length * 9) / 32));
  let bitCount = 0;
  for (const byte of bytes) {
    const bits = literalBits[byte] ?? 0;
    const [word, used] = [bitCount >>> 5, bitCount & 31];
    words[word] = (words[word] ?? 0) | (bits << used);
    if (used > 23) words[word + 1] = (words[word + 1] ?? 0) | (bits >>> (32 - used));
    bitCount += literalCounts[byte] ?? 0;
  }
  return { words: words.slice(0, Math.ceil(bitCount / 32)), bitCount };
}
