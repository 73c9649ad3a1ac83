import { it } from "vitest";

/** The share of repetitive tests to run: a tenth, with the same values in every run, or everything with `npm run test:all`. */
const share = Number(process.env.TEST_SHARE ?? 0.1);

/** Whether everything runs: all widths of all pages, all faults, all runs of random tests. */
export const isWhole = share === 1;

export const daily = it.runIf(isWhole);

/** Selects the part to run, and the values of random tests; fixed, but for `npm run test:all`, which prints it. */
export const seed = Number(process.env.TEST_SEED ?? 0);

/** How often to try a property on random values or repeat a crash: the share of `whole`, but at least `least` times. */
export function runs(whole: number, least = 1): number {
  return Math.min(whole, Math.max(least, Math.ceil(whole * share)));
}

/** A share of the values per place, so that every value is tried somewhere; all in a whole run. */
export function shareOf<T>(values: readonly T[], place: number): readonly T[] {
  const every = Math.round(1 / share);
  return values.filter((_, index) => (index + place + seed) % every === 0);
}

/** Exclusive: a property that never met a case in a whole run has proven nothing about it. */
export const atLeast = (whole: number): number => (isWhole ? whole : 0);
