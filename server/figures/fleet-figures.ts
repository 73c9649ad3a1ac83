import type { CountStore } from "@/lib/fleet/count-store";
import { answerKinds, type FleetSampler } from "@/lib/fleet/sampler";
import { counter, type Figure } from "@/lib/platform/process/process-figures";
import { environments } from "@/lib/vocabulary/terms";

/** How current the tables of cars are (`operations.md` O3a). */
export const adoptionFigure = (adoption: CountStore["adoption"]): Figure =>
  counter(
    "policy_fleet_release_requests_total",
    "Requests in production by the release that the car had: in service within the last 60 days, older, or unknown",
    () => Object.entries(adoption).map(([release, value]) => ({ labels: { release }, value })),
  );

/** What is counted of the requests of vehicles (`fleet.md` S1); none if nothing is. */
export function fleetFigures(sampler: FleetSampler | null): readonly Figure[] {
  if (sampler === null) return [];
  const { outbox } = sampler;
  return [
    counter(
      "policy_fleet_answers_total",
      "Requests of vehicles by kind of answer, as the fleet's statistics count them",
      () =>
        environments.flatMap((environment) =>
          answerKinds.map((kind) => ({ labels: { environment, kind }, value: sampler.totals(environment)[kind] })),
        ),
    ),
    counter("policy_fleet_requests_read_total", "Answered requests that were read for the fleet's statistics", () =>
      environments.map((environment) => ({ labels: { environment }, value: sampler.totals(environment).read })),
    ),
    counter(
      "policy_fleet_requests_unreadable_total",
      "Of these, requests that could not be read",
      () => sampler.unreadable,
    ),
    counter(
      "policy_fleet_values_dropped_total",
      "Values that were counted as other, or not stored within two hours",
      () => [
        { labels: { reason: "other" }, value: outbox.others },
        { labels: { reason: "late" }, value: outbox.dropped },
      ],
    ),
  ];
}
