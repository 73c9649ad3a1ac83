import { permits, type CarBuild, type PermitGroup, type Permits } from "@/lib/policy/permits/permits";
import {
  coreVocabulary,
  newestCore,
  type CoreVersion,
  type CoreVocabulary,
} from "@/lib/policy/vocabulary/core-versions";

/** The functional groups of a table, and the names of its vehicle data. */
export interface PermitTable {
  readonly groups: readonly PermitGroup[];
  readonly items: ReadonlySet<string>;
}

/** Says what an app with these groups may do when the driver has agreed to every prompt; names without a group are left out. */
export type FindPermits = (names: Iterable<string>) => Permits;

/** Sets of groups whose permits are kept; apps that ask for the same have the same set. */
const mostKept = 2000;
const tables = new WeakMap<PermitTable, Map<string, FindPermits>>();

/**
 * Prepares `permits` for one table and kind of car. Each set of groups is looked at once.
 *
 * @param version RPCs and parameters that it does not know are left out first (C14, C15)
 */
export function permitFinder(table: PermitTable, build: CarBuild, version: CoreVersion = newestCore): FindPermits {
  const finders = tables.get(table) ?? new Map<string, FindPermits>();
  tables.set(table, finders);
  const key = `${build} ${version}`;
  const finder = finders.get(key) ?? makeFinder(table, build, version);
  finders.set(key, finder);
  return finder;
}

function makeFinder({ groups, items }: PermitTable, build: CarBuild, version: CoreVersion): FindPermits {
  const vocabulary = coreVocabulary(version, build, items);
  const byName = new Map(groups.map((group, at) => [group.name, { group: readGroup(group, vocabulary), at }]));
  const known = new Map<string, Permits>();
  return (names) => {
    const own = [...names].flatMap((name) => byName.get(name) ?? []).sort((a, b) => a.at - b.at);
    const key = own.map(({ at }) => at).join();
    const kept = known.get(key);
    if (kept !== undefined) return kept;
    if (known.size === mostKept) known.clear();
    const found = permits(
      own.map(({ group }) => group),
      build,
      "all",
    );
    known.set(key, found);
    return found;
  };
}

/** A group as a version of Core has it after dropping what it does not know (C15); for 4.5, what it is sent (C14). */
export function readGroup(group: PermitGroup, { knowsRpc, knowsParameter, emptied }: CoreVocabulary): PermitGroup {
  const rpcs = group.rpcs.flatMap((rpc) => {
    if (!knowsRpc(rpc.name)) return [];
    const parameters = rpc.parameters?.filter(knowsParameter) ?? null;
    const isEmptied = parameters?.length === 0 && rpc.parameters?.length !== 0;
    return isEmptied && emptied === "dropped" ? [] : [{ ...rpc, parameters }];
  });
  return { ...group, rpcs };
}
