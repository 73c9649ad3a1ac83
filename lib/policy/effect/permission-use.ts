import { onceForEqualApps } from "@/lib/policy/effect/group-effect";
import { carOf } from "@/lib/policy/permits/car";
import type { JsonObject } from "@/lib/policy/head-unit/values";
import { type CarSettings, conditionsOn, isConditional } from "@/lib/policy/permits/conditions";
import { isPermitted } from "@/lib/policy/permits/permits";
import { appGroupFinder, type RuleSources } from "@/lib/policy/table/app-groups";
import {
  fixedGroups,
  grantedVersion,
  readDefaultFacts,
  permissionsByName,
  readEntryFacts,
} from "@/lib/policy/table/app-policies";
import {
  listAllowedRpcs,
  listedGroups,
  type ParameterRuleSources,
  parameterRules,
} from "@/lib/policy/table/functional-groupings";
import type { SnapshotApp, SnapshotGroup } from "@/lib/policy/table/snapshot";
import type { CarBuild } from "@/lib/vocabulary/head-units";
import { type Environment, type HmiLevel, hmiLevels } from "@/lib/vocabulary/terms";

export interface Permission {
  readonly rpc: string;
  readonly parameter: string | null;
}

export interface UseSources extends RuleSources, ParameterRuleSources {
  readonly items: ReadonlySet<string>;
  readonly settings: CarSettings;
}

export interface Use {
  /** In all considered builds. */
  readonly levels: readonly HmiLevel[];
  /** In some of them only. */
  readonly differing: readonly HmiLevel[];
}

export interface GroupUse {
  readonly group: SnapshotGroup;
  readonly levels: readonly HmiLevel[];
  /** The group lists the RPC without any parameter, so regular head units forbid it to all apps with the group (C1). */
  readonly isVeto: boolean;
}

export interface PermissionUse {
  readonly groups: readonly GroupUse[];
  readonly everyApp: Use;
  readonly useOf: (app: SnapshotApp) => Use;
}

const unused: Use = { levels: [], differing: [] };

export function isUsed({ levels, differing }: Use): boolean {
  return levels.length + differing.length > 0;
}

/** Leaves out groups without the RPC (`releases.md` L20): each RPC and each group is judged on its own. */
export function prepareUse(
  sources: UseSources,
  environment: Environment,
  { rpc, parameter }: Permission,
  builds: readonly CarBuild[],
): PermissionUse {
  const holders = sources.groups[environment].filter(({ rpcs }) => rpcs.some(({ name }) => name === rpc));
  const narrowed = { ...sources, groups: { staging: holders, production: holders } };
  const rules = parameterRules(sources);
  const listed = listedGroups(narrowed, environment).map((group) => {
    return { group, rpcs: listAllowedRpcs(group, rules).filter(({ name }) => name === rpc) };
  });
  const table = {
    groups: listed.map(({ group, rpcs }) => ({ name: group.name, prompt: group.userConsentPrompt, rpcs })),
    items: sources.items,
  };
  const cars = builds.map((build) => carOf(table, build));
  const ask = (names: readonly string[]): Use => {
    const found = cars.map((car) => car.permits(names));
    const count = (level: HmiLevel) => found.filter((permits) => isPermitted(permits, rpc, level, parameter)).length;
    return {
      levels: hmiLevels.filter((level) => count(level) === cars.length),
      differing: hmiLevels.filter((level) => count(level) > 0 && count(level) < cars.length),
    };
  };
  const findGroups = appGroupFinder(narrowed, environment);
  const own = onceForEqualApps(environment, (app, version) => ask(findGroups(app, version)));
  /** What is left of it under the conditions beside the table. */
  const restrict = (use: Use, readEntry: () => JsonObject): Use => {
    if (!isConditional(rpc) || !isUsed(use)) return use;
    const entry = readEntry();
    const isPossible = (level: HmiLevel) =>
      !conditionsOn({ rpc, level, parameter }, entry, sources.settings).some(({ isRejected }) => isRejected);
    return { levels: use.levels.filter(isPossible), differing: use.differing.filter(isPossible) };
  };
  const everyApp = restrict(ask(fixedGroups(narrowed, environment, "default")), () =>
    readDefaultFacts(sources, environment),
  );
  const permissions = permissionsByName(sources.permissions);
  const readOwn = (app: SnapshotApp): Use | null => {
    const use = own(app);
    const version = grantedVersion(app, environment);
    return use && version && restrict(use, () => readEntryFacts(app, version, permissions));
  };
  return {
    groups: listed.flatMap(({ group, rpcs: [said] }): GroupUse[] => {
      if (said === undefined) return [];
      const { levels, parameters } = said;
      if (parameters?.length === 0) return [{ group, levels: [], isVeto: true }];
      const isNamed = parameter === null || parameters === null || parameters.includes(parameter);
      return isNamed ? [{ group, levels, isVeto: false }] : [];
    }),
    everyApp,
    useOf: (app) => (app.isBlacklisted ? unused : (readOwn(app) ?? everyApp)),
  };
}
