import { isGrantedByHand } from "@/lib/policy/table/app-groups";
import type { SnapshotGroup, SnapshotVehicleData } from "@/lib/policy/table/snapshot";
import type { ItemKey } from "@/lib/labels/release-items";
import { decideApp, labelOf, type OtherVersion, type Question, type Subject } from "@/lib/simulator/decision";
import { groupsOf } from "@/lib/simulator/explain";
import { explainGroups, type GrantedGroup } from "@/lib/simulator/group-causes";
import type { StoredRpc } from "@/lib/simulator/group-content";
import { buildView, carIn, prepareView } from "@/lib/simulator/view";
import { listWords } from "@/lib/simulator/vocabulary";
import { askCars, askedWith, listOffers, questionWant } from "@/lib/simulator/wants";
import { capital, readRejection } from "@/lib/simulator/why";
import { lockScreenMessage, vehicleDataRpcs } from "@/lib/labels/vocabulary";

/** A step that changes the answer to a question, and the item to edit; null: none is stored. */
export interface Remedy {
  readonly sentence: string;
  readonly item: ItemKey | null;
}

const isAllowedWith = (subject: Subject, groups: readonly GrantedGroup[]): boolean =>
  askCars(subject.view, askedWith(subject, groups)).isAllowed;

/** Whether the groups permit it. What else the vehicle decides does not depend on them (`cureConditions`). */
const isPermittedWith = (subject: Subject, groups: readonly GrantedGroup[]): boolean => {
  const { byGroups } = askCars(subject.view, askedWith(subject, groups));
  return subject.view.asked.builds.every((build) => byGroups[build]);
};

/**
 * Steps that would allow a refused call (`releases.md` L16), likeliest first. Each is sufficient alone; steps that need
 * others are left out, except for unblocking the app.
 */
export function listAllowing(
  subject: Subject,
  groups: readonly GrantedGroup[],
  others: readonly OtherVersion[],
): readonly Remedy[] {
  const { view, decision } = subject;
  const { app } = decision;
  if (decision.outcome !== "null" || app === null) return listSteps(subject, groups, others);
  const unblock: Remedy = { sentence: "Unblock the app", item: { family: "app", key: app.uuid } };
  const unblocked = decideApp(view, decision.id, { ...app, isBlacklisted: false }, decision.facts);
  const open = { ...subject, decision: unblocked };
  const gained = groupsOf(view, unblocked);
  if (isAllowedWith(open, gained)) return [unblock];
  return listSteps(open, gained, others).map(({ sentence, item }) => ({
    sentence: `Unblock the app, and ${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`,
    item,
  }));
}

function listSteps(subject: Subject, groups: readonly GrantedGroup[], others: readonly OtherVersion[]) {
  if (isPermittedWith(subject, groups)) return [...acceptVersion(subject, others), ...cureConditions(subject, groups)];
  const where = (isDefault: boolean) => groups.filter(({ group }) => group.isDefault === isDefault);
  const steps = [
    ...liftVetoes(subject, groups),
    ...acceptVersion(subject, others),
    ...publishGroups(subject, groups),
    ...editGroups(subject, groups, where(false)),
    ...addVehicleData(subject, groups),
    ...addPrompts(subject, groups),
    ...grantGroups(subject, groups),
    ...editGroups(subject, groups, where(true)),
  ];
  if (steps.length === 0) return addRpc(subject, groups);
  return [...new Map(steps.map((step) => [step.sentence, step])).values()];
}

/** What to do if the vehicle rejects what the groups permit (C16 to C22). */
function cureConditions(subject: Subject, groups: readonly GrantedGroup[]): Remedy[] {
  const { view, decision } = subject;
  const { rejecting, cure } = readRejection(askCars(view, askedWith(subject, groups)).conditions);
  const [first] = rejecting;
  if (first === undefined) return [];
  const app = decision.app && ({ family: "app", key: decision.app.uuid } as const);
  const items = {
    app,
    message: { family: "message", key: lockScreenMessage },
  } as const;
  return [{ sentence: capital(cure), item: items[first.where] }];
}

/** Names only the first of many groups to edit: people choose one. */
const maxEdits = 3;
const inGroup = (key: string) => ({ family: "group", key }) as const;

/** Hypothetical changes to stored data. */
interface Edit {
  /** Replace groups of the same names, or come in addition. */
  readonly groups?: readonly SnapshotGroup[];
  /** Categories of messages that would exist. */
  readonly prompts?: readonly string[];
  readonly vehicleData?: readonly SnapshotVehicleData[];
}

/** Asks vehicles about the app's groups with one edit. The view contains nothing else, so it is quickly built. */
function wouldAllow({ view, decision, question }: Subject, own: readonly GrantedGroup[], edit: Edit): boolean {
  const { groups: edited = [], prompts = [], vehicleData = [] } = edit;
  const { environment, snapshot, asked } = view;
  const both = <T>(records: readonly T[]) => ({ staging: records, production: records });
  const kept = own.map(({ group }) => group).filter(({ name }) => edited.every((one) => one.name !== name));
  const written = prompts.map((category) => {
    return { id: 0, category, status: "PRODUCTION", isDeleted: false, languages: [] } as const;
  });
  const { staging, production } = snapshot.vehicleData;
  const would = buildView(
    {
      ...snapshot,
      groups: both([...kept, ...edited]),
      messages: both([...snapshot.messages[environment], ...written]),
      ...(vehicleData.length > 0 && { vehicleData: { staging, production: [...production, ...vehicleData] } }),
    },
    environment,
  );
  return isPermittedWith({ view: { ...would, asked }, decision, question }, groupsOf(would, decision));
}

/** Groups that list the RPC without any parameter, if that keeps vehicles from allowing it (C1). */
function liftVetoes(subject: Subject, own: readonly GrantedGroup[]): Remedy[] {
  const { view, question } = subject;
  const { rpc, parameter } = question;
  const listing = ({ group: { name } }: GrantedGroup) =>
    view.asked.builds.flatMap((build) => carIn(view, build).groups.get(name)?.rpcs ?? []);
  const vetoes = own.flatMap((one) =>
    listing(one).some(({ name, parameters }) => name === rpc && parameters?.length === 0) ? one.group : [],
  );
  const [first] = vetoes;
  if (first === undefined) return [];
  const would = (edit: (stored: StoredRpc) => StoredRpc[]) =>
    wouldAllow(subject, own, { groups: vetoes.map((group) => editRpc(group, rpc, edit)) });
  const select = `Select parameters of ${rpc} in ${listWords(vetoes.map(({ name }) => name))}`;
  const item = inGroup(first.name);
  if (would(() => [])) return [{ sentence: `${select}, or take it out of there`, item }];
  const parameters = view.snapshot.permissions.flatMap(({ name, parents }) => (parents.includes(rpc) ? name : []));
  return parameter === null && would((one) => [{ ...one, parameters }]) ? [{ sentence: select, item }] : [];
}

function editRpc(group: SnapshotGroup, name: string, edit: (stored: StoredRpc) => StoredRpc[]): SnapshotGroup {
  return { ...group, rpcs: group.rpcs.flatMap((rpc) => (rpc.name === name ? edit(rpc) : [rpc])) };
}

function acceptVersion(subject: Subject, others: readonly OtherVersion[]): Remedy[] {
  const { view, decision } = subject;
  const { app, version: served } = decision;
  if (app === null) return [];
  const next = others.find(
    ({ version }) =>
      version.id > (served?.id ?? 0) &&
      isAllowedWith(
        { ...subject, decision: { ...decision, outcome: "own entry", version } },
        explainGroups(view, app, version),
      ),
  );
  if (next === undefined) return [];
  const sentence = view.environment === "production" ? `Accept ${next.label}` : `Put ${next.label} in staging`;
  return [{ sentence, item: { family: "app", key: app.uuid } }];
}

/** Groups whose staged content already allows it. */
function publishGroups(subject: Subject, own: readonly GrantedGroup[]): Remedy[] {
  const { view, question } = subject;
  if (view.environment !== "production") return [];
  const staging = prepareView(view.snapshot, "staging");
  return listOffers(staging, questionWant(question)).flatMap(({ content: { group } }) => {
    const isAhead = !view.snapshot.groups.production.some(({ id, name }) => name === group.name && id >= group.id);
    if (!isAhead || !wouldAllow(subject, own, { groups: [{ ...group, status: "PRODUCTION" }] })) return [];
    return [{ sentence: `Publish the group ${group.name}`, item: inGroup(group.name) }];
  });
}

/** A level or parameter that the RPC lacks in the app's groups. */
function editGroups(subject: Subject, own: readonly GrantedGroup[], some: readonly GrantedGroup[]): readonly Remedy[] {
  const { rpc, parameter, level } = subject.question;
  const steps: Remedy[] = [];
  for (const { group } of some) {
    const has = subject.view.groups.get(group.name)?.allowed.find(({ name }) => name === rpc);
    if (has === undefined) continue;
    const lacks = [
      ...(has.levels.includes(level) ? [] : [`the HMI level ${level}`]),
      ...(parameter !== null && has.parameters?.includes(parameter) === false ? [`the parameter ${parameter}`] : []),
    ];
    const wanted = parameter === null ? [] : [parameter];
    const edited = editRpc(group, rpc, (one) => [
      { ...one, levels: [...one.levels, level], parameters: [...one.parameters, ...wanted] },
    ]);
    if (!wouldAllow(subject, own, { groups: [edited] })) continue;
    steps.push(toEdit(group, `Add ${lacks.join(" and ")} to ${rpc} in ${group.name}`));
    if (steps.length === maxEdits) break;
  }
  return steps;
}

/** The whole RPC, if it exists, in a group of the app; preferably one that not every app has. */
function addRpc(subject: Subject, own: readonly GrantedGroup[]): Remedy[] {
  const { rpc, parameter, level } = subject.question;
  const group = (own.find((one) => !one.group.isDefault) ?? own[0])?.group;
  if (group === undefined || subject.view.permissions.get(rpc)?.type !== "RPC") return [];
  const added = { name: rpc, levels: [level], parameters: parameter === null ? [] : [parameter] };
  const { rpcs } = editRpc(group, rpc, () => []);
  if (!wouldAllow(subject, own, { groups: [{ ...group, rpcs: [...rpcs, added] }] })) return [];
  const what = `${rpc} at ${level}${parameter === null ? "" : ` with ${parameter}`}`;
  return [toEdit(group, `Add ${what} to a functional group that the app has, such as ${group.name}`)];
}

function toEdit({ name, isDefault }: SnapshotGroup, sentence: string): Remedy {
  return { sentence: isDefault ? `${sentence}, which every app has` : sentence, item: inGroup(name) };
}

/** Vehicle data that a group of the app names but that does not count yet (rule F5). */
function addVehicleData(subject: Subject, own: readonly GrantedGroup[]): Remedy[] {
  const { view, question } = subject;
  const { rpc, parameter, level } = question;
  if (parameter === null) return [];
  const { granted } = askedWith(subject, own);
  const isNamed = listOffers(view, questionWant(question)).some(
    ({ content: { isListed, group }, stored, allowed }) =>
      isListed && granted.has(group.name) && stored.has(level) && !allowed.has(level),
  );
  if (!isNamed) return [];
  const vehicleData = view.snapshot.vehicleData.staging.filter((one) => one.name === parameter && !one.isDeleted);
  if (vehicleData.length > 0 && wouldAllow(subject, own, { vehicleData })) {
    return [
      { sentence: `Publish the vehicle data item ${parameter}`, item: { family: "vehicle_data", key: parameter } },
    ];
  }
  const isData = vehicleDataRpcs.some((name) => name === rpc);
  return isData ? [{ sentence: `Add ${parameter} to the custom vehicle data, and publish it`, item: null }] : [];
}

/** Groups that lack only the message for their prompt (rule F3). */
function addPrompts(subject: Subject, own: readonly GrantedGroup[]): Remedy[] {
  const { view, question } = subject;
  return listOffers(view, questionWant(question)).flatMap(({ content: { group, isListed } }): Remedy[] => {
    const prompt = group.userConsentPrompt;
    if (isListed || prompt === null || !wouldAllow(subject, own, { groups: [group], prompts: [prompt] })) return [];
    const isWaiting =
      view.environment === "production" &&
      view.snapshot.messages.staging.some(({ category, isDeleted }) => category === prompt && !isDeleted);
    const sentence = `${isWaiting ? "Publish" : "Write"} the message ${prompt}, with which ${group.name} asks`;
    return [{ sentence, item: { family: "message", key: prompt } }];
  });
}

/** Groups that allow it and could be granted. Next to the app's other groups, a grant may have no effect (C1). */
function grantGroups(subject: Subject, own: readonly GrantedGroup[]): Remedy[] {
  const { view, question, decision } = subject;
  const { app, facts, version } = decision;
  if (app === null || version === null) return [];
  const { granted } = askedWith(subject, own);
  return listOffers(view, questionWant(question)).flatMap(({ content: { group, isListed }, allowed }) => {
    if (!isListed || !allowed.has(question.level) || granted.has(group.name)) return [];
    if (!isPermittedWith(subject, [...own, { group, causes: [] }])) return [];
    return [describeGrant(group, question, { uuid: app.uuid, label: labelOf(facts, version.id) })];
  });
}

function describeGrant(
  group: SnapshotGroup,
  { rpc, level }: Question,
  { uuid, label }: { readonly uuid: string; readonly label: string },
): Remedy {
  const item = { family: "app", key: uuid } as const;
  const brings = `which brings ${group.name}`;
  if (isGrantedByHand(group)) return { sentence: `Grant the proprietary group ${group.name} to ${label}`, item };
  if (group.isAdministratorGroup) return { sentence: `Make the app an administrator app, ${brings}`, item };
  const provider = group.isAppProviderGroup ? "provides an app service" : `asks for ${rpc} at ${level}`;
  return {
    sentence: `Have a version that ${group.isWidgetGroup ? "manages widgets" : provider}, ${brings}`,
    item: null,
  };
}
