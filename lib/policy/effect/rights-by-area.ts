import { listPermitChanges, type RpcChange } from "@/lib/policy/effect/permit-changes";
import type { PermitGroup, Permits, RpcPermit } from "@/lib/policy/permits/permits";
import { listSome } from "@/lib/vocabulary/format-number";
import type { ByBuild, CarBuild } from "@/lib/vocabulary/head-units";
import { byLowerCase, distinct } from "@/lib/vocabulary/order";
import {
  areaNames,
  dataRpcs,
  type RiskKind,
  riskKinds,
  riskOfParameter,
  riskOfRpc,
  rpcsOfRisk,
} from "@/lib/vocabulary/risk";
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

const dataAreas: readonly RiskKind[] = ["location", "driver", "vehicle"];
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

/** What an app may do: one RPC at a time, because most questions are about few of them. */
export interface PermitSource {
  /** Undefined: nothing. */
  readonly permit: (rpc: string, build: CarBuild) => RpcPermit | undefined;
  /** All that may be permitted. */
  readonly rpcs: () => Iterable<string>;
}

const permitSource = (permits: ByBuild<Permits>): PermitSource => ({
  permit: (rpc, build) => permits[build].get(rpc),
  rpcs: () => [...permits.regular.keys(), ...permits.external.keys()],
});

/** Whether an app reaches what is named in an area, and anything in it. */
function reachIn(area: RiskKind, { permit, rpcs }: PermitSource, builds: readonly CarBuild[]) {
  const isPermitted = (rpc: string) => builds.some((build) => permit(rpc, build) !== undefined);
  if (!dataAreas.includes(area)) {
    const hasAny = () => {
      for (const rpc of rpcs()) if (riskOfRpc(rpc) === area && isPermitted(rpc)) return true;
      return false;
    };
    return { has: isPermitted, hasAny };
  }
  const reached = new Set(
    [...rpcsOfRisk(area), ...dataRpcs]
      .flatMap((rpc) =>
        builds.flatMap((build) => {
          const found = permit(rpc, build);
          // Most RPCs are permitted with the same parameters at every level.
          return distinct(found === undefined ? [] : hmiLevels.map((level) => found[level])).flatMap((permitted) =>
            permitted === "no" ? [] : reachOf(rpc, permitted === "all" ? [] : permitted),
          );
        }),
      )
      .flatMap((one) => (one.area === area ? one.name : [])),
  );
  return { has: (name: string) => reached.has(name), hasAny: () => reached.size > 0 };
}

/** Gains first, by risk. `other`: what the app could do before a gain, and can do after a loss; undefined: unknown. */
export function rightsByArea(
  changes: readonly RpcChange[],
  builds: readonly CarBuild[],
  other?: Readonly<Record<RpcChange["kind"], PermitSource>>,
): AreaChange[] {
  return (["gained", "lost"] as const).flatMap((kind) => {
    const reached = changes.flatMap((one) => (one.kind === kind ? reachOf(one.rpc, one.parameters) : []));
    return riskKinds.flatMap((area): AreaChange[] => {
      const names = distinct(reached.flatMap((one) => (one.area === area ? one.name : []))).sort(byLowerCase);
      if (names.length === 0) return [];
      const kept = other && reachIn(area, other[kind], builds);
      const own = kept?.has(all) ? [] : names.filter((name) => !kept?.has(name));
      if (own.length === 0) return [{ area, kind, extent: "levels", names }];
      // What has one of the names has something in the area.
      const isWhole = kept !== undefined && own.length === names.length && !kept.hasAny();
      return [{ area, kind, extent: isWhole ? "whole" : "some", names: own }];
    });
  });
}

export function compareByArea(
  before: ByBuild<Permits>,
  after: ByBuild<Permits>,
  builds: readonly CarBuild[],
  changes: readonly RpcChange[] = listPermitChanges(before, after, builds),
): AreaChange[] {
  return rightsByArea(changes, builds, { gained: permitSource(before), lost: permitSource(after) });
}

export interface NewPrompt {
  readonly group: string;
  readonly prompt: string;
}

/** The groups for which vehicles newly ask the driver. Only external head units ask (`head-unit-rules.md` C5). */
export function findNewPrompts(
  before: readonly Pick<PermitGroup, "name" | "prompt">[],
  after: readonly Pick<PermitGroup, "name" | "prompt">[],
  builds: readonly CarBuild[],
): NewPrompt[] {
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
