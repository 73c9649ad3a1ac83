/** Gradual rollouts of releases (`fleet.md` section 3). Safe in the browser. */

import { plural } from "@/lib/vocabulary/format-number";

export const rolloutStates = ["running", "paused", "finished", "cancelled"] as const;
export type RolloutState = (typeof rolloutStates)[number];

export interface RolloutStep {
  /** Of the vehicles that the rollout is for. */
  readonly percent: number;
  /** How long the step lasts; null: until somebody goes on. */
  readonly hours: number | null;
}

export const defaultRolloutSteps: readonly RolloutStep[] = [1, 10, 50, 100].map((percent) => ({ percent, hours: 24 }));
export const maxRolloutSteps = 10;

/** Only vehicles with one of the listed values; an empty list: all. */
export const rolloutFilters = ["countries", "software", "hardware"] as const;
export type RolloutFilter = (typeof rolloutFilters)[number];
export type RolloutFilters = Readonly<Record<RolloutFilter, readonly string[]>>;

/** What is asked for with a publication. */
export interface RolloutRequest extends RolloutFilters {
  readonly steps: readonly RolloutStep[];
}

/** On which side of a rollout a vehicle is: it gets the release, or still production as of the release before. */
export const rolloutSides = ["in", "out"] as const;
export type RolloutSide = (typeof rolloutSides)[number];

/** The figures that can stop a rollout (`fleet.md` S13), as people are told. */
export const brakeFigures = {
  rejected: "rejected calls",
  repeats: "requests repeated within a minute",
  removed: "removals for bad behavior",
} as const;
export type BrakeFigure = keyof typeof brakeFigures;

/** What happens to a rollout. `step`: the next one has begun; `brake`: the server paused it. */
export const rolloutActs = ["start", "step", "pause", "brake", "resume", "finish", "cancel"] as const;
export type RolloutAct = (typeof rolloutActs)[number];

/** "1 % for 1 day, 50 % until somebody goes on, 100 %" */
export function describeSteps(steps: readonly RolloutStep[]): string {
  return steps
    .map(({ percent, hours }, at) => {
      if (at === steps.length - 1) return `${percent} %`;
      return `${percent} % ${hours === null ? "" : "for "}${describeHours(hours)}`;
    })
    .join(", ");
}

/** Whether a step gives the release to every vehicle. */
export function isForAll(filters: RolloutFilters, { percent }: RolloutStep): boolean {
  return percent >= 100 && rolloutFilters.every((name) => filters[name].length === 0);
}

/** How long a step lasts, for people. Null: until somebody goes on. */
export function describeHours(hours: number | null): string {
  if (hours === null) return "until somebody goes on";
  const [count, unit] = hours % 24 === 0 ? [hours / 24, "day"] : [hours, "hour"];
  return plural(count, unit);
}

/** Which vehicles a rollout is for, as a sentence; empty: all. */
export function describeRolloutFilters(filters: RolloutFilters): string {
  const named = { countries: "countries", software: "head-unit software", hardware: "head-unit hardware" } as const;
  const parts = rolloutFilters.flatMap((name) =>
    filters[name].length === 0 ? [] : [`${named[name]} ${filters[name].join(", ")}`],
  );
  return parts.length === 0 ? "" : `Only ${parts.join("; ")}.`;
}
