import { prepareGroupRules, type AppGroupRules } from "@/lib/policy/table/app-groups";
import { promptlessGroups } from "@/lib/policy/table/functional-groupings";
import type { PolicySnapshot, SnapshotPermission } from "@/lib/policy/table/snapshot";
import { groupReader, type GroupContent } from "@/lib/simulator/group-content";
import type { Environment, HmiLevel } from "@/lib/words/vocabulary";

/** One environment of a snapshot, prepared for explaining: what is the same for all apps is looked up once. */
export interface SimulatorView {
  readonly environment: Environment;
  readonly snapshot: PolicySnapshot;
  readonly rules: AppGroupRules;
  readonly permissions: ReadonlyMap<string, SnapshotPermission>;
  /** The groups of the view by name, those without their prompt included. */
  readonly groups: ReadonlyMap<string, GroupContent>;
  /** The groups that store an RPC, or a parameter, of this name; at whatever level. */
  readonly holders: (name: string) => readonly GroupContent[];
  /** What was found out about wants, by their texts; as many as there are stored names. */
  readonly offers: Map<string, readonly Offer[]>;
}

/** What a group has for a want: the levels at which it stores it, and those at which it counts in the table. */
export interface Offer {
  readonly content: GroupContent;
  readonly stored: ReadonlySet<HmiLevel>;
  readonly allowed: ReadonlySet<HmiLevel>;
}

const prepared = new WeakMap<PolicySnapshot, Map<Environment, SimulatorView>>();

/**
 * Prepares a view, once for each snapshot: the same object of it must not be changed.
 *
 * @param rules those of the compiled policy, where there is one
 */
export function prepareView(snapshot: PolicySnapshot, environment: Environment, rules?: AppGroupRules): SimulatorView {
  const views = prepared.get(snapshot) ?? new Map<Environment, SimulatorView>();
  prepared.set(snapshot, views);
  const view = views.get(environment) ?? buildView(snapshot, environment, rules);
  views.set(environment, view);
  return view;
}

/** Prepares a view of a snapshot that nobody will ask about again. */
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
  return {
    environment,
    snapshot,
    rules,
    permissions: new Map(snapshot.permissions.map((permission) => [permission.name, permission])),
    groups: new Map(contents.map((content) => [content.group.name, content])),
    holders: (name) => contents.filter((content) => content.holds(name)),
    offers: new Map(),
  };
}
