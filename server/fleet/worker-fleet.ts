import { startHandingOver } from "@/lib/fleet/hand-over";
import { FleetSampler } from "@/lib/fleet/sampler";
import { onMain, sendToMain } from "@/lib/platform/process/channel";
import type { Settings } from "@/lib/platform/settings";

/** What a vehicle worker counts, and hands to the console through `main` (`fleet.md` S5). Null: nothing. */
export function createWorkerFleet(settings: Pick<Settings, "fleetStatistics" | "fleetSamplePerSecond">) {
  if (settings.fleetStatistics === "off") return null;
  const sampler = new FleetSampler(settings);
  const handing = startHandingOver(sampler, (batch) => sendToMain({ kind: "counts", batch }));
  const forget = onMain("counted", ({ id }) => handing.acknowledge(id));
  return {
    sampler,
    stop: async (withinMs: number) => {
      await handing.stop(withinMs);
      forget();
    },
  };
}
