import "server-only";
import { type Dimension, unitMs } from "@/lib/fleet/dimensions";
import type { SideCounts, SideFigures } from "@/lib/fleet/rollout/brake";
import { loadBuckets } from "@/lib/fleet/stored-counts";
import type { RolloutSide } from "@/lib/vocabulary/rollouts";

/** What was counted of both sides from the beginning of the hour of `from` until now. Throws DatabaseUnavailable. */
export async function loadSideCounts(from: Date, now: Date): Promise<SideCounts> {
  return { in: await loadSide("in", from, now), out: await loadSide("out", from, now) };
}

async function loadSide(side: RolloutSide, from: Date, now: Date): Promise<SideFigures> {
  const begin = new Date(Math.floor(from.getTime() / unitMs.hour) * unitMs.hour);
  const sum = async (dimension: Dimension, counter: string) => {
    const place = { environment: "production", dimension, cell: { of: "side", value: side } } as const;
    const buckets = await loadBuckets("hour", place, begin, new Date(now.getTime() + 1));
    return buckets
      .flatMap(({ values }) => [...values.values()])
      .reduce((total, counters) => total + (counters[counter] ?? 0), 0);
  };
  return {
    requests: await sum("sample", "answered"),
    rejected: await sum("apps", "rejected"),
    removed: await sum("apps", "removed"),
    repeats: await sum("repeats", "count"),
  };
}
