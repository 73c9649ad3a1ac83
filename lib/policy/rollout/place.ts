import type { Sent } from "@/lib/policy/rollout/sent";
import type { SnapshotRollout } from "@/lib/policy/table/snapshot";

/** Where the salt puts a vehicle, from 0 up to 1 (`fleet.md` S12): equally distributed, and independent of other salts. */
export function placeOf({ salt }: Pick<SnapshotRollout, "salt">, { bytes, from, to }: Sent): number {
  return halfSipHash(keyWord(salt, 0), keyWord(salt, 8), bytes, from, to) / 2 ** 32;
}

/** Four bytes in hexadecimal, the lowest first. */
function keyWord(hex: string, from: number): number {
  let word = 0;
  for (let at = 0; at < 8; at++) {
    const code = hex.charCodeAt(from + at);
    word |= ((code & 15) + (code >> 6) * 9) << (4 * (at ^ 1));
  }
  return word;
}

/**
 * HalfSipHash-2-4 (https://www.aumasson.jp/siphash/siphash.pdf) with the two words of a key: 32 bits. SHA-256 takes 3 µs
 * between the other work of a worker, which is 3 % of an answer. In one function, with nothing but local numbers.
 */
export function halfSipHash(k0: number, k1: number, bytes: Uint8Array, from: number, to: number): number {
  let [v0, v1, v2, v3] = [k0, k1, 0x6c796765 ^ k0, 0x74656462 ^ k1];
  const words = (to - from + 4) >> 2;
  // Twice two rounds without a word are the four that end it.
  for (let step = 0; step < words + 2; step++) {
    let word = step < words ? wordAt(bytes, from + 4 * step, to) : 0;
    if (step === words - 1) word |= (to - from) << 24;
    if (step === words) v2 ^= 0xff;
    v3 ^= word;
    for (let round = 0; round < 2; round++) {
      v0 = (v0 + v1) | 0;
      v1 = rotate(v1, 5) ^ v0;
      v0 = rotate(v0, 16);
      v2 = (v2 + v3) | 0;
      v3 = rotate(v3, 8) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = rotate(v3, 7) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = rotate(v1, 13) ^ v2;
      v2 = rotate(v2, 16);
    }
    v0 ^= word;
  }
  return (v1 ^ v3) >>> 0;
}

const rotate = (word: number, bits: number) => (word << bits) | (word >>> (32 - bits));

/** Four bytes, the lowest first, or those that are left. */
function wordAt(bytes: Uint8Array, from: number, to: number): number {
  let word = 0;
  for (let at = from, shift = 0; at < to && shift < 32; at++, shift += 8) word |= (bytes[at] ?? 0) << shift;
  return word;
}
