import { formatNumber, plural } from "@/lib/vocabulary/format-number";

/** Of a count that is not told exactly (`fleet.md` S2). */
const few = "fewer than 10";

export const countText = (count: number | null): string => (count === null ? few : formatNumber(count));

/** "1,203 requests", "fewer than 10 requests" */
export const countWords = (count: number | null, one: string, many = `${one}s`): string =>
  count === null ? `${few} ${many}` : plural(count, one, many);

export function Count({ value }: Readonly<{ value: number | null }>) {
  return value === null ? <span className="whitespace-nowrap text-muted">{few}</span> : formatNumber(value);
}

/** "12 %", and one decimal below one. Null: not told, because the counts are below 10. */
export function shareText(share: number | null): string {
  if (share === null) return "–";
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return "< 0.1 %";
  return `${percent > 0 && percent < 1 ? percent.toFixed(1) : Math.round(percent)} %`;
}

/** Null: every request was read, or none was answered. */
export const sampleText = (share: number | null): string | null =>
  share === null || share >= 1 ? null : `From a sample of ${shareText(share)}.`;

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
/** "2.4K": for axes. */
export const compactText = (count: number): string => compact.format(count);
