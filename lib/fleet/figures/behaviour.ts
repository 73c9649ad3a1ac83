import "server-only";
import { otherValue, unitMs } from "@/lib/fleet/dimensions";
import type { LoadNames } from "@/lib/fleet/figures/apps";
import { type Values, rank, tell } from "@/lib/fleet/figures/counts";
import { loadSums } from "@/lib/fleet/figures/load-values";
import { buildScopeSince, type Scope } from "@/lib/fleet/figures/scope";

const fewestReports = 30;
const threefold = 3;
const longestMs = 30 * unitMs.day;

/** An app whose calls head units reject more often than before. Rejected calls per report. */
export interface Worsened {
  readonly uuid: string;
  readonly name: string | null;
  readonly before: number;
  readonly since: number;
}

/** Rule S9: more than threefold, with at least 30 reports before and since. The worst first. */
export function listWorsened(before: Values, since: Values): Omit<Worsened, "name">[] {
  return rank(since, ({ rejected = 0, reports = 0 }) => (reports === 0 ? 0 : rejected / reports)).flatMap(
    ({ value: uuid, counters: { reports = 0, rejected = 0 }, count: rate }) => {
      const { reports: earlier = 0, rejected: rejectedEarlier = 0 } = before.get(uuid) ?? {};
      if (uuid === otherValue || reports < fewestReports || earlier < fewestReports) return [];
      const rateEarlier = rejectedEarlier / earlier;
      return (tell(rejected) ?? 0) > 0 && rate > threefold * rateEarlier
        ? [{ uuid, before: rateEarlier, since: rate }]
        : [];
    },
  );
}

/**
 * Apps that got worse after a release: as long before it as since, at least a day and at most 30. The hour of the release,
 * or with days its day, belongs to both sides and counts for none.
 *
 * @throws DatabaseUnavailable
 */
export async function loadWorsened(releasedAt: number, now: number, loadNames: LoadNames): Promise<Worsened[]> {
  const { environment, cell, step } = buildScopeSince(releasedAt, "production", now);
  const what = { environment, cell, step };
  const begin = Math.floor(releasedAt / unitMs[step]) * unitMs[step];
  const next = begin + unitMs[step];
  const length = Math.ceil(Math.min(longestMs, Math.max(unitMs.day, now - next)) / unitMs[step]);
  const before: Scope = { ...what, from: new Date(begin - length * unitMs[step]), to: new Date(begin) };
  const since: Scope = { ...what, from: new Date(next), to: new Date(Math.min(now, next + longestMs)) };
  if (since.from >= since.to) return [];
  const worsened = listWorsened(await loadSums("apps", before), await loadSums("apps", since));
  const names = await loadNames(worsened.map(({ uuid }) => uuid));
  return worsened.map((one) => ({ ...one, name: names.get(one.uuid) ?? null }));
}
