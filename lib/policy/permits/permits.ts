import type { AllowedRpc } from "@/lib/policy/table/functional-groupings";
import type { CarBuild } from "@/lib/vocabulary/head-units";
import { hmiLevels, type HmiLevel } from "@/lib/vocabulary/terms";

/** A functional group in a vehicle: its entry in `functional_groupings` without unknown RPCs and parameters. */
export interface PermitGroup {
  readonly name: string;
  /** Category of the consent prompt's message; null without a prompt. */
  readonly prompt: string | null;
  /** At most one per name. `parameters: null` means that the member is missing. */
  readonly rpcs: readonly AllowedRpc[];
}

/** What an app may do with one RPC at one level: nothing, call it with any parameter, or with these, by code unit. */
export type Permitted = "no" | "all" | readonly string[];
export type RpcPermit = Readonly<Record<HmiLevel, Permitted>>;
/** By RPC. Missing RPCs are forbidden at every level. */
export type Permits = ReadonlyMap<string, RpcPermit>;

/** The driver's answers by group; missing prompts were not answered. */
export type Consents = ReadonlyMap<string, boolean>;

/**
 * Rules C1 to C5 of `head-unit-rules.md`; without RPCs that are forbidden at every level. For 10,000 apps, call it once
 * per set of groups (`carOf`). The order of `groups` matters only in external vehicles, if groups with the same answer
 * take levels or parameters from each other; real vehicles have their own order there. "all": yes to every prompt, also
 * for groups of "default".
 */
export function permits(groups: readonly PermitGroup[], build: CarBuild, consents: Consents | "all"): Permits {
  const byRpc = new Map<string, Listing[]>();
  for (const { name, prompt, rpcs } of groups) {
    const answer = prompt === null || consents === "all" ? "allowed" : answerOf(consents.get(name));
    for (const rpc of rpcs) {
      const listing = { answer, rpc };
      const known = byRpc.get(rpc.name);
      if (known === undefined) byRpc.set(rpc.name, [listing]);
      else known.push(listing);
    }
  }
  const permitted = new Map<string, RpcPermit>();
  for (const [name, listings] of byRpc) {
    const permit = permitRpc(listings, build);
    if (permit !== null) permitted.set(name, permit);
  }
  return permitted;
}

/** What an app may do with one RPC (C1 to C5), given what each of its groups lists for it; null: nothing. */
export function permitRpc(listings: readonly Listing[], build: CarBuild): RpcPermit | null {
  const permit = build === "regular" ? inRegular(listings) : inExternal(listings);
  return hmiLevels.some((level) => permit[level] !== "no") ? permit : null;
}

export const forbidden: RpcPermit = { BACKGROUND: "no", FULL: "no", LIMITED: "no", NONE: "no" };

/** Whether an RPC may be called at a level, and with a parameter; null: with any parameters. */
export function isPermitted(
  found: { get(rpc: string): RpcPermit | null | undefined },
  rpc: string,
  level: HmiLevel,
  parameter: string | null,
): boolean {
  const permitted = found.get(rpc)?.[level] ?? "no";
  if (permitted === "no" || permitted === "all") return permitted === "all";
  return parameter === null || permitted.includes(parameter);
}

/** How a group counts in an external vehicle (C5). */
type Answer = "allowed" | "declined" | "unanswered";
interface Listing {
  readonly answer: Answer;
  readonly rpc: AllowedRpc;
}

function answerOf(consent: boolean | undefined): Answer {
  return consent === undefined ? "unanswered" : consent ? "allowed" : "declined";
}

/** C1 and C2. */
function inRegular(listings: readonly Listing[]): RpcPermit {
  if (listings.some(({ rpc: { parameters } }) => parameters?.length === 0)) return forbidden;
  // Levels with the same groups have the same parameters.
  const known = new Map<string, Permitted>();
  return perLevel((level) => {
    const own = listings.filter(({ rpc: { levels } }) => levels.includes(level));
    const key = own.map((one) => listings.indexOf(one)).join();
    const permitted = known.get(key) ?? uniteInRegular(own);
    known.set(key, permitted);
    return permitted;
  });
}

function uniteInRegular(listings: readonly Listing[]): Permitted {
  if (listings.length === 0) return "no";
  const united = new Set<string>();
  for (const { rpc } of listings) for (const parameter of rpc.parameters ?? []) united.add(parameter);
  // The narrower group wins: one without a list adds nothing to the others.
  return united.size === 0 ? "all" : inOrder(united);
}

/** By code unit, the default order of `sort`, which is several times as fast as a comparison function. */
const inOrder = (names: ReadonlySet<string>): readonly string[] => [...names].sort();

/** The order in which an external vehicle evaluates groups; it evaluates unanswered ones twice. */
const steps = ["unanswered", "allowed", "declined", "unanswered"] as const;

/** C3 to C5. */
function inExternal(listings: readonly Listing[]): RpcPermit {
  const levels = sets<HmiLevel>();
  const parameters = sets<string>();
  let isFirst = true;
  for (const step of steps) {
    for (const { answer, rpc } of listings) {
      if (answer !== step) continue;
      for (const level of rpc.levels) levels[step].add(level);
      for (const parameter of rpc.parameters ?? []) parameters[step].add(parameter);
      if (!isFirst) settle(levels, parameters);
      isFirst = false;
    }
  }
  const isOpen = listings.some(({ answer, rpc }) => answer === "allowed" && rpc.parameters === null);
  const united = isOpen ? "all" : inOrder(parameters.allowed);
  const permitted = united.length === 0 ? "no" : united;
  return perLevel((level) => (levels.allowed.has(level) ? permitted : "no"));
}

type Sets<T> = Readonly<Record<Answer, Set<T>>>;
const sets = <T>(): Sets<T> => ({ allowed: new Set(), declined: new Set(), unanswered: new Set() });

/** What a vehicle does after each group except the first (C5). */
function settle(levels: Sets<HmiLevel>, parameters: Sets<string>): void {
  if (parameters.allowed.size + parameters.declined.size + parameters.unanswered.size === 0) {
    take(levels.declined, levels.allowed, levels.unanswered);
    take(levels.unanswered, levels.allowed);
    return;
  }
  take(levels.allowed, levels.declined, levels.unanswered);
  take(parameters.declined, parameters.allowed, parameters.unanswered);
  take(parameters.unanswered, parameters.allowed);
}

function take<T>(what: ReadonlySet<T>, ...from: readonly Set<T>[]): void {
  for (const set of from) for (const one of what) set.delete(one);
}

function perLevel(permitted: (level: HmiLevel) => Permitted): RpcPermit {
  return {
    BACKGROUND: permitted("BACKGROUND"),
    FULL: permitted("FULL"),
    LIMITED: permitted("LIMITED"),
    NONE: permitted("NONE"),
  };
}
