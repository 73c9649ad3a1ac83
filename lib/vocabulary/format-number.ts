const grouped = new Intl.NumberFormat("en");

/** "1,852" */
export const formatNumber = (count: number): string => grouped.format(count);

/** "1 group", "1,852 groups" */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** "Alert, Show and 3 more" */
export function listSome(names: readonly string[], max: number): string {
  const rest = names.length - max;
  return `${names.slice(0, max).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
