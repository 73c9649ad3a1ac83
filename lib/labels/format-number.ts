const grouped = new Intl.NumberFormat("en");

/** A count as people read it, on every page in the same way: "1,852". */
export const formatNumber = (count: number): string => grouped.format(count);

/** A count with its word: "1 group", "1,852 groups". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}
