"one per process";

import { oncePer } from "@/lib/platform/once-per";
import { isObject, memberOf } from "@/lib/policy/head-unit/values";
import { itemNames } from "@/lib/policy/head-unit/vehicle-data";
import { permitRpc, type PermitGroup, type Permits, type RpcPermit } from "@/lib/policy/permits/permits";
import {
  type AllowedRpc,
  listAllowedRpcs,
  listedGroups,
  parameterRules,
  type ParameterRules,
} from "@/lib/policy/table/functional-groupings";
import type { PolicySnapshot, SnapshotGroup } from "@/lib/policy/table/snapshot";
import { listSchemaItems } from "@/lib/policy/table/vehicle-data";
import { coreVocabulary, type CoreVocabulary } from "@/lib/policy/vocabulary/core-versions";
import { newestCore, type ByBuild, type CarBuild, type CoreVersion } from "@/lib/vocabulary/head-units";
import { hmiLevels, type Environment } from "@/lib/vocabulary/terms";

export interface PermitTable {
  readonly groups: readonly PermitGroup[];
  readonly items: ReadonlySet<string>;
}

export interface Car {
  /** Without unknown RPCs and parameters. */
  readonly groups: ReadonlyMap<string, PermitGroup>;
  /** Assumes that the driver has agreed to every prompt; ignores unknown groups. Evaluates each set of groups once. */
  readonly permits: (names: Iterable<string>) => Permits;
  /** The same for one RPC at a time; null: nothing. */
  readonly permitFinder: (names: Iterable<string>) => (rpc: string) => RpcPermit | null;
  readonly rpcs: () => Iterable<string>;
  /** What these groups list for each RPC. Sets that agree on an RPC share one object for it. */
  readonly listings: (names: Iterable<string>) => readonly RpcListings[];
}

export interface RpcListings {
  readonly rpc: string;
  readonly groups: readonly { readonly name: string; readonly rpc: AllowedRpc }[];
  /** What an app with all of them may do; null: nothing. */
  readonly permit: RpcPermit | null;
}

export function permitTable(snapshot: PolicySnapshot, environment: Environment): PermitTable {
  return {
    groups: listedGroups(snapshot, environment).map(permitGroups(parameterRules(snapshot))),
    items: vehicleDataNames(snapshot, environment),
  };
}

/** Groups as tables allow them: one object as long as group and rules stay the same. */
export const permitGroups = oncePer((rules: ParameterRules) =>
  oncePer((group: SnapshotGroup): PermitGroup => ({
    name: group.name,
    prompt: group.userConsentPrompt,
    rpcs: listAllowedRpcs(group, rules),
  })),
);

/** The value of `policy_table`; anything invalid in it counts as missing. */
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
    items: itemNames(memberOf(table, "vehicle_data")),
  };
}

/** A table with only these RPCs. Vehicles judge each RPC separately, and evaluating few of them takes less time. */
export function onlyRpcs({ groups, items }: PermitTable, isKept: (rpc: string) => boolean): PermitTable {
  return { groups: groups.map((group) => ({ ...group, rpcs: group.rpcs.filter(({ name }) => isKept(name)) })), items };
}

const membersOf = (value: unknown): (readonly [string, unknown])[] => (isObject(value) ? Object.entries(value) : []);
const textsOf = (value: unknown): readonly string[] | null =>
  Array.isArray(value) ? value.filter((one: unknown): one is string => typeof one === "string") : null;

export function vehicleDataNames(snapshot: PolicySnapshot, environment: Environment): ReadonlySet<string> {
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

export function carsOf(table: PermitTable): ByBuild<Car> {
  return { regular: carOf(table, "regular"), external: carOf(table, "external") };
}

export function permitsOfBuilds(cars: ByBuild<Car>, names: readonly string[]): ByBuild<Permits> {
  return { regular: cars.regular.permits(names), external: cars.external.permits(names) };
}

/** Maximum number of cached sets of groups, in total and for each RPC; similar apps have the same set. */
const maxKept = 2000;

function makeCar({ groups, items }: PermitTable, build: CarBuild, version: CoreVersion): Car {
  const vocabulary = coreVocabulary(version, build, items);
  const inTable = groups.map((group) => readGroup(group, vocabulary));
  const places = new Map(inTable.map(({ name }, at) => [name, at]));
  const maskOf = (names: Iterable<string>) => {
    // Adding up hundreds of large integers takes far longer.
    const words = new Uint32Array(Math.ceil(inTable.length / 32));
    for (const name of names) {
      const at = places.get(name);
      if (at !== undefined) words[at >>> 5] = (words[at >>> 5] ?? 0) | (1 << (at & 31));
    }
    return words.reduceRight((mask, word) => (mask << 32n) | BigInt(word), 0n);
  };
  const known = new Map<string, Permits>();
  let index: ReadonlyMap<string, RpcIndex> | undefined;
  const byRpc = () => (index ??= indexByRpc(inTable, places));
  const listingsOf = (mask: bigint) =>
    [...byRpc().values()].flatMap((rpc) => findListings(rpc, mask & rpc.mask, build) ?? []);
  return {
    groups: new Map(inTable.map((group) => [group.name, group])),
    listings: (names) => listingsOf(maskOf(names)),
    rpcs: () => byRpc().keys(),
    permitFinder(names) {
      const mask = maskOf(names);
      return (name) => {
        const rpc = byRpc().get(name);
        return (rpc && findListings(rpc, mask & rpc.mask, build)?.permit) ?? null;
      };
    },
    permits(names) {
      const mask = maskOf(names);
      const key = mask.toString(radix);
      const permitted = () =>
        new Map(listingsOf(mask).flatMap(({ rpc, permit }) => (permit === null ? [] : [[rpc, permit] as const])));
      return known.get(key) ?? keep(known, key, permitted());
    },
  };
}

/** Engines convert to a power of two fastest. As keys, texts are better than numbers, whose hashes ignore all but 64 bits. */
const radix = 32;

function keep<T>(known: Map<string, T>, key: string, value: T): T {
  if (known.size === maxKept) known.clear();
  known.set(key, value);
  return value;
}

interface RpcIndex {
  readonly rpc: string;
  readonly groups: { readonly name: string; readonly rpc: AllowedRpc; readonly bit: bigint }[];
  mask: bigint;
  /** By the groups of an app, because vehicles judge each RPC separately: most apps differ in groups without it. */
  readonly known: Map<string, RpcListings>;
}

function indexByRpc(
  groups: readonly PermitGroup[],
  places: ReadonlyMap<string, number>,
): ReadonlyMap<string, RpcIndex> {
  const byRpc = new Map<string, RpcIndex>();
  for (const { name, rpcs } of groups) {
    const bit = 1n << BigInt(places.get(name) ?? 0);
    for (const rpc of rpcs) {
      const index: RpcIndex = byRpc.get(rpc.name) ?? { rpc: rpc.name, groups: [], mask: 0n, known: new Map() };
      index.groups.push({ name, rpc, bit });
      index.mask |= bit;
      byRpc.set(rpc.name, index);
    }
  }
  return byRpc;
}

/** @param mask those of the RPC's groups that an app has */
function findListings({ rpc, groups, known }: RpcIndex, mask: bigint, build: CarBuild): RpcListings | undefined {
  if (mask === 0n) return undefined;
  const key = mask.toString(radix);
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const own = groups.filter(({ bit }) => (bit & mask) !== 0n);
  const permit = permitRpc(
    own.map((one) => ({ answer: "allowed", rpc: one.rpc })),
    build,
  );
  return keep(known, key, { rpc, groups: own, permit });
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
