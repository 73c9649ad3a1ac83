"one per process";

import { oncePer } from "@/lib/platform/once-per";
import { carOf, type PermitTable, type RpcListings } from "@/lib/policy/permits/car";
import type { Permitted } from "@/lib/policy/permits/permits";
import type { AllowedRpc } from "@/lib/policy/table/functional-groupings";
import { coreVersions, newestCore, type CarBuild, type CoreVersion } from "@/lib/vocabulary/head-units";
import { byCodeUnit, distinct } from "@/lib/vocabulary/order";
import { hmiLevels } from "@/lib/vocabulary/terms";

/** The vehicles on the road (`HEAD_UNITS`, `OLDEST_HEAD_UNIT`). */
export interface CarPark {
  readonly builds: readonly CarBuild[];
  readonly oldest: CoreVersion;
}

/** Unintended effects of groups in vehicles (`head-unit-rules.md` C1 to C3, C15). */
type PermitFindingKind = "veto" | "narrows" | "spills" | "unknown there";

export interface PermitFinding {
  readonly kind: PermitFindingKind;
  readonly build: CarBuild;
  readonly rpc: string;
  readonly groups: readonly string[];
  /** What spills, e.g. `gps at NONE`, or the versions that know none of the parameters; otherwise empty. */
  readonly what: readonly string[];
}

type Listing = RpcListings["groups"][number];

/** Where vehicles permit something else than the groups say alone. Evaluated once for equal listings of an RPC. */
export function findPermitSurprises(table: PermitTable, names: readonly string[], cars: CarPark): PermitFinding[] {
  const key = [...cars.builds, cars.oldest].join();
  return carOf(table, "external")
    .listings(names)
    .flatMap((listings) => {
      const known = findingsOf(listings);
      const found = known.get(key) ?? findInRpc(listings, table, cars);
      known.set(key, found);
      return found;
    });
}

const findingsOf = oncePer((_listings: RpcListings) => new Map<string, readonly PermitFinding[]>());

function findInRpc({ rpc, groups, permit }: RpcListings, table: PermitTable, cars: CarPark): PermitFinding[] {
  const has = (build: CarBuild) => cars.builds.includes(build);
  return [
    ...(has("regular") ? [...findVeto(rpc, groups), ...findNarrowing(rpc, groups)] : []),
    ...(has("external") ? findSpill(rpc, groups, (level) => permit?.[level] ?? "no") : []),
    ...(has("regular") ? findUnknown(rpc, groups, table, cars.oldest) : []),
  ];
}

/** C1: one group revokes what another one allows. */
function findVeto(rpc: string, listings: readonly Listing[]): PermitFinding[] {
  const [vetoes, givers] = [listings.filter(isEmpty), listings.filter((one) => !isEmpty(one))];
  if (vetoes.length === 0 || givers.length === 0) return [];
  return [{ kind: "veto", build: "regular", rpc, groups: vetoes.map(({ name }) => name), what: [] }];
}

const isEmpty = ({ rpc: { parameters } }: Listing) => parameters?.length === 0;

/** C2: a group that lists parameters narrows one that allows all of them at the same level. */
function findNarrowing(rpc: string, listings: readonly Listing[]): PermitFinding[] {
  if (listings.some(isEmpty)) return [];
  const open = listings.filter((one) => one.rpc.parameters === null);
  const narrow = listings.filter(
    (one) => one.rpc.parameters !== null && open.some((other) => meets(other.rpc, one.rpc)),
  );
  if (narrow.length === 0) return [];
  return [{ kind: "narrows", build: "regular", rpc, groups: narrow.map(({ name }) => name), what: [] }];
}

const meets = (one: AllowedRpc, other: AllowedRpc) => one.levels.some((level) => other.levels.includes(level));

/** C3: level and parameter come from different groups. */
function findSpill(
  rpc: string,
  listings: readonly Listing[],
  permitted: (level: AllowedRpc["levels"][number]) => Permitted,
): PermitFinding[] {
  if (listings.length < 2) return [];
  const what = hmiLevels.flatMap((level) => {
    const given = permitted(level);
    const own = listings.filter((one) => one.rpc.levels.includes(level));
    if (given === "no" || own.some((one) => one.rpc.parameters === null)) return [];
    if (given === "all") return [`all parameters at ${level}`];
    const said = new Set(own.flatMap((one) => one.rpc.parameters ?? []));
    return given.filter((name) => !said.has(name)).map((name) => `${name} at ${level}`);
  });
  if (what.length === 0) return [];
  return [{ kind: "spills", build: "external", rpc, groups: listings.map(({ name }) => name), what }];
}

/** C15: a list whose parameters older vehicles do not know is empty there. */
function findUnknown(
  rpc: string,
  listings: readonly Listing[],
  table: PermitTable,
  oldest: CoreVersion,
): PermitFinding[] {
  const older = coreVersions.slice(coreVersions.indexOf(oldest)).filter((version) => version !== newestCore);
  return listings.flatMap((listing): PermitFinding[] => {
    if (isEmpty(listing)) return [];
    const isEmptyIn = (version: CoreVersion) => {
      const rpcs = carOf(table, "regular", version).groups.get(listing.name)?.rpcs ?? [];
      return rpcs.some(({ name, parameters }) => name === rpc && parameters?.length === 0);
    };
    const what = older.filter(isEmptyIn);
    return what.length === 0 ? [] : [{ kind: "unknown there", build: "regular", rpc, groups: [listing.name], what }];
  });
}

export const permitFindingRules: Readonly<Record<PermitFindingKind, string>> = {
  veto: "C1 veto",
  narrows: "C2 narrows",
  spills: "C3 spills",
  "unknown there": "C15 unknown there",
};

const maxSaid = 5;
const some = (words: readonly string[]) =>
  words.length <= maxSaid
    ? words.join(", ")
    : `${words.slice(0, maxSaid).join(", ")} and ${words.length - maxSaid} more`;

/** `apps` is the number of affected apps; null on the page of one app. */
export function describePermitFinding({ kind, rpc, groups, what }: PermitFinding, apps: number | null): string {
  const names = some(groups);
  const many = apps === 1 ? "1 app" : `${apps ?? ""} apps`;
  const who = apps === null ? "This app" : many;
  const s = apps === null || apps === 1 ? "s" : "";
  switch (kind) {
    case "veto":
      return (
        `${who} lose${s} ${rpc} in regular head units: ${names} list${groups.length === 1 ? "s" : ""} it without any ` +
        "parameter, which forbids it whatever other groups say. Select its parameters, or take the RPC out of the group."
      );
    case "narrows":
      return (
        `${who} may use fewer parameters of ${rpc} in regular head units than a group allows: the list of ${names} ` +
        "counts instead of all parameters. Add the parameters to the list, or take the RPC out of the group."
      );
    case "spills":
      return (
        `${who} may use more of ${rpc} in external head units than any group allows: ${some(what)}. They join the levels ` +
        `and parameters of ${names}. Give the RPC the same levels in all of them, or take it out of one.`
      );
    case "unknown there":
      return (
        `${who} lose${s} ${rpc} in regular head units with SDL Core ${some(what)}: these know none of the parameters that ` +
        `${names} lists. Select a parameter that they know as well, or take the RPC out of the group.`
      );
  }
}

export interface CountedFinding {
  readonly finding: PermitFinding;
  readonly appCount: number;
}

/** Merges equal findings. Each of the `sets` has the number of its apps. Awaits `pace` after each set. */
export async function countPermitFindings(
  table: PermitTable,
  sets: Iterable<{ readonly names: readonly string[]; readonly appCount: number }>,
  cars: CarPark,
  pace: () => Promise<void>,
): Promise<CountedFinding[]> {
  // Sets share most findings, and adding them up by their text takes longer than finding them.
  const counts = new Map<PermitFinding, number>();
  for (const { names, appCount } of sets) {
    for (const finding of findPermitSurprises(table, names, cars))
      counts.set(finding, (counts.get(finding) ?? 0) + appCount);
    await pace();
  }
  const merged = new Map<string, { finding: PermitFinding; appCount: number }>();
  for (const [finding, appCount] of counts) {
    const { kind, rpc, groups } = finding;
    // The groups that spill differ between apps, so they are merged per RPC.
    const key = JSON.stringify(kind === "spills" ? [kind, rpc] : [kind, rpc, groups]);
    const known = merged.get(key);
    merged.set(key, {
      finding: known === undefined ? finding : unite(known.finding, finding),
      appCount: (known?.appCount ?? 0) + appCount,
    });
    await pace();
  }
  return [...merged.values()].sort((a, b) => b.appCount - a.appCount || byCodeUnit(a.finding.rpc, b.finding.rpc));
}

function unite(one: PermitFinding, other: PermitFinding): PermitFinding {
  return {
    ...one,
    groups: distinct([...one.groups, ...other.groups]),
    what: distinct([...one.what, ...other.what]),
  };
}
