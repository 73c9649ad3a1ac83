import { type BrakeFigure, brakeFigures, type RolloutSide } from "@/lib/vocabulary/rollouts";
import { namesOf, recordOf } from "@/lib/vocabulary/members";

/** What was counted of the requests on one side of a rollout. */
export type SideFigures = Readonly<Record<BrakeFigure | "requests", number>>;
export type SideCounts = Readonly<Record<RolloutSide, SideFigures>>;

/** How many times as high a figure must be inside (`fleet.md` S13). */
export const usualThreshold = 3;
/** Requests that each side needs, so that a single car decides nothing. */
const minRequests = 30;
/** Less often than that, a figure says nothing either. */
const minEvents = 10;

export interface Braked {
  readonly figure: BrakeFigure;
  /** For each request. */
  readonly inside: number;
  readonly outside: number;
}

/** The first figure that is above the threshold (rule S13): why the rollout must stop; null: nothing speaks against it. */
export function brakeOf({ in: inside, out: outside }: SideCounts, threshold = usualThreshold): Braked | null {
  if (inside.requests < minRequests || outside.requests < minRequests) return null;
  for (const figure of namesOf(brakeFigures)) {
    const rates = { inside: inside[figure] / inside.requests, outside: outside[figure] / outside.requests };
    if (inside[figure] >= minEvents && rates.inside > threshold * rates.outside) return { figure, ...rates };
  }
  return null;
}

/** "rejected calls: 2.4 a request of the cars inside, 0.31 of those outside" */
export function describeBrake({ figure, inside, outside }: Braked): string {
  const told = (rate: number) => new Intl.NumberFormat("en-US", { maximumSignificantDigits: 2 }).format(rate);
  return `${brakeFigures[figure]}: ${told(inside)} a request of the cars inside, ${told(outside)} of those outside`;
}

/** What was counted since `earlier`. What is no longer kept counts as nothing. */
export const sinceCounts = (now: SideCounts, earlier: SideCounts): SideCounts => {
  const less = (side: RolloutSide) =>
    recordOf(namesOf(now[side]), (name) => Math.max(0, now[side][name] - earlier[side][name]));
  return { in: less("in"), out: less("out") };
};
