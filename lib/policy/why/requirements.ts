"one per process";

import { oncePer } from "@/lib/platform/once-per";
import type { JsonObject } from "@/lib/policy/head-unit/values";
import { type Condition, conditionsOn, carSettings } from "@/lib/policy/permits/conditions";
import type { Car } from "@/lib/policy/permits/car";
import { isPermitted, type PermitGroup } from "@/lib/policy/permits/permits";
import { readDefaultFacts, readEntryFacts } from "@/lib/policy/table/app-policies";
import type { EntryDecision } from "@/lib/policy/why/decision";
import type { GrantedGroup } from "@/lib/policy/why/group-causes";
import type { SimulatedGroupContent } from "@/lib/policy/why/group-content";
import { carIn, type Offer, type SimulatorView } from "@/lib/policy/why/view";
import { type ByBuild, type CarBuild, carBuilds } from "@/lib/vocabulary/head-units";
import { recordOf } from "@/lib/vocabulary/members";
import { distinct } from "@/lib/vocabulary/order";
import type { HmiLevel } from "@/lib/vocabulary/terms";

export type Requirement =
  | { readonly kind: "rpc"; readonly name: string }
  /** `rpc` is null if the parameter of any RPC counts. */
  | { readonly kind: "parameter"; readonly name: string; readonly rpc: string | null }
  /** A remote-control module: any of its RPCs counts. */
  | { readonly kind: "module"; readonly name: string; readonly rpcs: readonly string[] };

export interface CarQuestion {
  readonly requirement: Requirement;
  readonly level: HmiLevel;
  readonly granted: ReadonlySet<string>;
  /** The other members of the entry (`entryOf`). */
  readonly entry: JsonObject;
}

export type Builds = ByBuild<boolean>;

/** What a requested permission stands for (rules A14 to A16). */
export function requirementOf(view: SimulatorView, key: string): Requirement {
  const permission = view.permissions.get(key);
  if (permission?.type === "MODULE") return { kind: "module", name: key, rpcs: permission.parents };
  const isRpc =
    permission === undefined
      ? view.holders(key).some(({ group }) => group.rpcs.some(({ name }) => name === key))
      : permission.type === "RPC";
  return isRpc ? { kind: "rpc", name: key } : { kind: "parameter", name: key, rpc: null };
}

export function listOffers(view: SimulatorView, requirement: Requirement): readonly Offer[] {
  const key = requirement.kind === "rpc" ? `rpc ${requirement.name}` : JSON.stringify(requirement);
  const known = view.offers.get(key);
  if (known !== undefined) return known;
  const offers = findHolders(view, requirement)
    .map((content) => ({ content, ...readOffer(content, requirement) }))
    .filter(({ stored }) => stored.size > 0);
  // Made-up names are not cached.
  if (offers.length > 0) view.offers.set(key, offers);
  return offers;
}

function findHolders(view: SimulatorView, requirement: Requirement): readonly SimulatedGroupContent[] {
  if (requirement.kind === "module") return distinct(requirement.rpcs.flatMap((rpc) => view.holders(rpc)));
  return view.holders(
    requirement.kind === "parameter" && requirement.rpc !== null ? requirement.rpc : requirement.name,
  );
}

function readOffer(content: SimulatedGroupContent, requirement: Requirement): Omit<Offer, "content"> {
  if (requirement.kind !== "parameter") {
    const names = requirement.kind === "rpc" ? [requirement.name] : requirement.rpcs;
    const levels = new Set(names.flatMap((name) => content.find(name)?.levels ?? []));
    return { stored: levels, allowed: levels };
  }
  const stored = new Set<HmiLevel>();
  const allowed = new Set<HmiLevel>();
  for (const rpc of requirement.rpc === null ? content.storing(requirement.name) : [content.find(requirement.rpc)]) {
    if (rpc === undefined) continue;
    // An unrestricted RPC allows every parameter if the question names the RPC. Otherwise, only its stored parameters match.
    const isOpen = requirement.rpc !== null && content.isOpen(rpc.name);
    const isStored = rpc.parameters.includes(requirement.name);
    for (const level of rpc.levels) {
      if (isOpen || isStored) stored.add(level);
      if (isOpen || (isStored && content.counts(rpc.name, requirement.name))) allowed.add(level);
    }
  }
  return { stored, allowed };
}

/** The groups of an entry that allow it on their own. */
export function listProviders(
  view: SimulatorView,
  { requirement, level, granted }: CarQuestion,
): readonly SimulatedGroupContent[] {
  return listOffers(view, requirement)
    .filter(({ content, allowed }) => content.isListed && allowed.has(level) && granted.has(content.group.name))
    .map(({ content }) => content);
}

export function rpcsOf(view: SimulatorView, { requirement, granted }: CarQuestion): readonly string[] {
  if (requirement.kind === "rpc") return [requirement.name];
  if (requirement.kind === "module") return requirement.rpcs;
  if (requirement.rpc !== null) return [requirement.rpc];
  const holders = view.holders(requirement.name).filter(({ group }) => granted.has(group.name));
  return distinct(holders.flatMap((content) => content.storing(requirement.name).map(({ name }) => name)));
}

export interface CarAnswer {
  readonly builds: Builds;
  readonly isAllowed: boolean;
  readonly byGroups: Builds;
  /** Why the vehicle rejects a permitted call, or how it is possible. */
  readonly conditions: readonly Condition[];
}

/** By the groups of an entry, about which there are many questions, but only about some RPCs. */
const findersOf = oncePer((car: Car) => oncePer((granted: ReadonlySet<string>) => car.permitFinder(granted)));

/** What the groups permit (`head-unit-rules.md` C1 to C5), and the conditions beside them (C16 to C22). */
export function findCarAnswer(view: SimulatorView, question: CarQuestion): CarAnswer {
  const { requirement, level, granted } = question;
  const parameter = requirement.kind === "parameter" ? requirement.name : null;
  const rpcs = rpcsOf(view, question);
  const permittedIn = (build: CarBuild) => {
    const get = findersOf(carIn(view, build))(granted);
    return rpcs.filter((rpc) => isPermitted({ get }, rpc, level, parameter));
  };
  const permitted = { regular: permittedIn("regular"), external: permittedIn("external") };
  const judged = new Map(
    distinct([...permitted.regular, ...permitted.external]).map((rpc) => [rpc, conditionsOf(view, question, rpc)]),
  );
  const isPossible = (rpc: string) => judged.get(rpc)?.some(({ isRejected }) => isRejected) !== true;
  const builds = recordOf(carBuilds, (build) => permitted[build].some(isPossible));
  const told = builds.regular || builds.external ? [...judged].filter(([rpc]) => isPossible(rpc)) : [...judged];
  const conditions = told.flatMap(([, list]) => list);
  return {
    builds,
    isAllowed: view.asked.builds.every((build) => builds[build]),
    byGroups: recordOf(carBuilds, (build) => permitted[build].length > 0),
    conditions: [...new Map(conditions.map((one) => [`${one.rule} ${one.message}`, one])).values()],
  };
}

/** @param rpc one that the entry's groups permit */
function conditionsOf(
  view: SimulatorView,
  { requirement, level, granted, entry }: CarQuestion,
  rpc: string,
): Condition[] {
  const settings = carSettings(view.snapshot, view.environment);
  const encrypting = [...settings.encrypted].filter(
    (name) => granted.has(name) && view.groups.get(name)?.find(rpc) !== undefined,
  );
  const named = (kind: Requirement["kind"]) => (requirement.kind === kind ? requirement.name : null);
  const call = { rpc, level, parameter: named("parameter"), module: named("module") };
  return conditionsOn(call, entry, settings, encrypting);
}

export function entryOf(
  view: SimulatorView,
  { outcome, app, version }: Pick<EntryDecision, "outcome" | "app" | "version">,
): JsonObject {
  if (outcome === "null") return {};
  return app === null || version === null
    ? readDefaultFacts(view.snapshot, view.environment)
    : readEntryFacts(app, version, view.permissions);
}

type Givers = Readonly<Record<"all" | "level" | "parameter", readonly SimulatedGroupContent[]>>;

/** Those that allow it alone, otherwise those with the level and those with the parameter (C3). */
export function listGivers(view: SimulatorView, question: CarQuestion, builds: Builds): Givers {
  const { requirement, level, granted } = question;
  const providers = listProviders(view, question);
  const isPlain = providers.length > 0 && view.asked.builds.includes("regular");
  if (isPlain || !builds.external) return { all: providers, level: providers, parameter: providers };
  const rpcs = new Set(rpcsOf(view, question));
  const listing = (condition: (rpc: PermitGroup["rpcs"][number]) => boolean) =>
    [...granted]
      .flatMap((name) => view.groups.get(name) ?? [])
      .filter(({ isListed, allowed }) => isListed && allowed.some((rpc) => rpcs.has(rpc.name) && condition(rpc)));
  const ofLevel = listing(({ levels }) => levels.includes(level));
  const ofParameter = listing(({ parameters }) => parameters === null || parameters.includes(requirement.name));
  return { all: distinct([...ofLevel, ...ofParameter]), level: ofLevel, parameter: ofParameter };
}

export function needsConsent({ level, parameter }: Givers): boolean {
  const isAsked = (list: readonly SimulatedGroupContent[]) =>
    list.length > 0 && list.every(({ group }) => group.userConsentPrompt !== null);
  return isAsked(level) || isAsked(parameter);
}

export function groupNamesOf(groups: readonly GrantedGroup[]): ReadonlySet<string> {
  return new Set(groups.map(({ group }) => group.name));
}
