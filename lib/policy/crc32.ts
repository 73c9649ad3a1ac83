/**
 * Joining CRC-32 values: the checksum of two byte strings one after the other, from their checksums and the length of
 * the second, without reading the bytes again. The arithmetic is that of polynomials over GF(2) modulo the CRC's own
 * polynomial, bit-reversed, as RFC 1952 uses it.
 */
const polynomial = 0xedb88320;
const one = 0x80000000;

/** Product of two reversed polynomials modulo the CRC polynomial. */
function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= factor;
    factor = (factor & 1) !== 0 ? (factor >>> 1) ^ polynomial : factor >>> 1;
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

/** The factor by which a checksum grows when `length` bytes follow; compute once per byte string. */
export function crcShift(length: number): number {
  let shift = one;
  // x^(8·length): bits of the length, starting at 2^3.
  for (let rest = length, exponent = 3; rest > 0; rest = Math.floor(rest / 2), exponent++) {
    if (rest % 2 === 1) shift = multiply(squares[exponent % 32] ?? one, shift);
  }
  return shift;
}

/**
 * Checksum of A followed by B.
 *
 * @param crcA checksum of A
 * @param crcB checksum of B
 * @param shiftB `crcShift(length of B)`
 */
export function joinCrc(crcA: number, crcB: number, shiftB: number): number {
  return (multiply(shiftB, crcA) ^ crcB) >>> 0;
}
