import { describeProblem } from "@/app/_components/feedback/problem";
import { ApiError } from "@/lib/platform/http/client";

/** What the server says of the time of a publication, for the time's field; null: the error is about something else. */
export function findTimeProblem(error: unknown): string | null {
  return error instanceof ApiError && error.message.startsWith("at ") ? describeProblem(error) : null;
}

/** A moment in the format of the browser's date and time field: local time, to the minute. */
export function toField(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The moment in such a field, ISO 8601; null: empty. */
export function fromField(text: string): string | null {
  const at = new Date(text);
  return text === "" || Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** The next full hour after this number of hours. */
export function inHours(hours: number, now = new Date()): Date {
  const at = new Date(now.getTime() + (hours + 1) * 3_600_000);
  at.setMinutes(0, 0, 0);
  return at;
}
