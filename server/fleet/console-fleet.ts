import type { CountBatch } from "@/lib/fleet/batch";
import { CountStore } from "@/lib/fleet/count-store";
import { startHandingOver } from "@/lib/fleet/hand-over";
import { buildReleaseKeys } from "@/lib/fleet/release-key";
import { FleetSampler } from "@/lib/fleet/sampler";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import { onMain, sendToMain } from "@/lib/platform/process/channel";
import type { Settings } from "@/lib/platform/settings";

export type ConsoleFleet = NonNullable<ReturnType<typeof createConsoleFleet>>;

/** Stores what all processes count, and counts the few requests that this one answers (`fleet.md` S5). Null: nothing. */
export function createConsoleFleet(settings: Pick<Settings, "fleetStatistics" | "fleetSamplePerSecond">) {
  if (settings.fleetStatistics === "off") return null;
  const store = new CountStore();
  const forget = onMain("counts", ({ batch }) => {
    void store.take(batch).then((isStored) => {
      if (isStored && "id" in batch && typeof batch.id === "string") sendToMain({ kind: "counted", id: batch.id });
    });
  });
  const sampler = new FleetSampler(settings);
  const take = (batch: CountBatch) =>
    void store.take(batch).then((isStored) => {
      if (isStored) handing.acknowledge(batch.id);
    });
  const handing = startHandingOver(sampler, take);
  return {
    sampler,
    adoption: store.adoption,
    /** Whether a vehicle has a policy's release is told by its groups (S4). */
    noteServed: (policy: CompiledPolicy) => store.noteServed(policy.revision, buildReleaseKeys(policy)),
    stop: async (withinMs: number) => {
      await handing.stop(withinMs);
      forget();
      await store.stop();
    },
  };
}
