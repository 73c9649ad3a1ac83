import { listPermitChanges, type RpcChange } from "@/lib/policy/effect/permit-changes";
import type { PermitGroup, Permits } from "@/lib/policy/permits/permits";
import { listSome } from "@/lib/vocabulary/format-number";
import type { ByBuild, CarBuild } from "@/lib/vocabulary/head-units";
import { byLowerCase, distinct } from "@/lib/vocabulary/order";
import { areaNames, dataRpcs, type RiskKind, riskKinds, riskOfParameter, riskOfRpc } from "@/lib/vocabulary/risk";
import { hmiLevels } from "@/lib/vocabulary/terms";

export interface AreaChange {
  readonly area: RiskKind;
  readonly kind: RpcChange["kind"];
  /** `whole`: it has nothing else in the area before or afterwards; `levels`: it has all of it at other levels. */
  readonly extent: "whole" | "some" | "levels";
  /** Vehicle data by name, `*` for all of the area, and RPCs without vehicle data. */
  readonly names: readonly string[];
}

interface Reach {
  readonly area: RiskKind;
  readonly name: string;
}

const dataAreas = ["location", "driver", "vehicle"] as const;
const all = "*";

/** What an RPC accesses with these parameters; none: all. */
function reachOf(rpc: string, parameters: readonly string[]): readonly Reach[] {
  if (!dataRpcs.includes(rpc)) return [{ area: riskOfRpc(rpc), name: rpc }];
  const [named, open] = [
    parameters.filter((name) => name !== all),
    parameters.length === 0 || parameters.includes(all),
  ];
  return [
    ...named.map((name) => ({ area: riskOfParameter(name), name })),
    ...(open ? dataAreas.map((area) => ({ area, name: all })) : []),
  ];
}

function reachOfPermits(permits: ByBuild<Permits>, builds: readonly CarBuild[]): readonly Reach[] {
  return builds.flatMap((build) =>
    [...permits[build]].flatMap(([rpc, permit]) =>
      // Most RPCs are permitted with the same parameters at every level.
      distinct(hmiLevels.map((level) => permit[level])).flatMap((permitted) =>
        permitted === "no" ? [] : reachOf(rpc, permitted === "all" ? [] : permitted),
      ),
    ),
  );
}

/** Gains first, by risk. `other`: what the app accessed before a gain or accesses after a loss; undefined: unknown. */
export function rightsByArea(
  changes: readonly RpcChange[],
  other?: Readonly<Record<RpcChange["kind"], readonly Reach[]>>,
): AreaChange[] {
  return (["gained", "lost"] as const).flatMap((kind) => {
    const reached = changes.flatMap((one) => (one.kind === kind ? reachOf(one.rpc, one.parameters) : []));
    return riskKinds.flatMap((area): AreaChange[] => {
      const names = distinct(reached.flatMap((one) => (one.area === area ? one.name : []))).sort(byLowerCase);
      if (names.length === 0) return [];
      const kept = new Set(other?.[kind].flatMap((one) => (one.area === area ? one.name : [])));
      const own = kept.has(all) ? [] : names.filter((name) => !kept.has(name));
      const extent = own.length === 0 ? "levels" : other !== undefined && kept.size === 0 ? "whole" : "some";
      return [{ area, kind, extent, names: own.length === 0 ? names : own }];
    });
  });
}

/** Asks for `before` only if something is gained, and for `after` only if something is lost. */
export function changesByArea(
  changes: readonly RpcChange[],
  before: () => ByBuild<Permits>,
  after: () => ByBuild<Permits>,
  builds: readonly CarBuild[],
): AreaChange[] {
  const reachIf = (kind: RpcChange["kind"], permits: () => ByBuild<Permits>) =>
    changes.some((one) => one.kind === kind) ? reachOfPermits(permits(), builds) : [];
  return rightsByArea(changes, { gained: reachIf("gained", before), lost: reachIf("lost", after) });
}

export function compareByArea(
  before: ByBuild<Permits>,
  after: ByBuild<Permits>,
  builds: readonly CarBuild[],
  changes: readonly RpcChange[] = listPermitChanges(before, after, builds),
): AreaChange[] {
  return changesByArea(
    changes,
    () => before,
    () => after,
    builds,
  );
}

export interface Asked {
  readonly group: string;
  readonly prompt: string;
}

/** The groups for which vehicles newly ask the driver. Only external head units ask (`head-unit-rules.md` C5). */
export function newlyAsked(
  before: readonly Pick<PermitGroup, "name" | "prompt">[],
  after: readonly Pick<PermitGroup, "name" | "prompt">[],
  builds: readonly CarBuild[],
): Asked[] {
  if (!builds.includes("external")) return [];
  const known = new Set(before.flatMap(({ name, prompt }) => (prompt === null ? [] : name)));
  return after.flatMap(({ name: group, prompt }) => (prompt === null || known.has(group) ? [] : { group, prompt }));
}

const named: ReadonlySet<RiskKind> = new Set(["location", "control", "microphone"]);
const maxNames = 3;

/** "location", "speed, rpm, odometer and 4 more", "remote control at more levels" */
export function describeArea({ area, kind, extent, names }: AreaChange, most = maxNames): string {
  const whole = names.includes(all) && area !== "location" ? `all ${areaNames[area]}` : areaNames[area];
  const isWhole = names.includes(all) || (extent !== "some" && named.has(area));
  const what = isWhole ? whole : listSome(names, most);
  return extent === "levels" ? `${what} at ${kind === "gained" ? "more" : "fewer"} levels` : what;
}

/** How much a change needs a second look: by its riskiest new area, then the next ones, then new prompts. */
export function riskOfChange(areas: readonly AreaChange[], asked: number): number {
  const gained = areas.filter(({ kind }) => kind === "gained");
  const isNew = ({ extent }: AreaChange) => extent !== "levels";
  const weight = ({ area }: AreaChange) => 2 ** (riskKinds.length - riskKinds.indexOf(area));
  const fresh = gained.filter(isNew).reduce((sum, area) => sum + weight(area), 0);
  return (fresh + Number(!gained.every(isNew))) * 2 + Number(asked > 0);
}
