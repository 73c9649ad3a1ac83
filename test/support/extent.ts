/** Whether everything is tried, as `npm run test:all` does: all widths of all pages, all runs of random tests. */
export const isWhole = process.env.TEST_ALL === "1";

/** How often a property is tried on random values: `whole` times when everything is, else a third of it. */
export function runs(whole: number): number {
  return isWhole ? whole : Math.ceil(whole / 3);
}

/**
 * Of many values to be tried in many places: each value in each place when everything is, else a third of them in each, so
 * that every value is tried somewhere.
 */
export function shareOf<T>(values: readonly T[], place: number): readonly T[] {
  return isWhole ? values : values.filter((_, index) => (index + place) % 3 === 0);
}
