import "server-only";
import type { AdoptionFigures, AnsweredFigures } from "@/lib/fleet/figures/answer-schema";
import { counterOf, rank, sumBuckets, tell, tellShare, total, type Values } from "@/lib/fleet/figures/counts";
import { loadShare, loadSteps } from "@/lib/fleet/figures/load-values";
import { describeScope, listSteps, type Scope } from "@/lib/fleet/figures/scope";
import type { Bucket } from "@/lib/fleet/stored-counts";

const none: Values = new Map();
const byTime = (buckets: readonly Bucket[]) => {
  const known = new Map(buckets.map(({ at, values }) => [at.getTime(), values]));
  return (at: Date): Values => known.get(at.getTime()) ?? none;
};

/**
 * Answers by step and kind. Which software a vehicle has is known only from requests that were read: without answers of
 * its own, a part of the vehicles counts these, and no refusals.
 *
 * @throws DatabaseUnavailable
 */
export async function loadRequests(scope: Scope): Promise<AnsweredFigures> {
  const [answers, releases, share] = await Promise.all([
    loadSteps("answers", scope),
    scope.cell.of === "all" ? [] : loadSteps("releases", scope),
    loadShare(scope),
  ]);
  const isRead = answers.length === 0 && releases.length > 0;
  const tellAnswers = (values: Values) => ({
    table: tell(isRead ? total(values) : counterOf(values, "table")),
    repaired: isRead ? null : tell(counterOf(values, "repaired")),
    refused: isRead ? null : tell(counterOf(values, "refused")),
  });
  const buckets = isRead ? releases : answers;
  const valuesAt = byTime(buckets);
  return {
    ...describeScope(scope),
    share,
    total: tellAnswers(sumBuckets(buckets)),
    steps: listSteps(scope).map((at) => ({ at: at.toISOString(), ...tellAnswers(valuesAt(at)) })),
  };
}

/** Requests by the release that the vehicle had. @throws DatabaseUnavailable */
export async function loadAdoption(scope: Scope): Promise<AdoptionFigures> {
  const [buckets, share] = await Promise.all([loadSteps("releases", scope), loadShare(scope)]);
  const sums = sumByRelease(sumBuckets(buckets));
  const whole = [...sums.values()].reduce((sum, count) => sum + count, 0);
  const order = [...sums.keys()].toSorted((a, b) => (b ?? 0) - (a ?? 0));
  const valuesAt = byTime(buckets);
  return {
    ...describeScope(scope),
    share,
    releases: order.map((release) => {
      const count = sums.get(release) ?? 0;
      return { release, count: tell(count), share: tellShare(count, whole) };
    }),
    steps: listSteps(scope).map((at) => {
      const counts = sumByRelease(valuesAt(at));
      const releases = order.flatMap((release) => {
        const count = counts.get(release);
        return count === undefined ? [] : [{ release, count: tell(count) }];
      });
      return { at: at.toISOString(), releases };
    }),
  };
}

/** By number; null: whatever is no number, which is unknown or beyond what an hour holds. */
function sumByRelease(values: Values): Map<number | null, number> {
  const sums = new Map<number | null, number>();
  for (const { value, count } of rank(values)) {
    const release = /^[1-9]\d{0,8}$/.test(value) ? Number(value) : null;
    sums.set(release, (sums.get(release) ?? 0) + count);
  }
  return sums;
}
