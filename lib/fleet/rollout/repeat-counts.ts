import "server-only";
import { z } from "zod";
import type { Count } from "@/lib/fleet/dimensions";
import { addCounts } from "@/lib/fleet/stored-counts";
import { DatabaseUnavailable } from "@/lib/platform/db/connection/errors";
import { log } from "@/lib/platform/log";
import type { Figures } from "@/lib/platform/process/messages";
import { rolloutSides, type RolloutSide } from "@/lib/vocabulary/rollouts";

const counted = "policy_rollout_repeats_total";
const figure = z.object({
  name: z.literal(counted),
  values: z.array(z.object({ value: z.number(), labels: z.object({ side: z.enum(rolloutSides) }) })),
});

type BySide = Record<RolloutSide, number>;
type ByProcess = Readonly<Record<string, Figures>>;

/** Adds up what the vehicle workers count of repeated requests (`fleet.md` S13). */
export class RepeatCounts {
  readonly #seen = new Map<string, BySide>();
  #waiting: BySide = { in: 0, out: 0 };

  /** Adds what is new since the last call. What a process had counted before its first call is left out. */
  add(byProcess: ByProcess): void {
    for (const [process, figures] of Object.entries(byProcess)) {
      const values = figures.flatMap((one) => figure.safeParse(one).data?.values ?? []);
      if (values.length === 0) continue;
      const now: BySide = { in: 0, out: 0 };
      for (const { labels, value } of values) now[labels.side] = value;
      const before = this.#seen.get(process);
      for (const side of rolloutSides) {
        if (before === undefined) continue;
        // A process that began again counts from zero.
        this.#waiting[side] += now[side] < before[side] ? now[side] : now[side] - before[side];
      }
      this.#seen.set(process, now);
    }
  }

  /** What is not stored yet. */
  get waiting(): Readonly<BySide> {
    return this.#waiting;
  }

  /** Stores what was added. Throws DatabaseUnavailable; everything is kept then. */
  async store(now: number): Promise<void> {
    const counts = rolloutSides.flatMap((side): Count[] => {
      const count = this.#waiting[side];
      const place = { environment: "production", cell: { of: "side", value: side }, dimension: "repeats" } as const;
      return count === 0 ? [] : [{ ...place, value: "all", counters: { count } }];
    });
    if (counts.length === 0) return;
    await addCounts(now, counts);
    this.#waiting = { in: 0, out: 0 };
  }
}

const everyMs = 60_000;

/**
 * Counts repeated requests from now on, once a minute. Returns a function that stops it.
 *
 * @param collect reads metrics of all processes; empty for one that does not answer
 */
export function startRepeatCounts(collect: (names: readonly string[]) => Promise<ByProcess>): () => Promise<void> {
  const counts = new RepeatCounts();
  let working = Promise.resolve();
  const work = () => {
    working = working.then(async () => {
      try {
        counts.add(await collect([counted]));
        await counts.store(Date.now());
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable))
          log.warn({ err: error }, "repeated requests could not be counted; trying again");
      }
    });
    return working;
  };
  void work();
  const timer = setInterval(() => void work(), everyMs).unref();
  return async () => {
    clearInterval(timer);
    await working;
  };
}
