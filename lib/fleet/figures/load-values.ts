"one per process";

import "server-only";
import { allVehicles, type Dimension } from "@/lib/fleet/dimensions";
import { counterOf, sumBuckets, total, type Values } from "@/lib/fleet/figures/counts";
import { buildRecentScope, listPieces, type Scope } from "@/lib/fleet/figures/scope";
import { type Bucket, loadBuckets } from "@/lib/fleet/stored-counts";
import { oncePer } from "@/lib/platform/once-per";
import { environments } from "@/lib/vocabulary/terms";

const keptDays = 90;

/** The buckets of each step; those without a count are missing. @throws DatabaseUnavailable */
export function loadSteps(dimension: Dimension, { environment, cell, step, from, to }: Scope): Promise<Bucket[]> {
  return loadBuckets(step, { environment, dimension, cell }, from, to);
}

/** The sums of a range by value. @throws DatabaseUnavailable */
export async function loadSums(dimension: Dimension, scope: Scope): Promise<Values> {
  const { environment, cell } = scope;
  const pieces = listPieces(scope).map(({ unit, from, to }) =>
    loadBuckets(unit, { environment, dimension, cell }, from, to),
  );
  return sumBuckets((await Promise.all(pieces)).flat());
}

/**
 * The share of the answered requests that was read; null if none was answered. Loaded once for a scope, because all figures
 * of a page have the same. @throws DatabaseUnavailable
 */
export const loadShare = oncePer(async (scope: Scope): Promise<number | null> => {
  const sample = await loadSums("sample", { ...scope, cell: allVehicles });
  const answered = total(sample, "answered");
  if (answered === 0) return null;
  return Math.min(1, Math.round((total(sample, "read") / answered) * 10_000) / 10_000);
});

/**
 * How many requests got a table: by the release that each vehicle had, because they come from the same sample as other
 * counts. Without these, as answered.
 *
 * @throws DatabaseUnavailable
 */
export async function loadAnswered(scope: Scope): Promise<number> {
  const [releases, answers] = await Promise.all([loadSums("releases", scope), loadSums("answers", scope)]);
  return total(releases) || counterOf(answers, "table") + counterOf(answers, "repaired");
}

/** Whether any vehicle has asked in the last 90 days, in production or staging. @throws DatabaseUnavailable */
export async function hasRequests(now: number): Promise<boolean> {
  const all = environments.map((environment) =>
    loadSteps("answers", buildRecentScope({ environment, cell: allVehicles, step: "day" }, keptDays, now)),
  );
  return (await Promise.all(all)).some((buckets) => buckets.length > 0);
}
