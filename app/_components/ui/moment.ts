const units = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["week", 7 * 86_400],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** "3 days ago", "in 2 hours"; within a minute "just now". */
export function describeAge(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1000;
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  if (unit === "second") return "just now";
  // What is to come in 89.9 days comes in 3 months; what is 1.9 hours old has been there for one hour.
  return relative.format(seconds > 0 ? Math.round(seconds / size) : Math.trunc(seconds / size), unit);
}

/** "GMT+1", "EST": the reader's zone as of a moment. */
function zoneName(at: Date): string {
  const parts = new Intl.DateTimeFormat("en", { timeZoneName: "short" }).formatToParts(at);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}

/** The format sorts and is the same everywhere. */
export function formatMoment(at: string, zone: "local" | "utc"): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  const shifted = zone === "utc" ? date : new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  const text = shifted.toISOString().slice(0, 19).replace("T", " ");
  return `${text} ${zone === "utc" ? "UTC" : zoneName(date)}`;
}
