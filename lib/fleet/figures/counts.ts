import type { Bucket } from "@/lib/fleet/stored-counts";
import { byCodeUnit } from "@/lib/vocabulary/order";

export type Counters = Readonly<Record<string, number>>;
export type Values = ReadonlyMap<string, Counters>;

const fewest = 10;

/** How a count is told: rounded, and null from 1 to 9 (rule S2). Stored counts may be fractions. */
export function tell(count: number): number | null {
  const rounded = Math.round(count);
  if (count === 0) return 0;
  return rounded < fewest ? null : rounded;
}

/** The share of a whole with four decimals; null if the whole or the part may not be told exactly (rule S2). */
export function tellShare(part: number, whole: number): number | null {
  if (tell(whole) === null || whole === 0 || tell(part) === null) return null;
  return Math.min(1, Math.round((part / whole) * 10_000) / 10_000);
}

export function sumBuckets(buckets: readonly Bucket[]): Values {
  const sums = new Map<string, Record<string, number>>();
  for (const { values } of buckets) {
    for (const [value, counters] of values) {
      const known = sums.get(value) ?? {};
      for (const [name, by] of Object.entries(counters)) known[name] = (known[name] ?? 0) + by;
      sums.set(value, known);
    }
  }
  return sums;
}

export function total(values: Values, counter = "count"): number {
  return [...values.values()].reduce((sum, counters) => sum + (counters[counter] ?? 0), 0);
}

export const counterOf = (values: Values, value: string, counter = "count"): number =>
  values.get(value)?.[counter] ?? 0;

export function rank(values: Values, counterOf: (counters: Counters) => number = ({ count = 0 }) => count) {
  return [...values]
    .map(([value, counters]) => ({ value, counters, count: counterOf(counters) }))
    .toSorted((a, b) => b.count - a.count || byCodeUnit(a.value, b.value));
}
