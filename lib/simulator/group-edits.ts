import { isPermitted, permits, type PermitGroup } from "@/lib/policy/permits/permits";
import type { SnapshotGroup, SnapshotVehicleData } from "@/lib/policy/table/snapshot";
import { groupsOf } from "@/lib/simulator/explain";
import type { GrantedGroup } from "@/lib/simulator/group-causes";
import { questionWant, type Remedy, type Subject } from "@/lib/simulator/subject";
import type { GroupContent } from "@/lib/simulator/group-content";
import { buildView, carIn } from "@/lib/simulator/view";
import { listOffers, listProviders } from "@/lib/simulator/wants";
import { listWords } from "@/lib/simulator/words";
import type { CarBuild } from "@/lib/labels/head-units";
import { distinct } from "@/lib/labels/order";
import { vehicleDataRpcs } from "@/lib/labels/vocabulary";

/** Of many groups that could be edited the first are named: people choose one. */
const maxEdits = 3;

/** What there would be besides the group. */
interface Besides {
  /** Categories of messages. */
  readonly prompts?: readonly string[];
  readonly vehicleData?: readonly SnapshotVehicleData[];
}

/** Whether the app would be allowed what is asked about through a group with this content, beside its other groups. */
export function wouldAnswer(
  subject: Subject,
  group: SnapshotGroup,
  { prompts = [], vehicleData = [] }: Besides = {},
): boolean {
  const { environment, snapshot, asked } = subject.view;
  const both = <T>(records: readonly T[]) => ({ staging: records, production: records });
  const written = prompts.map((category) => {
    return { id: 0, category, status: "PRODUCTION", isDeleted: false, languages: [] } as const;
  });
  const view = buildView(
    {
      ...snapshot,
      groups: both([group]),
      messages: both([...snapshot.messages[environment], ...written]),
      vehicleData: {
        staging: snapshot.vehicleData.staging,
        production: [...snapshot.vehicleData.production, ...vehicleData],
      },
    },
    environment,
  );
  const { rpc, parameter, level } = subject.question;
  const granted = new Set(groupsOf(view, subject.decision).map((one) => one.group.name));
  if (listProviders(view, questionWant(subject.question), level, granted).length === 0) return false;
  return asked.builds.every((build) => {
    const own = carIn({ ...view, asked }, build).groups.get(group.name) ?? [];
    const others = listCarGroups(subject, build).filter(({ name }) => name !== group.name);
    return isPermitted(permits(others.concat(own), build, "all"), rpc, level, parameter);
  });
}

/** The groups of the app as cars of a build have them, with nothing but the RPC that is asked about. */
export function listCarGroups({ view, decision, question }: Subject, build: CarBuild): PermitGroup[] {
  return groupsOf(view, decision).flatMap(({ group: { name } }) => {
    const group = carIn(view, build).groups.get(name);
    return group === undefined ? [] : [{ ...group, rpcs: group.rpcs.filter((rpc) => rpc.name === question.rpc) }];
  });
}

/** Groups that list the RPC without any parameter, where that keeps cars from allowing it (C1). */
export function liftVetoes(subject: Subject): readonly Remedy[] {
  const { view, question } = subject;
  const { rpc, parameter, level } = question;
  const isVeto = ({ rpcs }: PermitGroup) => rpcs.some(({ parameters }) => parameters?.length === 0);
  const names = distinct(
    view.asked.builds.flatMap((build) => listCarGroups(subject, build).filter(isVeto)).map(({ name }) => name),
  );
  const [first] = names;
  if (first === undefined) return [];
  const would = (lift: (group: PermitGroup) => PermitGroup) =>
    view.asked.builds.every((build) => {
      const groups = listCarGroups(subject, build).map((group) => (isVeto(group) ? lift(group) : group));
      return isPermitted(permits(groups, build, "all"), rpc, level, parameter);
    });
  const item = { family: "group", key: first } as const;
  const where = listWords(names);
  if (would((group) => ({ ...group, rpcs: [] }))) {
    return [{ sentence: `Select parameters of ${rpc} in ${where}, or take it out of there`, item }];
  }
  const isSelectable = parameter === null && view.permissions.get(rpc)?.type === "RPC";
  // Any name stands for the parameters that somebody would select.
  const select = (group: PermitGroup) => ({ ...group, rpcs: group.rpcs.map((one) => ({ ...one, parameters: [rpc] })) });
  return isSelectable && would(select) ? [{ sentence: `Select parameters of ${rpc} in ${where}`, item }] : [];
}

/** Changes of RPCs in groups that the app has. */
export function findEdits(subject: Subject, groups: readonly GrantedGroup[]): readonly Remedy[] {
  const edits: Remedy[] = [];
  for (const { group } of groups) {
    const content = subject.view.groups.get(group.name);
    if (content?.find(subject.question.rpc) !== undefined) edits.push(...editRpc(subject, content));
    if (edits.length === maxEdits) break;
  }
  return edits;
}

/** A group of the app that could hold the whole RPC, one that not every app has before others. */
export function findPlace(subject: Subject, groups: readonly GrantedGroup[]): readonly Remedy[] {
  const [place] = groups.toSorted((a, b) => Number(a.group.isDefault) - Number(b.group.isDefault));
  return place === undefined ? [] : addRpc(subject, place.group);
}

/** A level or a parameter that an RPC of the group lacks. */
function editRpc(subject: Subject, { group, allowed }: GroupContent): Remedy[] {
  const { rpc, parameter, level } = subject.question;
  const has = allowed.find(({ name }) => name === rpc);
  if (has === undefined) return [];
  const lacksLevel = !has.levels.includes(level);
  const lacks = [
    ...(lacksLevel ? [`the HMI level ${level}`] : []),
    ...(parameter !== null && has.parameters?.includes(parameter) === false ? [`the parameter ${parameter}`] : []),
  ];
  const rpcs = group.rpcs.map((one) => {
    if (one.name !== rpc) return one;
    return {
      ...one,
      levels: [...one.levels, level],
      parameters: parameter === null ? one.parameters : [...one.parameters, parameter],
    };
  });
  if (!wouldAnswer(subject, { ...group, rpcs })) return [];
  return [toEdit(group, `Add ${lacks.join(" and ")} to ${rpc} in ${group.name}`)];
}

/** The whole RPC, if there is such a one. */
function addRpc(subject: Subject, group: SnapshotGroup): Remedy[] {
  const { rpc, parameter, level } = subject.question;
  if (subject.view.permissions.get(rpc)?.type !== "RPC") return [];
  const added = { name: rpc, levels: [level], parameters: parameter === null ? [] : [parameter] };
  const changed = { ...group, rpcs: [...group.rpcs.filter(({ name }) => name !== rpc), added] };
  if (!wouldAnswer(subject, changed)) return [];
  const what = `${rpc} at ${level}${parameter === null ? "" : ` with ${parameter}`}`;
  return [toEdit(group, `Add ${what} to a functional group that the app has, such as ${group.name}`)];
}

function toEdit({ name, isDefault }: SnapshotGroup, sentence: string): Remedy {
  return { sentence: isDefault ? `${sentence}, which every app has` : sentence, item: { family: "group", key: name } };
}

/** Vehicle data that a group of the app names, and that does not count yet (rule F5). */
export function findVehicleData(subject: Subject, granted: ReadonlySet<string>): readonly Remedy[] {
  const { view, question } = subject;
  const { rpc, parameter, level } = question;
  if (parameter === null) return [];
  const waiting = view.snapshot.vehicleData.staging.filter(({ name, isDeleted }) => name === parameter && !isDeleted);
  const holders = listOffers(view, questionWant(question)).filter(
    ({ content, stored, allowed }) =>
      content.isListed && granted.has(content.group.name) && stored.has(level) && !allowed.has(level),
  );
  if (holders.length === 0) return [];
  const isPublishable = holders.some(({ content }) => wouldAnswer(subject, content.group, { vehicleData: waiting }));
  if (waiting.length > 0 && isPublishable) {
    const item = { family: "vehicle_data", key: parameter } as const;
    return [{ sentence: `Publish the vehicle data item ${parameter}`, item }];
  }
  const isData = vehicleDataRpcs.some((name) => name === rpc);
  return isData ? [{ sentence: `Add ${parameter} to the custom vehicle data, and publish it`, item: null }] : [];
}
