import "server-only";
import { loadAppNames } from "@/lib/apps/applications/queries";
import { allVehicles, otherValue } from "@/lib/fleet/dimensions";
import type {
  AdoptionFigures,
  AppFigures,
  GroupFigures,
  HeadUnitFigures,
  AnsweredFigures,
} from "@/lib/fleet/figures/answer-schema";
import { loadApps } from "@/lib/fleet/figures/apps";
import { loadGroups } from "@/lib/fleet/figures/groups";
import { loadHeadUnits } from "@/lib/fleet/figures/head-units";
import { hasRequests } from "@/lib/fleet/figures/load-values";
import { loadAdoption, loadRequests } from "@/lib/fleet/figures/requests";
import type { Scope } from "@/lib/fleet/figures/scope";

const maxChoices = 30;

export interface FleetFigures {
  readonly requests: AnsweredFigures;
  readonly adoption: AdoptionFigures;
  readonly apps: AppFigures;
  readonly groups: GroupFigures;
  readonly headUnits: HeadUnitFigures;
  /** The most frequent values of all vehicles, to choose from. */
  readonly choices: { readonly software: readonly string[]; readonly countries: readonly string[] };
  /** No vehicle has ever asked. */
  readonly isNew: boolean;
}

/** Everything that the page shows. @throws DatabaseUnavailable */
export async function loadFleet(scope: Scope, now: number): Promise<FleetFigures> {
  const [requests, adoption, apps, groups, headUnits, all, isUsed] = await Promise.all([
    loadRequests(scope),
    loadAdoption(scope),
    loadApps(scope, loadAppNames),
    loadGroups(scope),
    loadHeadUnits(scope),
    scope.cell.of === "all" ? null : loadHeadUnits({ ...scope, cell: allVehicles }),
    hasRequests(now),
  ]);
  const list = (values: HeadUnitFigures["software"]) =>
    values.flatMap(({ value }) => (value === otherValue ? [] : value)).slice(0, maxChoices);
  const { software, countries } = all ?? headUnits;
  const choices = { software: list(software), countries: list(countries) };
  return { requests, adoption, apps, groups, headUnits, choices, isNew: !isUsed };
}
