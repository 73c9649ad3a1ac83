import "server-only";
import type { AppFigures } from "@/lib/fleet/figures/answer-schema";
import { type Counters, rank, sumBuckets, tell, tellShare } from "@/lib/fleet/figures/counts";
import { loadAnswered, loadShare, loadSteps, loadSums } from "@/lib/fleet/figures/load-values";
import { describeScope, listSteps, type Scope } from "@/lib/fleet/figures/scope";

export const usageCounters = [
  ...(["reports", "full", "limited", "background", "none"] as const),
  ...(["selections", "rejected", "refused", "removed"] as const),
];

type App = AppFigures["apps"][number];

const countOfApp = ({ own = 0, default: usual = 0, blocked = 0 }: Counters) => own + usual + blocked;

/** The names of apps by uuid, without unknown ones. This room knows no apps. */
export type LoadNames = (uuids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** Requested apps, what vehicles report of them, and unknown ids. @throws DatabaseUnavailable */
export async function loadApps(scope: Scope, loadNames: LoadNames): Promise<AppFigures> {
  const [apps, unknown, requests, share] = await Promise.all([
    loadSums("apps", scope),
    loadSums("unknownApps", scope),
    loadAnswered(scope),
    loadShare(scope),
  ]);
  const names = await loadNames([...apps.keys()]);
  return {
    ...describeScope(scope),
    share,
    requests: tell(requests),
    apps: rank(apps, countOfApp).map(({ value: uuid, counters, count }) => ({
      uuid,
      name: names.get(uuid) ?? null,
      count: tell(count),
      share: tellShare(count, requests),
      own: tell(counters["own"] ?? 0),
      default: tell(counters["default"] ?? 0),
      blocked: tell(counters["blocked"] ?? 0),
      usage: tellUsage(counters),
    })),
    unknown: rank(unknown).map(({ value: id, count }) => ({ id, count: tell(count) })),
  };
}

/** Sums of few reports would tell about single vehicles, so they are not told either (rule S2). */
export function tellUsage(counters: Counters): App["usage"] {
  const { reports = 0, rejected = 0 } = counters;
  if (reports === 0) return null;
  const isTold = tell(reports) !== null;
  const told = (name: string) => (isTold ? tell(counters[name] ?? 0) : null);
  return {
    reports: told("reports"),
    full: told("full"),
    limited: told("limited"),
    background: told("background"),
    none: told("none"),
    selections: told("selections"),
    rejected: told("rejected"),
    refused: told("refused"),
    removed: told("removed"),
    rejected_per_report: isTold && tell(rejected) !== null ? Math.round((rejected / reports) * 100) / 100 : null,
  };
}

/** One app by step: requests that named it, and rejected calls. */
export interface AppSteps {
  readonly share: number | null;
  readonly total: Pick<App, "count" | "share" | "usage">;
  readonly steps: readonly { readonly at: string; readonly count: number | null; readonly rejected: number | null }[];
}

export async function loadAppSteps(uuid: string, scope: Scope): Promise<AppSteps> {
  const [buckets, requests, share] = await Promise.all([
    loadSteps("apps", scope),
    loadAnswered(scope),
    loadShare(scope),
  ]);
  const known = new Map(buckets.map(({ at, values }) => [at.getTime(), values.get(uuid) ?? {}]));
  const sums = sumBuckets(buckets).get(uuid) ?? {};
  const count = countOfApp(sums);
  return {
    share,
    total: { count: tell(count), share: tellShare(count, requests), usage: tellUsage(sums) },
    steps: listSteps(scope).map((at) => {
      const counters = known.get(at.getTime()) ?? {};
      const usage = tellUsage(counters);
      return { at: at.toISOString(), count: tell(countOfApp(counters)), rejected: usage === null ? 0 : usage.rejected };
    }),
  };
}
