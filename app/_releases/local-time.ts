/** Moments as the browser's field for date and time takes them: in the reader's own zone, to the minute. */
export function toField(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The moment that such a field means, ISO 8601; null: it is not filled. */
export function fromField(text: string): string | null {
  const at = new Date(text);
  return text === "" || Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** The next full hour that is some hours away. */
export function inHours(hours: number, now = new Date()): Date {
  const at = new Date(now.getTime() + (hours + 1) * 3_600_000);
  at.setMinutes(0, 0, 0);
  return at;
}
