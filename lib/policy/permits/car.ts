import { oncePer } from "@/lib/platform/once-per";
import { isObject, memberOf } from "@/lib/policy/head-unit/values";
import { itemNames as schemaItemNames } from "@/lib/policy/head-unit/vehicle-data";
import { permits, type PermitGroup, type Permits } from "@/lib/policy/permits/permits";
import { listAllowedRpcs, listedGroups, parameterRules } from "@/lib/policy/table/functional-groupings";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import { listSchemaItems } from "@/lib/policy/table/vehicle-data";
import { coreVocabulary, type CoreVocabulary } from "@/lib/policy/vocabulary/core-versions";
import { newestCore, type ByBuild, type CarBuild, type CoreVersion } from "@/lib/labels/head-units";
import { hmiLevels, type Environment } from "@/lib/labels/vocabulary";

/** The functional groups of a table, and the names of its vehicle data. */
export interface PermitTable {
  readonly groups: readonly PermitGroup[];
  readonly items: ReadonlySet<string>;
}

/** A table as one kind of vehicle sees it. */
export interface Car {
  /** Without unknown RPCs and parameters. */
  readonly groups: ReadonlyMap<string, PermitGroup>;
  /**
   * What an app with these groups may do if the driver has agreed to every prompt; ignores unknown groups. Evaluates each
   * set of groups once.
   */
  readonly permits: (names: Iterable<string>) => Permits;
}

/** The groups of a snapshot's table. */
export function permitTable(snapshot: PolicySnapshot, environment: Environment): PermitTable {
  const rules = parameterRules(snapshot);
  return {
    groups: listedGroups(snapshot, environment).map((group) => ({
      name: group.name,
      prompt: group.userConsentPrompt,
      rpcs: listAllowedRpcs(group, rules),
    })),
    items: itemNames(snapshot, environment),
  };
}

/**
 * The groups of a served table.
 *
 * @param table the value of `policy_table`; anything invalid in it counts as missing
 */
export function readPermitTable(table: unknown): PermitTable {
  const groupings = membersOf(memberOf(table, "functional_groupings"));
  return {
    groups: groupings.map(([name, group]) => {
      const prompt = memberOf(group, "user_consent_prompt");
      return {
        name,
        prompt: typeof prompt === "string" ? prompt : null,
        rpcs: membersOf(memberOf(group, "rpcs")).map(([rpc, listed]) => ({
          name: rpc,
          levels: hmiLevels.filter((level) => textsOf(memberOf(listed, "hmi_levels"))?.includes(level)),
          parameters: textsOf(memberOf(listed, "parameters")),
        })),
      };
    }),
    items: schemaItemNames(memberOf(table, "vehicle_data")),
  };
}

const membersOf = (value: unknown): (readonly [string, unknown])[] => (isObject(value) ? Object.entries(value) : []);
const textsOf = (value: unknown): readonly string[] | null =>
  Array.isArray(value) ? value.filter((one: unknown): one is string => typeof one === "string") : null;

/** Names of the vehicle data in a table. */
export function itemNames(snapshot: PolicySnapshot, environment: Environment): ReadonlySet<string> {
  return new Set(listSchemaItems(snapshot, environment, () => undefined).keys());
}

const carsByKind = oncePer((_table: PermitTable) => new Map<string, Car>());

/** A table as a kind of vehicle sees it, prepared once; default: the newest version. */
export function carOf(table: PermitTable, build: CarBuild, version: CoreVersion = newestCore): Car {
  const known = carsByKind(table);
  const key = `${build} ${version}`;
  const car = known.get(key) ?? makeCar(table, build, version);
  known.set(key, car);
  return car;
}

/** A table in the newest vehicles of both builds. */
export function carsOf(table: PermitTable): ByBuild<Car> {
  return { regular: carOf(table, "regular"), external: carOf(table, "external") };
}

/** What vehicles of both builds permit an app with these groups. */
export function askBoth(cars: ByBuild<Car>, names: readonly string[]): ByBuild<Permits> {
  return { regular: cars.regular.permits(names), external: cars.external.permits(names) };
}

/** Maximum number of cached sets of groups; similar apps have the same set. */
const maxKept = 2000;

function makeCar({ groups, items }: PermitTable, build: CarBuild, version: CoreVersion): Car {
  const vocabulary = coreVocabulary(version, build, items);
  const inTable = groups.map((group) => readGroup(group, vocabulary));
  const byName = new Map(inTable.map((group, at) => [group.name, { group, at }]));
  const known = new Map<string, Permits>();
  return {
    groups: new Map(inTable.map((group) => [group.name, group])),
    permits(names) {
      const own = [...names].flatMap((name) => byName.get(name) ?? []).sort((a, b) => a.at - b.at);
      const key = own.map(({ at }) => at).join();
      const kept = known.get(key);
      if (kept !== undefined) return kept;
      if (known.size === maxKept) known.clear();
      const found = permits(
        own.map(({ group }) => group),
        build,
        "all",
      );
      known.set(key, found);
      return found;
    },
  };
}

/** A group in a version of Core, without what it does not know and drops (C15); for 4.5, what it is sent (C14). */
export function readGroup(group: PermitGroup, { knowsRpc, knowsParameter, emptied }: CoreVocabulary): PermitGroup {
  const rpcs = group.rpcs.flatMap((rpc) => {
    if (!knowsRpc(rpc.name)) return [];
    const parameters = rpc.parameters?.filter(knowsParameter) ?? null;
    const isEmptied = parameters?.length === 0 && rpc.parameters?.length !== 0;
    return isEmptied && emptied === "dropped" ? [] : [{ ...rpc, parameters }];
  });
  return { ...group, rpcs };
}
