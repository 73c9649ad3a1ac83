import { prepareGroupRules, type AppGroupRules } from "@/lib/policy/table/app-groups";
import {
  allowedRpcLister,
  promptlessGroups,
  usableParameters,
  type AllowedRpc,
  type IsUsableParameter,
} from "@/lib/policy/table/functional-groupings";
import type { PolicySnapshot, SnapshotGroup, SnapshotPermission } from "@/lib/policy/table/snapshot";
import type { Environment, HmiLevel } from "@/lib/words/vocabulary";

/** A group as it matters to what apps ask for. */
export interface GroupContent {
  readonly group: SnapshotGroup;
  /** Whether the table lists it (rule F3). */
  readonly isListed: boolean;
  /** What it allows in the table, were it listed (rules F4 to F7). */
  readonly allowed: readonly AllowedRpc[];
  /** The same by name, with the parameters that are stored. */
  readonly rpcs: ReadonlyMap<string, AllowedRpc & { readonly stored: readonly string[] }>;
}

/** One environment of a snapshot, prepared for explaining: what is the same for all apps is looked up once. */
export interface SimulatorView {
  readonly environment: Environment;
  readonly snapshot: PolicySnapshot;
  readonly rules: AppGroupRules;
  readonly isUsable: IsUsableParameter;
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
const none: readonly GroupContent[] = [];

/** Prepares a view, once for each snapshot: the same object of it must not be changed. */
export function prepareView(snapshot: PolicySnapshot, environment: Environment): SimulatorView {
  const views = prepared.get(snapshot) ?? new Map<Environment, SimulatorView>();
  prepared.set(snapshot, views);
  const view = views.get(environment) ?? buildView(snapshot, environment);
  views.set(environment, view);
  return view;
}

/** Prepares a view of a snapshot that nobody will ask about again. */
export function buildView(snapshot: PolicySnapshot, environment: Environment): SimulatorView {
  const rules = prepareGroupRules(snapshot, environment);
  const isUsable = usableParameters(snapshot);
  const listAllowed = allowedRpcLister(snapshot, isUsable);
  const contentOf = (isListed: boolean) => (group: SnapshotGroup) => {
    const allowed = listAllowed(group);
    const stored = new Map(group.rpcs.map(({ name, parameters }) => [name, parameters]));
    const rpcs = new Map(allowed.map((rpc) => [rpc.name, { ...rpc, stored: stored.get(rpc.name) ?? [] }]));
    return { group, isListed, allowed, rpcs };
  };
  const contents = [
    ...rules.groups.map(contentOf(true)),
    ...promptlessGroups(snapshot, environment).map(contentOf(false)),
  ];
  const holders = new Map<string, Set<GroupContent>>();
  for (const content of contents) {
    for (const name of content.group.rpcs.flatMap((rpc) => [rpc.name, ...rpc.parameters])) {
      const known = holders.get(name);
      if (known === undefined) holders.set(name, new Set([content]));
      else known.add(content);
    }
  }
  return {
    environment,
    snapshot,
    rules,
    isUsable,
    permissions: new Map(snapshot.permissions.map((permission) => [permission.name, permission])),
    groups: new Map(contents.map((content) => [content.group.name, content])),
    holders: (name) => [...(holders.get(name) ?? none)],
    offers: new Map(),
  };
}
