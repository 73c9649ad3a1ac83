/** By UTF-16 code units (rule G8). */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Ties by code unit (rule G8). */
export function byLowerCase(a: string, b: string): number {
  return byCodeUnit(a.toLowerCase(), b.toLowerCase()) || byCodeUnit(a, b);
}

export function distinct<T>(values: Iterable<T>): T[] {
  return [...new Set(values)];
}

export function findRepeated<T>(values: Iterable<T>): T | undefined {
  const seen = new Set<T>();
  for (const value of values) {
    if (seen.has(value)) return value;
    seen.add(value);
  }
  return undefined;
}

/** An unknown key has no elements. */
export function groupBy<T, Key>(elements: readonly T[], keyOf: (element: T) => Key): (key: Key) => readonly T[] {
  const groups = new Map<Key, T[]>();
  for (const element of elements) {
    const known = groups.get(keyOf(element));
    if (known === undefined) groups.set(keyOf(element), [element]);
    else known.push(element);
  }
  return (key) => groups.get(key) ?? [];
}
