const grouped = new Intl.NumberFormat("en");

/** A count as people read it, on every page in the same way: "1,852". */
export const formatNumber = (count: number): string => grouped.format(count);
