/**
 * How much of what proves by repetition is tried: a tenth with `npm test`, a third in .ci/run, everything with
 * `npm run test:all`. Which part it is depends on the seed, so that it differs from run to run.
 */
const share = Number(process.env.TEST_SHARE ?? 0.1);

/** Whether everything is tried: all widths of all pages, all runs of random tests. */
export const isWhole = share === 1;

/** Chooses the part that is tried, and the values of random tests. The beginning of a run prints it. */
export const seed = Number(process.env.TEST_SEED ?? 0);

/** How often a property is tried on random values, or a crash repeated: the share of `whole`, at least `least` times. */
export function runs(whole: number, least = 1): number {
  return Math.min(whole, Math.max(least, Math.ceil(whole * share)));
}

/**
 * Of many values to be tried in many places: each value in each place when everything is, else the share of them in each, so
 * that every value is tried somewhere.
 */
export function shareOf<T>(values: readonly T[], place: number): readonly T[] {
  const every = Math.round(1 / share);
  return values.filter((_, index) => (index + place + seed) % every === 0);
}

/**
 * Of values that are each tried once, e.g. the looks of a page: all of them when everything is tried, else the share of them,
 * at least one. Other places get others.
 */
export function someOf<T>(values: readonly T[], place = 0): readonly T[] {
  const many = runs(values.length);
  return values.filter((_, index) => (index + place + seed) % values.length < many);
}

/**
 * More than how many times something must have come up among random values: `whole` times when everything is tried. In a share
 * it may be rare, but a property that never met it has proven nothing.
 */
export const atLeast = (whole: number): number => (isWhole ? whole : 0);
