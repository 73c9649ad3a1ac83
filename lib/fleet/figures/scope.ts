import { allVehicles, type Cell, type Unit, unitMs } from "@/lib/fleet/dimensions";
import { type FleetPageQuery, type FleetQuery, pageRanges } from "@/lib/fleet/figures/schema";
import { countsKeptMs } from "@/lib/fleet/stored-counts";
import { AppError } from "@/lib/platform/errors";
import type { Environment } from "@/lib/vocabulary/terms";

const dayMs = unitMs.day;
const maxHourlyMs = 7 * dayMs;
const usualSteps = { hour: 24, day: 30 } as const;

/** Which vehicles and which time figures are about. `from`: the beginning of a step; `to`: exclusive */
export interface Scope {
  readonly environment: Environment;
  readonly cell: Cell;
  readonly step: Unit;
  readonly from: Date;
  readonly to: Date;
}

const floor = (at: number, unit: Unit) => Math.floor(at / unitMs[unit]) * unitMs[unit];

/** @throws AppError 400 that names the parameter */
export function buildScope(query: Omit<FleetQuery, "format">, now: number): Scope {
  const { software, country, environment } = query;
  const cell = cellOf(software, country);
  const to = query.to?.getTime() ?? now;
  const keptMs = countsKeptMs[cell.of === "all" ? "all" : "part"];
  const isHourly = (from: number) => to - from <= maxHourlyMs && from >= now - keptMs.hour;
  // Without `from`, the usual range is within what hours are kept for, unless it is long ago.
  const step = query.step ?? (isHourly(query.from?.getTime() ?? to - dayMs) ? "hour" : "day");
  const from = query.from?.getTime() ?? floor(to - 1, step) - (usualSteps[step] - 1) * unitMs[step];
  if (from >= to) throw new AppError("invalid", "from must be before to");
  if (to - from > countsKeptMs.all.day) throw new AppError("invalid", "from must be at most 730 days before to");
  if (floor(from, step) < now - keptMs[step] - unitMs[step]) {
    const what = step === "hour" ? "step must be day: hours" : "from is too early: days";
    const whose = cell.of === "all" ? "" : ` of a ${cell.of}`;
    throw new AppError("invalid", `${what}${whose} are kept for ${keptMs[step] / dayMs} days`);
  }
  return { environment, cell, step, from: new Date(floor(from, step)), to: new Date(to) };
}

/** The last steps of a range, up to the current one. */
export function buildPageScope({ range, environment, software, country }: FleetPageQuery, now: number): Scope {
  const { step, count } = pageRanges[range];
  return buildRecentScope({ environment, cell: cellOf(software, country), step }, count, now);
}

export function buildRecentScope(what: Omit<Scope, "from" | "to">, steps: number, now: number): Scope {
  return { ...what, from: new Date(floor(now, what.step) - (steps - 1) * unitMs[what.step]), to: new Date(now) };
}

/** The time since then, or the last 90 days of it; in hours for up to 7 days. */
export function buildScopeSince(since: number, environment: Environment, now: number): Scope {
  const step = now - since <= maxHourlyMs ? "hour" : "day";
  const from = Math.max(floor(since, step), floor(now, step) - 89 * dayMs);
  return { environment, cell: allVehicles, step, from: new Date(from), to: new Date(now) };
}

function cellOf(software: string | undefined, country: string | undefined): Cell {
  if (software !== undefined) return { of: "software", value: software };
  return country === undefined ? allVehicles : { of: "country", value: country };
}

export function listSteps({ from, to, step }: Pick<Scope, "from" | "to" | "step">): Date[] {
  const steps: Date[] = [];
  for (let at = from.getTime(); at < to.getTime(); at += unitMs[step]) steps.push(new Date(at));
  return steps;
}

interface Piece {
  readonly unit: Unit;
  readonly from: Date;
  readonly to: Date;
}

/** Hours and whole days of a range, each time once: sums read a day instead of its 24 hours. */
export function listPieces({ from, to, step }: Pick<Scope, "from" | "to" | "step">): Piece[] {
  if (step === "day") return [{ unit: "day", from, to }];
  const first = new Date(Math.ceil(from.getTime() / dayMs) * dayMs);
  const last = new Date(floor(to.getTime(), "day"));
  if (first >= last) return [{ unit: "hour", from, to }];
  const pieces: Piece[] = [
    { unit: "hour", from, to: first },
    { unit: "day", from: first, to: last },
    { unit: "hour", from: last, to },
  ];
  return pieces.filter((piece) => piece.from < piece.to);
}

export function describeScope({ environment, cell, step, from, to }: Scope) {
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    step,
    environment,
    software: cell.of === "software" ? cell.value : null,
    country: cell.of === "country" ? cell.value : null,
  };
}
