import { isGrantedByHand } from "@/lib/policy/table/app-groups";
import type { AllowedRpc } from "@/lib/policy/table/functional-groupings";
import type { SnapshotAppVersion } from "@/lib/policy/table/snapshot";
import type { ConditionJson, WithheldJson } from "@/lib/policy/why/answer-schema";
import { levelOf, type GrantedGroup } from "@/lib/policy/why/group-causes";
import type { SimulatedGroupContent } from "@/lib/policy/why/group-content";
import { carIn, type Offer, type SimulatorView } from "@/lib/policy/why/view";
import { listWords, type WithheldKind } from "@/lib/policy/why/vocabulary";
import {
  findCarAnswer,
  listGivers,
  listOffers,
  listProviders,
  groupNamesOf,
  rpcsOf,
  requirementOf,
  type Builds,
  type CarAnswer,
  type CarQuestion,
  type Requirement,
} from "@/lib/policy/why/requirements";
import { carBuilds, newestCore, type ByBuild } from "@/lib/vocabulary/head-units";
import { distinct } from "@/lib/vocabulary/order";
import { hmiLevels, type HmiLevel } from "@/lib/vocabulary/terms";
import { capital } from "@/lib/vocabulary/format-number";

type Withheld = Pick<WithheldJson, "kind" | "reason" | "groups">;

export function listWithheld(
  view: SimulatorView,
  { permissions }: SnapshotAppVersion,
  groups: readonly GrantedGroup[],
  entry: CarQuestion["entry"],
): WithheldJson[] {
  const granted = groupNamesOf(groups);
  const asked = new Map(permissions.map((one) => [`${one.hmiLevel ?? ""} ${one.key}`, one]));
  return [...asked.values()].flatMap(({ key, hmiLevel }) => {
    const requirement = requirementOf(view, key);
    const level = levelOf(hmiLevel);
    if (level !== null && findCarAnswer(view, { requirement, level, granted, entry }).isAllowed) return [];
    return [{ permission: key, level, ...explainNotGranted(view, { requirement, level, granted, entry }) }];
  });
}

export function explainNotGranted(
  view: SimulatorView,
  { level, ...asked }: Omit<CarQuestion, "level"> & { readonly level: HmiLevel | null },
): Withheld {
  if (level === null) {
    return { kind: "no level", reason: "It is asked for without an HMI level, which matches nothing.", groups: [] };
  }
  const question = { ...asked, level };
  const providers = listProviders(view, question);
  if (providers.length === 0) return explainWithheld(view, asked.requirement, level);
  const answer = findCarAnswer(view, question);
  if (isRejected(view, answer)) return withheld("condition", providers, describeRejection(answer));
  return withheld("head unit", providers, explainCars(view, question, answer.byGroups).join(" "));
}

/** Rules F3, F5, A14 to A21 and A23. The reason is the same for all apps. */
function explainWithheld(view: SimulatorView, requirement: Requirement, level: HmiLevel): Withheld {
  const offers = listOffers(view, requirement);
  const pick = (condition: (offer: Offer) => boolean) => offers.filter(condition).map(({ content }) => content);
  const promptless = pick(({ content, stored }) => !content.isListed && stored.has(level));
  if (promptless.length > 0) return withheld("prompt missing", promptless, describePromptless(promptless));
  const special = pick(({ content, allowed }) => content.isListed && allowed.has(level));
  if (special.length > 0) return withheld("not granted", special, describeSpecial(special));
  const unusable = pick(({ content, stored }) => content.isListed && stored.has(level));
  if (unusable.length > 0) {
    const why = "neither the RPC specification nor vehicle data that counts there names it";
    return withheld("unusable", unusable, `${clause(unusable, "hold")} it without effect: ${why}.`);
  }
  const others = offers.filter(({ content, allowed }) => content.isListed && allowed.size > 0);
  if (others.length > 0) {
    const contents = others.map(({ content }) => content);
    const levels = hmiLevels.filter((one) => others.some(({ allowed }) => allowed.has(one)));
    return withheld("other levels", contents, `${clause(contents, "allow")} it at ${listWords(levels)} only.`);
  }
  if (!view.permissions.has(requirement.name) && offers.length === 0) {
    return withheld("unknown", [], "Neither the app directory nor any functional group knows it.");
  }
  return withheld("no group", [], `No functional group in ${view.environment} allows it.`);
}

function withheld(kind: WithheldKind, contents: readonly SimulatedGroupContent[], reason: string): Withheld {
  return { kind, reason, groups: contents.map(({ group }) => group.name) };
}

const listNames = (contents: readonly SimulatedGroupContent[]): string =>
  listWords(contents.map(({ group }) => group.name));

const clause = (contents: readonly SimulatedGroupContent[], verb: string): string =>
  `${listNames(contents)} ${verb}${contents.length === 1 ? "s" : ""}`;

function describePromptless(contents: readonly SimulatedGroupContent[]): string {
  const prompts = distinct(contents.map(({ group }) => group.userConsentPrompt ?? ""));
  const them = contents.length === 1 ? "it" : "them";
  return `${listNames(contents)} would allow it, but the table leaves ${them} out for want of the message ${listWords(prompts)}.`;
}

function describeSpecial(contents: readonly SimulatedGroupContent[]): string {
  const names = contents.map((content) => `${content.group.name} (${describeAudience(content)})`);
  return `Only ${listWords(names)} ${contents.length === 1 ? "allows" : "allow"} it.`;
}

function describeAudience({ group }: SimulatedGroupContent): string {
  if (isGrantedByHand(group)) return "granted by hand";
  if (group.isAdministratorGroup) return "for administrator apps";
  if (group.isWidgetGroup) return "for apps with widgets";
  return group.isAppProviderGroup ? "for app service providers" : "for apps that ask for what it holds";
}

function isRejected(view: SimulatorView, { byGroups, isAllowed }: CarAnswer): boolean {
  return !isAllowed && view.asked.builds.every((build) => byGroups[build]);
}

function describeRejection({ conditions }: CarAnswer): string {
  const rejecting = conditions.filter((one) => one.isRejected);
  const reasons = rejecting.map(({ message, rule }) => `${message} (${rule})`).join(", and ");
  const cure = rejecting.map((one) => one.cure).join(", and ");
  return `The groups grant it, but the car rejects it: ${reasons}. ${capital(cure)}.`;
}

export function toConditionsJson({ conditions }: Pick<CarAnswer, "conditions">): ConditionJson[] {
  return conditions.map(({ rule, isRejected: is_rejected, message, cure }) => ({ rule, is_rejected, message, cure }));
}

const buildWords: ByBuild<string> = {
  regular: "regular head units (PROPRIETARY, HTTP)",
  external: "external head units (EXTERNAL_PROPRIETARY)",
};

/** Follows "head units"; empty for the newest version. */
function describeCore({ asked: { version } }: Pick<SimulatorView, "asked">): string {
  return version === newestCore ? "" : ` with Core ${version}`;
}

export function explainCars(view: SimulatorView, question: CarQuestion, builds: Builds): string[] {
  const { requirement, level, granted } = question;
  const providers = listProviders(view, question);
  if (providers.length === 0) return builds.external && !builds.regular ? [explainSpill(view, question, builds)] : [];
  const [missing, other] = carBuilds.filter((build) => !builds[build]);
  if (missing === undefined) return [];
  const who = capital(other === undefined ? buildWords[missing] : "all head units") + describeCore(view);
  const rpcs = rpcsOf(view, question);
  const car = carIn(view, missing);
  const listings = [...granted].flatMap((name) =>
    (car.groups.get(name)?.rpcs ?? []).filter((rpc) => rpcs.includes(rpc.name)).map((rpc) => ({ name, rpc })),
  );
  const [called = requirement.name] = rpcs;
  if (listings.length === 0) return [`${who} do not know ${called}, and drop it.`];
  const [veto, ...others] = listings.filter(({ rpc }) => rpc.parameters?.length === 0);
  if (veto !== undefined) {
    const names = listWords(distinct([veto, ...others].map(({ name }) => name)));
    const own = view.groups.get(veto.name)?.allowed.find(({ name }) => name === veto.rpc.name);
    const how = own?.parameters?.length === 0 ? "without any parameter" : "only with parameters that they do not know";
    return [`${who} forbid ${veto.rpc.name}: ${names} ${others.length === 0 ? "lists" : "list"} it ${how}.`];
  }
  const provided = new Set(providers.map(({ group }) => group.name));
  const keeps = ({ parameters }: AllowedRpc) => parameters === null || parameters.includes(requirement.name);
  const isDropped = !listings.some(({ name, rpc }) => provided.has(name) && keeps(rpc));
  const narrower = listings.filter(({ rpc }) => rpc.parameters !== null && rpc.levels.includes(level));
  if (isDropped || narrower.length === 0) return [`${who} do not know ${requirement.name}, and drop it.`];
  const narrowing = listWords(distinct(narrower.map(({ name }) => name)));
  return [`${who} allow ${called} with the parameters of ${narrowing} only.`];
}

function explainSpill(view: SimulatorView, question: CarQuestion, builds: Builds): string {
  const { level, parameter } = listGivers(view, question, builds);
  const what = `${question.level} of ${listNames(level)} and the parameters of ${listNames(parameter)}`;
  return `${capital(buildWords.external)}${describeCore(view)} allow it: they join ${what}.`;
}
