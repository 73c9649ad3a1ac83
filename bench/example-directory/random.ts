/** A source of numbers from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

/** Scrambles a 32-bit number; different numbers stay different. */
export function mix(number: number): number {
  let hash = number | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** Random numbers that are reproducible from the seed (mulberry32). Good enough for test data, not for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let hash = Math.imul(state ^ (state >>> 15), 1 | state);
    hash ^= hash + Math.imul(hash ^ (hash >>> 7), 61 | hash);
    return ((hash ^ (hash >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pickInteger(random: Random, lowest: number, highest: number): number {
  return lowest + Math.floor(random() * (highest - lowest + 1));
}

export function pick<T>(random: Random, from: readonly T[]): T {
  const picked = from[Math.floor(random() * from.length)];
  if (picked === undefined) throw new Error("nothing to pick from");
  return picked;
}

export function pickSome<T>(random: Random, from: readonly T[], count: number): T[] {
  const picked = new Set<T>();
  for (let draws = 0; picked.size < Math.min(count, from.length) && draws < count * 4; draws++) {
    picked.add(pick(random, from));
  }
  return [...picked];
}
