import { isGrantedByHand } from "@/lib/policy/table/app-groups";
import type { GroupContent } from "@/lib/simulator/group-content";
import type { Offer, SimulatorView } from "@/lib/simulator/view";
import type { WithheldKind } from "@/lib/simulator/vocabulary";
import { levelLabels, listWords } from "@/lib/simulator/words";
import { distinct } from "@/lib/labels/order";
import { hmiLevels, type HmiLevel } from "@/lib/labels/vocabulary";

/** What an app asks for, or a person asks about. */
export type Want =
  | { readonly kind: "rpc"; readonly name: string }
  /** `rpc` is null when the parameter of any RPC will do. */
  | { readonly kind: "parameter"; readonly name: string; readonly rpc: string | null }
  /** A remote-control module: any of the RPCs that it belongs to will do. */
  | { readonly kind: "module"; readonly name: string; readonly rpcs: readonly string[] };

/** What a requested permission stands for (rules A14 to A16). */
export function wantOf(view: SimulatorView, key: string): Want {
  const permission = view.permissions.get(key);
  if (permission?.type === "MODULE") return { kind: "module", name: key, rpcs: permission.parents };
  const isRpc =
    permission === undefined
      ? view.holders(key).some(({ group }) => group.rpcs.some(({ name }) => name === key))
      : permission.type === "RPC";
  return isRpc ? { kind: "rpc", name: key } : { kind: "parameter", name: key, rpc: null };
}

/** The groups that have to do with a want, those that the table leaves out included. */
export function listOffers(view: SimulatorView, want: Want): readonly Offer[] {
  const key = textOf(want);
  const known = view.offers.get(key);
  if (known !== undefined) return known;
  const offers = findHolders(view, want)
    .map((content) => ({ content, ...readOffer(content, want) }))
    .filter(({ stored }) => stored.size > 0);
  // Names that somebody made up are not worth remembering.
  if (offers.length > 0) view.offers.set(key, offers);
  return offers;
}

/** Equal for equal wants; the longest names cannot make one look like another. */
function textOf(want: Want): string {
  if (want.kind === "rpc") return `rpc ${want.name}`;
  return JSON.stringify(want);
}

function findHolders(view: SimulatorView, want: Want): readonly GroupContent[] {
  if (want.kind === "module") return distinct(want.rpcs.flatMap((rpc) => view.holders(rpc)));
  return view.holders(want.kind === "parameter" && want.rpc !== null ? want.rpc : want.name);
}

function readOffer(content: GroupContent, want: Want): Omit<Offer, "content"> {
  const levels = { stored: new Set<HmiLevel>(), allowed: new Set<HmiLevel>() };
  const add = (to: Set<HmiLevel>, from: readonly HmiLevel[]) => {
    for (const level of from) to.add(level);
  };
  if (want.kind !== "parameter") {
    for (const name of want.kind === "rpc" ? [want.name] : want.rpcs) {
      add(levels.stored, content.find(name)?.levels ?? []);
      add(levels.allowed, content.find(name)?.levels ?? []);
    }
    return levels;
  }
  for (const rpc of want.rpc === null ? content.storing(want.name) : [content.find(want.rpc)]) {
    if (rpc === undefined) continue;
    // An RPC without restriction allows every parameter to whoever calls it, and is asked for with those it stores.
    const isOpen = want.rpc !== null && content.isOpen(rpc.name);
    const isStored = rpc.parameters.includes(want.name);
    if (isOpen || isStored) add(levels.stored, rpc.levels);
    if (isOpen || (isStored && content.counts(rpc.name, want.name))) add(levels.allowed, rpc.levels);
  }
  return levels;
}

/** The names of those of an app's groups that allow it at a level. */
export function listProviders(
  view: SimulatorView,
  want: Want,
  level: HmiLevel,
  granted: ReadonlySet<string>,
): readonly GroupContent[] {
  return listOffers(view, want)
    .filter(({ content, allowed }) => content.isListed && allowed.has(level) && granted.has(content.group.name))
    .map(({ content }) => content);
}

/** Why something is asked for and not granted. */
export interface Withheld {
  readonly kind: WithheldKind;
  readonly reason: string;
  /** Names of the groups that the reason is about. */
  readonly groups: readonly string[];
}

/**
 * Why no group of an app allows what it asks for at a level (rules F3, F5, A14 to A21, A23). What an app has not is the
 * same for all apps that have it not.
 *
 * @param level null: the request names none
 */
export function explainWithheld(view: SimulatorView, want: Want, level: HmiLevel | null): Withheld {
  if (level === null) {
    return { kind: "no level", reason: "It is asked for without an HMI level, which matches nothing.", groups: [] };
  }
  const offers = listOffers(view, want);
  const pick = (condition: (offer: Offer) => boolean) => offers.filter(condition).map(({ content }) => content);
  const promptless = pick(({ content, stored }) => !content.isListed && stored.has(level));
  if (promptless.length > 0) return withheld("prompt missing", promptless, describePromptless(promptless));
  const special = pick(({ content, allowed }) => content.isListed && allowed.has(level));
  if (special.length > 0) return withheld("not granted", special, describeSpecial(special));
  const unusable = pick(({ content, stored }) => content.isListed && stored.has(level));
  if (unusable.length > 0) return withheld("unusable", unusable, describeUnusable(unusable));
  const others = pick(({ content, allowed }) => content.isListed && allowed.size > 0);
  if (others.length > 0) {
    const levels = hmiLevels.filter((one) =>
      offers.some(({ content, allowed }) => content.isListed && allowed.has(one)),
    );
    return withheld("other levels", others, `${clause(others, "allow")} it at ${levelLabels(levels)} only.`);
  }
  if (!view.permissions.has(want.name) && offers.length === 0) {
    return withheld("unknown", [], "Neither the app directory nor any functional group knows it.");
  }
  return withheld("no group", [], `No functional group in ${view.environment} allows it.`);
}

function withheld(kind: WithheldKind, contents: readonly GroupContent[], reason: string): Withheld {
  return { kind, reason, groups: contents.map(({ group }) => group.name) };
}

/** `Location-1 allows`, `A and B allow`. */
function clause(contents: readonly GroupContent[], verb: string): string {
  return `${listWords(contents.map(({ group }) => group.name))} ${verb}${contents.length === 1 ? "s" : ""}`;
}

function describePromptless(contents: readonly GroupContent[]): string {
  const prompts = distinct(contents.map(({ group }) => group.userConsentPrompt ?? ""));
  const names = listWords(contents.map(({ group }) => group.name));
  const them = contents.length === 1 ? "it" : "them";
  return `${names} would allow it, but the table leaves ${them} out for want of the message ${listWords(prompts)}.`;
}

/** For whom a group is that nobody gets by asking for what it allows. */
export function describeAudience({ group }: GroupContent): string {
  if (isGrantedByHand(group)) return "granted by hand";
  if (group.isAdministratorGroup) return "for administrator apps";
  if (group.isWidgetGroup) return "for apps with widgets";
  return group.isAppProviderGroup ? "for app service providers" : "for apps that ask for what it holds";
}

function describeSpecial(contents: readonly GroupContent[]): string {
  const names = contents.map((content) => `${content.group.name} (${describeAudience(content)})`);
  return `Only ${listWords(names)} ${contents.length === 1 ? "allows" : "allow"} it.`;
}

function describeUnusable(contents: readonly GroupContent[]): string {
  const why = "neither the RPC specification nor vehicle data that counts there names it";
  return `${clause(contents, "hold")} it without effect: ${why}.`;
}
