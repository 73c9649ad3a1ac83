/** Safe in the browser. */
import { type SnakeCase, snakeName } from "@/lib/vocabulary/members";
import { zeroCounts } from "@/lib/vocabulary/module-config-labels";
import { refreshCounts } from "@/lib/vocabulary/terms";
import { formatNumber } from "@/lib/vocabulary/format-number";

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

export function describeRefresh(rules: RefreshRules): string {
  const starts = formatNumber(rules.exchange_after_x_ignition_cycles);
  const kilometers = formatNumber(rules.exchange_after_x_kilometers);
  const days = formatNumber(rules.exchange_after_x_days);
  return `Vehicles request a new table after ${starts} starts, ${kilometers} km or ${days} days, whichever comes first.`;
}

/**
 * When vehicles in PROPRIETARY or HTTP mode ask without getting an answer, in seconds since the first attempt
 * (`head-unit-rules.md` section 6): after the timeout, then after the sum of the first n pairs of retry seconds and
 * timeout. A timeout of 0 ends it at once.
 */
export function listAttempts({ timeout_after_x_seconds: timeout, seconds_between_retries: retries }: RefreshRules) {
  const attempts = [0];
  if (timeout === 0) return { attempts, end: 0 };
  let [wait, end] = [0, timeout];
  for (const seconds of retries) {
    attempts.push(end);
    wait += seconds + timeout;
    end += wait;
  }
  return { attempts, end };
}

export function describeRetries(rules: RefreshRules): string {
  const { attempts, end } = listAttempts(rules);
  const [last, ...others] = attempts.slice(1).map(describeSeconds).toReversed();
  const times = [others.toReversed().join(", "), last].filter((text) => text !== "").join(" and ");
  const retry = last === undefined ? "don’t try again" : `try again after ${times}`;
  return `Without an answer, those in PROPRIETARY or HTTP mode ${retry}, and give up after ${describeSeconds(end)}; in EXTERNAL_PROPRIETARY mode the HMI decides.`;
}

/** What vehicles do because of numbers that are 0, one sentence each; null: the number is missing. */
export function describeZeros(
  numbers: Readonly<Record<SnakeCase<(typeof refreshCounts)[number]>, number | null>>,
): string[] {
  return refreshCounts.filter((name) => numbers[snakeName(name)] === 0).map((name) => `A vehicle ${zeroCounts[name]}.`);
}
