import { isPermitted, permits } from "@/lib/policy/permits/permits";
import { isGrantedByHand } from "@/lib/policy/table/app-groups";
import type { SnapshotGroup } from "@/lib/policy/table/snapshot";
import { decideApp, labelOf, type Decision } from "@/lib/simulator/decision";
import { groupsOf } from "@/lib/simulator/explain";
import type { GrantedGroup } from "@/lib/simulator/group-causes";
import {
  findEdits,
  findPlace,
  findVehicleData,
  liftVetoes,
  listCarGroups,
  wouldAnswer,
} from "@/lib/simulator/group-edits";
import {
  answerFor,
  questionWant,
  wouldAllow,
  type CarAnswer,
  type OtherVersion,
  type Remedy,
  type Subject,
} from "@/lib/simulator/subject";
import type { GroupContent } from "@/lib/simulator/group-content";
import { carIn, prepareView } from "@/lib/simulator/view";
import { listOffers } from "@/lib/simulator/wants";
import { listWords } from "@/lib/simulator/words";

/**
 * What would change the answer to a question (`releases.md` L16), the likeliest first. Each alone does: what would have to be
 * done with others is not named, but for unblocking the app.
 */
export function findRemedies(
  subject: Subject,
  found: {
    readonly groups: readonly GrantedGroup[];
    readonly answer: CarAnswer;
    readonly others: readonly OtherVersion[];
  },
): readonly Remedy[] {
  const { decision } = subject;
  if (found.answer.isAllowed) return listRefusing(subject, found.groups, found.answer.answering);
  if (decision.outcome !== "null" || decision.app === null) return listAllowing(subject, found.groups, found.others);
  const unblock: Remedy = { sentence: "Unblock the app", item: { family: "app", key: decision.app.uuid } };
  const open = { ...subject, decision: unblocked(subject, decision) };
  const groups = groupsOf(subject.view, open.decision);
  if (answerFor(open, groups).isAllowed) return [unblock];
  return listAllowing(open, groups, found.others).map(({ sentence, item }) => ({
    sentence: `Unblock the app, and ${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`,
    item,
  }));
}

function unblocked({ view }: Subject, { id, app, facts }: Decision): Decision {
  if (app === null) throw new TypeError("only an app can be blocked");
  return decideApp(view, id, { ...app, isBlacklisted: false }, facts);
}

/** What would take away what is allowed. */
function listRefusing(
  { decision, question }: Subject,
  groups: readonly GrantedGroup[],
  answering: readonly GroupContent[],
): Remedy[] {
  const names = answering.map(({ group }) => group.name);
  const [first] = names;
  const causes = groups.find(({ group }) => group.name === first)?.causes ?? [];
  const what =
    question.parameter === null
      ? `the HMI level ${question.level} from ${question.rpc}`
      : `the parameter ${question.parameter} from ${question.rpc}`;
  const isByHand = names.length === 1 && causes.every(({ rule }) => rule === "A19");
  const app = decision.app && ({ family: "app", key: decision.app.uuid } as const);
  return [
    ...(isByHand && app ? [{ sentence: `Take back the grant of ${first ?? ""}`, item: app }] : []),
    { sentence: `Remove ${what} in ${listWords(names)}`, item: { family: "group", key: first ?? "" } as const },
    ...(app ? [{ sentence: "Block the app", item: app }] : []),
  ];
}

/** What would allow what is refused. */
function listAllowing(subject: Subject, groups: readonly GrantedGroup[], others: readonly OtherVersion[]): Remedy[] {
  const granted = new Set(groups.map(({ group }) => group.name));
  const remedies = [
    ...liftVetoes(subject),
    ...acceptVersion(subject, others),
    ...publishGroups(subject),
    ...findEdits(
      subject,
      groups.filter(({ group }) => !group.isDefault),
    ),
    ...findVehicleData(subject, granted),
    ...addPrompts(subject),
    ...grantGroups(subject, granted),
    // These concern every app.
    ...findEdits(
      subject,
      groups.filter(({ group }) => group.isDefault),
    ),
  ];
  if (remedies.length === 0) return [...findPlace(subject, groups)];
  return [...new Map(remedies.map((remedy) => [remedy.sentence, remedy])).values()];
}

function acceptVersion(subject: Subject, others: readonly OtherVersion[]): Remedy[] {
  const { app, version } = subject.decision;
  if (app === null) return [];
  const next = others.find((other) => other.version.id > (version?.id ?? 0) && wouldAllow(subject, app, other.version));
  if (next === undefined) return [];
  const sentence = subject.view.environment === "production" ? `Accept ${next.label}` : `Put ${next.label} in staging`;
  return [{ sentence, item: { family: "app", key: app.uuid } }];
}

/** What staging has already. */
function publishGroups(subject: Subject): Remedy[] {
  const { view } = subject;
  if (view.environment !== "production") return [];
  const staging = prepareView(view.snapshot, "staging");
  return listOffers(staging, questionWant(subject.question)).flatMap(({ content: { group } }): Remedy[] => {
    const isAhead = !view.snapshot.groups.production.some(({ id, name }) => name === group.name && id >= group.id);
    if (!isAhead || !wouldAnswer(subject, { ...group, status: "PRODUCTION" })) return [];
    return [{ sentence: `Publish the group ${group.name}`, item: { family: "group", key: group.name } }];
  });
}

/** Groups that only lack the message that they ask with (rule F3). */
function addPrompts(subject: Subject): Remedy[] {
  const { view, question } = subject;
  return listOffers(view, questionWant(question)).flatMap(({ content: { group, isListed } }): Remedy[] => {
    const prompt = group.userConsentPrompt;
    if (isListed || prompt === null || !wouldAnswer(subject, group, { prompts: [prompt] })) return [];
    const isWaiting =
      view.environment === "production" &&
      view.snapshot.messages.staging.some(({ category, isDeleted }) => category === prompt && !isDeleted);
    const sentence = `${isWaiting ? "Publish" : "Write"} the message ${prompt}, with which ${group.name} asks`;
    return [{ sentence, item: { family: "message", key: prompt } }];
  });
}

/** Groups that allow it, and that the app could be given. */
function grantGroups(subject: Subject, granted: ReadonlySet<string>): Remedy[] {
  const { view, question, decision } = subject;
  const { app, facts, version } = decision;
  if (app === null || version === null) return [];
  const open = listOffers(view, questionWant(question)).filter(
    ({ content, allowed }) => content.isListed && allowed.has(question.level) && !granted.has(content.group.name),
  );
  // Beside the app's other groups it may come to nothing (C1).
  const isEnough = (name: string) =>
    view.asked.builds.every((build) => {
      const groups = listCarGroups(subject, build).concat(carIn(view, build).groups.get(name) ?? []);
      return isPermitted(permits(groups, build, "all"), question.rpc, question.level, question.parameter);
    });
  const enough = open.filter(({ content }) => isEnough(content.group.name));
  return enough.map(({ content: { group } }) =>
    describeGrant(group, subject, { uuid: app.uuid, label: labelOf(facts, version.id) }),
  );
}

function describeGrant(
  group: SnapshotGroup,
  { question }: Subject,
  app: { readonly uuid: string; readonly label: string },
): Remedy {
  const item = { family: "app", key: app.uuid } as const;
  if (isGrantedByHand(group)) return { sentence: `Grant the proprietary group ${group.name} to ${app.label}`, item };
  if (group.isAdministratorGroup)
    return { sentence: `Make the app an administrator app, which brings ${group.name}`, item };
  const brings = `which brings ${group.name}`;
  const wish = group.isWidgetGroup
    ? "manages widgets"
    : group.isAppProviderGroup
      ? "provides an app service"
      : `asks for ${question.rpc} at ${question.level}`;
  return { sentence: `Have a version that ${wish}, ${brings}`, item: null };
}
