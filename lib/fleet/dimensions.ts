import type { Environment } from "@/lib/vocabulary/terms";

/** What counts are added up by, in milliseconds; each begins in UTC. */
export const unitMs = { hour: 3_600_000, day: 86_400_000 } as const;
export type Unit = keyof typeof unitMs;

/**
 * What is counted, and with which counters (`fleet.md` S1). `answers`: each answer once, never sampled, by its kind;
 * `repaired`: a table for a garbled request. `sample`: how many requests got a table for what could be read, and how many
 * were read. Values are texts of requests, unless it says otherwise; that of `sample` and `repeats` is `wholeValue`.
 */
export const dimensions = {
  answers: ["count"],
  sample: ["answered", "read"],
  /** By the uuid of a stored app. `own`, `default`, `blocked`: which entry it got. The others only with `usage` */
  apps: [
    ...["own", "default", "blocked"],
    ...["reports", "full", "limited", "background", "none", "selections", "rejected", "refused", "removed"],
  ],
  /** Requested ids that belong to no stored app. */
  unknownApps: ["count"],
  software: ["count"],
  hardware: ["count"],
  languages: ["count"],
  countries: ["count"],
  systems: ["count"],
  /** By the number of the release that the vehicle had; `unknown`: its groups match none. */
  releases: ["count"],
  /** Drivers' consents, by the name of a functional group; only with `usage`. */
  groups: ["yes", "no"],
  /** Requests that a vehicle repeated within a minute although its table was the same. */
  repeats: ["count"],
} as const satisfies Record<string, readonly string[]>;
export type Dimension = keyof typeof dimensions;

/** Which vehicles are counted: all, those with a head-unit software, of a country, or on a side of a rollout. */
export type Cell = { readonly of: "all" } | { readonly of: "software" | "country" | "side"; readonly value: string };
export const allVehicles: Cell = { of: "all" };

/** The value of whatever exceeds the 1,000 values of a dimension in an hour. */
export const otherValue = "other";

/** The only value of `sample` and `repeats`. */
export const wholeValue = "all";

/** Values of a dimension in an hour or a day; the rest is `otherValue`. */
export const maxValues = 1_000;
/** Software and countries that have a cell in an hour; the others only count for all vehicles. */
export const maxCellValues = 50;

/** What was counted of a value. `counters`: by a name of its dimension; after division by the share read. */
export interface Count {
  readonly environment: Environment;
  readonly cell: Cell;
  readonly dimension: Dimension;
  readonly value: string;
  readonly counters: Readonly<Record<string, number>>;
}
