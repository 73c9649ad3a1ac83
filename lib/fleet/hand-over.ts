import type { CountBatch } from "@/lib/fleet/batch";
import type { FleetSampler } from "@/lib/fleet/sampler";

const everyMs = 60_000;

/**
 * Hands the counts over once a minute (rule S5). What is not acknowledged goes again a minute later, so the receiver must
 * store each batch once.
 */
export function startHandingOver(sampler: FleetSampler, send: (batch: CountBatch) => void) {
  const { outbox } = sampler;
  let emptied: (() => void) | null = null;
  const sendNext = () => {
    const batch = outbox.next();
    if (batch === null) emptied?.();
    else send(batch);
  };
  const work = () => {
    sampler.seal();
    sendNext();
  };
  const timer = setInterval(work, everyMs).unref();
  return {
    /** Tells that a batch is stored. */
    acknowledge: (id: string) => {
      if (outbox.acknowledge(id)) sendNext();
    },
    /** Hands the rest over, for a limited time in milliseconds, and ends. */
    stop: async (withinMs: number) => {
      clearInterval(timer);
      sampler.finish();
      const done = new Promise<void>((resolve) => (emptied = resolve));
      work();
      const late = new Promise<void>((resolve) => setTimeout(resolve, withinMs).unref());
      await Promise.race([done, late]);
      sampler.stop();
    },
  };
}
