import { oncePer } from "@/lib/platform/once-per";
import { prepareGroupRules, type AppGroupRules } from "@/lib/policy/table/app-groups";
import { permissionsByName } from "@/lib/policy/table/app-policies";
import { carOf, vehicleDataNames, type Car, type PermitTable } from "@/lib/policy/permits/car";
import { promptlessGroups } from "@/lib/policy/table/functional-groupings";
import type { PolicySnapshot, SnapshotPermission } from "@/lib/policy/table/snapshot";
import { groupReader, type SimulatedGroupContent } from "@/lib/simulator/group-content";
import { carBuilds, newestCore, type CarBuild, type CoreVersion } from "@/lib/labels/head-units";
import type { Environment, HmiLevel } from "@/lib/labels/vocabulary";

/** One environment of a snapshot, prepared for explanations: lookups shared by all apps are done once. */
export interface SimulatorView {
  readonly environment: Environment;
  readonly snapshot: PolicySnapshot;
  readonly rules: AppGroupRules;
  readonly permissions: ReadonlyMap<string, SnapshotPermission>;
  /** The groups of the view by name, including those without their prompt. */
  readonly groups: ReadonlyMap<string, SimulatedGroupContent>;
  /** The groups that store an RPC or a parameter of this name, at any level. */
  readonly holders: (name: string) => readonly SimulatedGroupContent[];
  /** The head units to consider. */
  readonly asked: AskedCars;
  /** The groups of the table. */
  readonly table: () => PermitTable;
  /** Cached offers by want. At most as many as there are stored names. */
  readonly offers: Map<string, readonly Offer[]>;
}

/** Head units of one version of Core. */
export interface AskedCars {
  /** The builds in use (`HEAD_UNITS`). */
  readonly builds: readonly CarBuild[];
  readonly version: CoreVersion;
}

/** How head units of a build read the table of a view. */
export function carIn({ table, asked }: Pick<SimulatorView, "table" | "asked">, build: CarBuild): Car {
  return carOf(table(), build, asked.version);
}

/** What a group offers for a want: the levels that it stores, and those that count in the table. */
export interface Offer {
  readonly content: SimulatedGroupContent;
  readonly stored: ReadonlySet<HmiLevel>;
  readonly allowed: ReadonlySet<HmiLevel>;
}

const newestCars: AskedCars = { builds: carBuilds, version: newestCore };

const viewsOf = oncePer((_snapshot: PolicySnapshot) => new Map<Environment, SimulatorView>());

/**
 * Prepares a view, once per snapshot. Do not change the snapshot afterwards.
 *
 * @param rules those of the compiled policy, if any
 * @param asked the head units to consider
 */
export function prepareView(
  snapshot: PolicySnapshot,
  environment: Environment,
  rules?: AppGroupRules,
  asked: AskedCars = newestCars,
): SimulatorView {
  const views = viewsOf(snapshot);
  const known = views.get(environment);
  const view = { ...(known ?? buildView(snapshot, environment, rules)), asked };
  if (known === undefined) views.set(environment, view);
  return view;
}

/** Prepares a view of a snapshot without caching it. */
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
    holders: (name) => contents.filter((content) => content.holds(name)),
    offers: new Map(),
  };
}
