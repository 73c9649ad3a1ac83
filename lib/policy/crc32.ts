/**
 * Joining CRC-32 values: the checksum of two byte strings one after the other, from their checksums and the length of
 * the second, without reading the bytes again. The arithmetic is that of polynomials over GF(2) modulo the CRC's own
 * polynomial, bit-reversed, as RFC 1952 uses it: the highest bit stands for x^0.
 */
const polynomial = 0xedb88320;
const one = 0x80000000;

/** Multiples of x^(8·length): by the 16 polynomials of the high half of a byte, then by those of the low half. */
export type CrcShift = Int32Array;

/** x times a polynomial. */
function timesX(factor: number): number {
  return (factor & 1) !== 0 ? (factor >>> 1) ^ polynomial : factor >>> 1;
}

/** Product of two reversed polynomials modulo the CRC polynomial. */
function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= factor;
    factor = timesX(factor);
  }
  return product >>> 0;
}

/** x to the power of 2^n, for n from 0 to 31; from there on the values repeat. */
const squares: readonly number[] = (() => {
  const values = [one >>> 1];
  while (values.length < 32) {
    const last = values.at(-1) ?? one;
    values.push(multiply(last, last));
  }
  return values;
})();

/** What x^8 times a polynomial is reduced by, for each value of its lowest byte. */
const reductions = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let step = 0; step < 8; step++) rest = timesX(rest);
  return rest;
});

/** Shifts by short lengths, which many byte strings share. */
const shortShifts: (CrcShift | undefined)[] = [];
const longestShared = 2_048;

/** What a checksum grows by when `length` bytes follow; compute once per byte string. */
export function crcShift(length: number): CrcShift {
  if (length > longestShared) return makeShift(length);
  return (shortShifts[length] ??= makeShift(length));
}

function makeShift(length: number): CrcShift {
  let factor = one;
  // x^(8·length): bits of the length, starting at 2^3.
  for (let rest = length, exponent = 3; rest > 0; rest = Math.floor(rest / 2), exponent++) {
    if (rest % 2 === 1) factor = multiply(squares[exponent % 32] ?? one, factor);
  }
  return Int32Array.from({ length: 32 }, (_, at) => multiply(at < 16 ? at << 28 : (at - 16) << 24, factor));
}

/**
 * Checksum of A followed by B.
 *
 * @param crcA checksum of A
 * @param crcB checksum of B
 * @param shiftB `crcShift(length of B)`
 */
export function joinCrc(crcA: number, crcB: number, shiftB: CrcShift): number {
  // Horner's rule, from the byte of the highest powers on.
  let product = 0;
  for (let rest = crcA | 0, step = 0; step < 4; rest >>>= 8, step++) {
    const reduced = (product >>> 8) ^ (reductions[product & 0xff] ?? 0);
    product = reduced ^ (shiftB[(rest >>> 4) & 15] ?? 0) ^ (shiftB[16 + (rest & 15)] ?? 0);
  }
  return (product ^ crcB) >>> 0;
}
