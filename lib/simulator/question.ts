import type { QuestionAnswerJson } from "@/lib/simulator/answer-schema";
import { groupsOf } from "@/lib/simulator/explain";
import type { Cause, GrantedGroup } from "@/lib/simulator/group-causes";
import type { GroupContent } from "@/lib/simulator/group-content";
import type { OtherVersion, Question, Subject } from "@/lib/simulator/decision";
import { listAllowing, type Remedy } from "@/lib/simulator/remedies";
import { listWords } from "@/lib/simulator/vocabulary";
import type { Offer, SimulatorView } from "@/lib/simulator/view";
import {
  askCars,
  askedWith,
  listGivers,
  listOffers,
  listProviders,
  questionWant,
  type Builds,
  type CarQuestion,
} from "@/lib/simulator/wants";
import {
  describeBuilds,
  describeCore,
  explainCars,
  explainWithheld,
  isRejected,
  readRejection,
  toConditionsJson,
} from "@/lib/simulator/why";
import { distinct } from "@/lib/labels/order";
import { hmiLevels } from "@/lib/labels/vocabulary";

/**
 * Answers a question, with reasons and what would change the answer (`releases.md` L16).
 *
 * @param others stored versions of the app that are not served, newest first
 */
export function answerQuestion(subject: Subject, others: readonly OtherVersion[]): QuestionAnswerJson {
  const { view, decision } = subject;
  const groups = groupsOf(view, decision);
  const asked = askedWith(subject, groups);
  const cars = askCars(view, asked);
  const { isAllowed, builds, byGroups, conditions } = cars;
  const answering = listGivers(view, asked, byGroups).all;
  const consent = isAllowed ? describeConsent(answering) : "";
  const remedies = isAllowed ? listRefusing(subject, groups, answering) : listAllowing(subject, groups, others);
  const name = decision.facts?.name ?? decision.id;
  const may = isAllowed ? "Yes" : "No";
  const somewhere = describeBuilds(builds);
  const verb = isAllowed || somewhere !== "" ? "may call" : "may not call";
  const wanted = describeWanted(subject.question);
  const core = describeCore(view);
  const where = core === "" ? view.environment : `${view.environment}, in head units${core},`;
  const plain = `${may}: in ${where} ${name} ${verb} ${wanted}${somewhere}${consent}.`;
  const rejected = `No: in ${where} the groups of ${name} allow ${wanted}, but the car rejects it: `;
  const sentence = isRejected(view, cars) ? `${rejected}${readRejection(conditions).reasons}.` : plain;
  return {
    is_allowed: isAllowed,
    builds,
    sentence,
    chain: [
      decision.sentence,
      ...buildChain(subject, groups, { asked, builds: byGroups, answering }),
      ...conditions.map(({ isRejected: is, message, rule }) =>
        is ? `The car rejects it: ${message} (${rule}).` : `${message.slice(0, -1)} (${rule}).`,
      ),
    ],
    would_change: remedies.map((remedy) => remedy.sentence),
    conditions: toConditionsJson(cars),
    remedies: [...remedies],
  };
}

/**
 * What would remove a permission (`releases.md` L16).
 *
 * @param answering the groups that allow it
 */
function listRefusing(
  { decision, question }: Subject,
  groups: readonly GrantedGroup[],
  answering: readonly GroupContent[],
): Remedy[] {
  const names = answering.map(({ group }) => group.name);
  const [first = ""] = names;
  const causes = groups.find(({ group }) => group.name === first)?.causes ?? [];
  const part = question.parameter === null ? `HMI level ${question.level}` : `parameter ${question.parameter}`;
  const isByHand = names.length === 1 && causes.every(({ rule }) => rule === "A19");
  const app = decision.app && ({ family: "app", key: decision.app.uuid } as const);
  return [
    ...(isByHand && app ? [{ sentence: `Take back the grant of ${first}`, item: app }] : []),
    {
      sentence: `Remove the ${part} from ${question.rpc} in ${listWords(names)}`,
      item: { family: "group", key: first },
    },
    ...(app ? [{ sentence: "Block the app", item: app }] : []),
  ];
}

function describeWanted({ rpc, parameter, level }: Question): string {
  return `${rpc}${parameter === null ? "" : ` with ${parameter}`} at ${level}`;
}

/** If one of the groups has no prompt, vehicles do not ask. */
function describeConsent(answering: readonly GroupContent[]): string {
  const prompts = distinct(answering.map(({ group }) => group.userConsentPrompt));
  return prompts.includes(null) ? "" : ` after the driver has agreed to ${prompts.join(" or ")}`;
}

function buildChain(
  { view, decision, question }: Subject,
  groups: readonly GrantedGroup[],
  {
    asked,
    builds,
    answering,
  }: { readonly asked: CarQuestion; readonly builds: Builds; readonly answering: readonly GroupContent[] },
): string[] {
  if (decision.outcome === "null") return [];
  const names = groups.map(({ group }) => group.name);
  const has = names.length === 0 ? "no functional group" : `the functional groups ${listWords(names)}`;
  const lines = [decision.outcome === "default" ? `The default policy has ${has}.` : `Its entry has ${has}.`];
  const inCars = explainCars(view, asked, builds);
  const isSaid = listProviders(view, asked).length > 0;
  if (!isSaid) return [...lines, ...explainRefusal(view, question, names), ...inCars];
  const causes = new Map(groups.map((granted) => [granted.group.name, granted.causes]));
  return [
    ...lines,
    ...answering.flatMap(({ group, allowed }) => {
      const rpc = allowed.find(({ name }) => name === question.rpc);
      const prompt = group.userConsentPrompt;
      const why = describeCause(group.name, causes.get(group.name)?.[0]);
      return [
        ...(why === null ? [] : [why]),
        `${group.name} allows ${question.rpc} at ${listWords(rpc?.levels ?? [])}${describeParameters(question, rpc?.parameters ?? null)}.`,
        ...(prompt === null ? [] : [`${group.name} counts after the driver has agreed to ${prompt}.`]),
      ];
    }),
    ...inCars,
  ];
}

/** Why the app has a group that allows the call. */
function describeCause(group: string, cause: Cause | undefined): string | null {
  if (cause === undefined) return null;
  const { because, permission, level, rule } = cause;
  const reasons: Readonly<Record<typeof because, string>> = {
    "default group": "every app has it",
    device: "the phone has it",
    "pre-consent": "every app has it before the driver consents",
    "requested permission": `${permission ?? ""} is requested at ${level ?? ""}`,
    "app service provider": "the app provides an app service",
    "background alert": "the app may alert in the background",
    administrator: "the app is an administrator app",
    widget: "the app may manage widgets",
    "proprietary grant": "it is granted by hand",
  };
  return `${group} is granted because ${reasons[because]} (${rule}).`;
}

function describeParameters({ parameter }: Question, parameters: readonly string[] | null): string {
  if (parameter !== null) return parameters === null ? ` with any parameter` : `, ${parameter} included`;
  if (parameters === null) return "";
  return parameters.length === 0 ? " without any parameter" : ` with ${listWords(parameters)}`;
}

/** What is missing: the RPC, the level or the parameter. */
function explainRefusal(view: SimulatorView, question: Question, names: readonly string[]): string[] {
  const granted = new Set(names);
  const elsewhere = explainWithheld(view, questionWant(question), question.level);
  const holding = listOffers(view, { kind: "rpc", name: question.rpc }).filter(
    ({ content }) => content.isListed && granted.has(content.group.name),
  );
  const isNew = elsewhere.kind !== "other levels" || elsewhere.groups.some((name) => !granted.has(name));
  return [describeOwn(question, holding), ...(isNew ? [elsewhere.reason] : [])];
}

/** @param holding the app's groups that contain the RPC */
function describeOwn({ rpc, parameter, level }: Question, holding: readonly Offer[]): string {
  if (holding.length === 0) return `None of them holds ${rpc}.`;
  const atLevel = holding.filter(({ allowed }) => allowed.has(level));
  const those = atLevel.length === 0 ? holding : atLevel;
  const allow = `${listWords(those.map(({ content }) => content.group.name))} ${those.length === 1 ? "allows" : "allow"}`;
  if (atLevel.length > 0) return `${allow} ${rpc} at ${level}, but not with ${parameter ?? ""}.`;
  const levels = hmiLevels.filter((one) => holding.some(({ allowed }) => allowed.has(one)));
  return `${allow} ${rpc} at ${listWords(levels)}, not at ${level}.`;
}
