"one per process";

import { oncePer } from "@/lib/platform/once-per";
import { prepareGroupRules, type AppGroupRules } from "@/lib/policy/table/app-groups";
import { permissionsByName } from "@/lib/policy/table/app-policies";
import { carOf, vehicleDataNames, type Car, type PermitTable } from "@/lib/policy/permits/car";
import { promptlessGroups } from "@/lib/policy/table/functional-groupings";
import type { PolicySnapshot, SnapshotPermission } from "@/lib/policy/table/snapshot";
import { groupReader, type SimulatedGroupContent } from "@/lib/policy/why/group-content";
import { carBuilds, newestCore, type CarBuild, type CoreVersion } from "@/lib/vocabulary/head-units";
import type { Environment, HmiLevel } from "@/lib/vocabulary/terms";

export interface SimulatorView {
  readonly environment: Environment;
  readonly snapshot: PolicySnapshot;
  readonly rules: AppGroupRules;
  readonly permissions: ReadonlyMap<string, SnapshotPermission>;
  /** Including groups without their prompt. */
  readonly groups: ReadonlyMap<string, SimulatedGroupContent>;
  readonly holders: (name: string) => readonly SimulatedGroupContent[];
  readonly asked: SimulatedCars;
  readonly table: () => PermitTable;
  /** At most as many as there are stored names. */
  readonly offers: Map<string, readonly Offer[]>;
}

export interface SimulatedCars {
  /** From the setting `HEAD_UNITS`. */
  readonly builds: readonly CarBuild[];
  readonly version: CoreVersion;
}

export function carIn({ table, asked }: Pick<SimulatorView, "table" | "asked">, build: CarBuild): Car {
  return carOf(table(), build, asked.version);
}

export interface Offer {
  readonly content: SimulatedGroupContent;
  readonly stored: ReadonlySet<HmiLevel>;
  readonly allowed: ReadonlySet<HmiLevel>;
}

const newestCars: SimulatedCars = { builds: carBuilds, version: newestCore };

const viewsOf = oncePer((_snapshot: PolicySnapshot) => new Map<Environment, SimulatorView>());

/** Cached per snapshot, so do not change the snapshot afterwards. */
export function prepareView(
  snapshot: PolicySnapshot,
  environment: Environment,
  rules?: AppGroupRules,
  asked: SimulatedCars = newestCars,
): SimulatorView {
  const views = viewsOf(snapshot);
  const known = views.get(environment);
  const view = { ...(known ?? buildView(snapshot, environment, rules)), asked };
  if (known === undefined) views.set(environment, view);
  return view;
}

export function buildView(
  snapshot: PolicySnapshot,
  environment: Environment,
  rules = prepareGroupRules(snapshot, environment),
): SimulatorView {
  const read = groupReader(snapshot);
  const contents = [
    ...rules.groups.map((group) => read(group, true)),
    ...promptlessGroups(snapshot, environment).map((group) => read(group, false)),
  ];
  const holders = new Map<string, readonly SimulatedGroupContent[]>();
  let made: PermitTable | null = null;
  const table = () =>
    (made ??= {
      groups: contents.filter(({ isListed }) => isListed).map((content) => content.inTable),
      items: vehicleDataNames(snapshot, environment),
    });
  return {
    environment,
    snapshot,
    rules,
    permissions: permissionsByName(snapshot.permissions),
    groups: new Map(contents.map((content) => [content.group.name, content])),
    asked: newestCars,
    table,
    holders(name) {
      const found = holders.get(name) ?? contents.filter((content) => content.holds(name));
      // Made-up names are not cached.
      if (found.length > 0) holders.set(name, found);
      return found;
    },
    offers: new Map(),
  };
}
