/** Whether everything is tried, as `npm run test:all` does: all widths of all pages, all runs of random tests. */
export const isWhole = process.env.TEST_ALL === "1";

/** How often a property is tried on random values: `whole` times when everything is, else a third of it. */
export function runs(whole: number): number {
  return isWhole ? whole : Math.ceil(whole / 3);
}
