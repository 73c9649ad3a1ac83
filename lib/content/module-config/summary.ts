/** Describes a module config in words. Pure; safe in the browser. */
import type { SnakeCase } from "@/lib/labels/members";
import type { refreshCounts } from "@/lib/labels/vocabulary";
import { formatNumber } from "@/lib/labels/format-number";

export interface RefreshRules extends Readonly<Record<SnakeCase<(typeof refreshCounts)[number]>, number>> {
  readonly seconds_between_retries: readonly number[];
}

/** Formats seconds in the largest suitable units: "45 s", "13 min", "2 h 5 min". */
export function describeSeconds(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest === 0 ? "" : ` ${rest} min`}`;
}

/** Describes when a vehicle requests a new table. */
export function describeRefresh(rules: RefreshRules): string {
  const starts = formatNumber(rules.exchange_after_x_ignition_cycles);
  const kilometers = formatNumber(rules.exchange_after_x_kilometers);
  const days = formatNumber(rules.exchange_after_x_days);
  return `Vehicles request a new table after ${starts} starts, ${kilometers} km or ${days} days, whichever comes first.`;
}

/** One attempt to get a table; `startsAfter` is in seconds since the first attempt. */
export interface Attempt {
  readonly number: number;
  readonly startsAfter: number;
}

/** When the attempts of a vehicle start if it never gets an answer: each one after the timeout and a pause. */
export function listAttempts({ timeout_after_x_seconds: timeout, seconds_between_retries: pauses }: RefreshRules) {
  const attempts: Attempt[] = [{ number: 1, startsAfter: 0 }];
  for (const [index, pause] of pauses.entries()) {
    const before = attempts[index]?.startsAfter ?? 0;
    attempts.push({ number: index + 2, startsAfter: before + timeout + pause });
  }
  return attempts;
}

/** Describes how a vehicle retries when nobody answers, and when it gives up. */
export function describeRetries(rules: RefreshRules): string {
  const { seconds_between_retries: pauses, timeout_after_x_seconds: timeout } = rules;
  const last = listAttempts(rules).at(-1);
  const end = describeSeconds((last?.startsAfter ?? 0) + timeout);
  if (pauses.length === 0) return `They try once and give up after ${end} without an answer.`;
  const list = pauses.map((pause) => `${pause} s`).join(", ");
  return `Without an answer within ${describeSeconds(timeout)} they try again after ${list} and give up after ${end}.`;
}
