import { isPermitted, type PermitGroup } from "@/lib/policy/permits/permits";
import type { AllowedRpc } from "@/lib/policy/table/functional-groupings";
import type { GroupContent } from "@/lib/simulator/group-content";
import { carIn, type SimulatorView } from "@/lib/simulator/view";
import { listProviders, type Want } from "@/lib/simulator/wants";
import { listWords } from "@/lib/simulator/words";
import { carBuilds, newestCore, type ByBuild, type CarBuild } from "@/lib/labels/head-units";
import { distinct } from "@/lib/labels/order";
import type { HmiLevel } from "@/lib/labels/vocabulary";

/** Whether cars of each build permit something, every prompt taken as answered with yes. */
export type Builds = ByBuild<boolean>;

/** What is asked of a car: a want at a level, for the groups of an entry. */
export interface CarQuestion {
  readonly want: Want;
  readonly level: HmiLevel;
  readonly granted: ReadonlySet<string>;
}

/** The RPCs that a want is about; a parameter of any RPC: of those with which the groups store it. */
function rpcsOf(view: SimulatorView, { want, granted }: CarQuestion): readonly string[] {
  if (want.kind === "rpc") return [want.name];
  if (want.kind === "module") return want.rpcs;
  if (want.rpc !== null) return [want.rpc];
  const holders = view.holders(want.name).filter(({ group }) => granted.has(group.name));
  return distinct(holders.flatMap((content) => content.storing(want.name).map(({ name }) => name)));
}

/** Whether cars of each build permit it (`head-unit-rules.md` C1 to C5). */
export function askCars(view: SimulatorView, question: CarQuestion): Builds {
  const rpcs = rpcsOf(view, question);
  const ask = (build: CarBuild) => {
    const found = carIn(view, build).permits(question.granted);
    const parameter = question.want.kind === "parameter" ? question.want.name : null;
    return rpcs.some((rpc) => isPermitted(found, rpc, question.level, parameter));
  };
  return { regular: ask("regular"), external: ask("external") };
}

/** Whether every chosen build permits it. */
export function isGrantedBy({ asked }: SimulatorView, builds: Builds): boolean {
  return asked.builds.every((build) => builds[build]);
}

/**
 * The groups that together allow it in some car: those that do so by themselves, else those that bring the level and those
 * that bring the parameter (C3).
 */
export function listGivers(view: SimulatorView, question: CarQuestion, builds: Builds): Givers {
  const { want, level, granted } = question;
  const providers = listProviders(view, want, level, granted);
  const isPlain = providers.length > 0 && view.asked.builds.includes("regular");
  if (isPlain || !builds.external) return { all: providers, level: providers, parameter: providers };
  const held = contentsOf(view, granted);
  const rpcs = new Set(rpcsOf(view, question));
  const listing = (condition: (rpc: PermitGroup["rpcs"][number]) => boolean) =>
    held.filter(({ allowed }) => allowed.some((rpc) => rpcs.has(rpc.name) && condition(rpc)));
  const ofLevel = listing(({ levels }) => levels.includes(level));
  const ofParameter = listing(({ parameters }) => parameters === null || parameters.includes(want.name));
  return { all: distinct([...ofLevel, ...ofParameter]), level: ofLevel, parameter: ofParameter };
}
export interface Givers {
  readonly all: readonly GroupContent[];
  readonly level: readonly GroupContent[];
  readonly parameter: readonly GroupContent[];
}

/** Whether the driver must have agreed to a prompt: nobody brings it, or a part of it, unasked. */
export function needsConsent({ level, parameter }: Givers): boolean {
  const isAsked = (list: readonly GroupContent[]) =>
    list.length > 0 && list.every(({ group }) => group.userConsentPrompt !== null);
  return isAsked(level) || isAsked(parameter);
}

function contentsOf(view: SimulatorView, granted: ReadonlySet<string>): GroupContent[] {
  return [...granted].flatMap((name) => {
    const content = view.groups.get(name);
    return content?.isListed ? [content] : [];
  });
}

/** The builds of head units in a sentence. */
export const buildWords: ByBuild<string> = {
  regular: "regular head units (PROPRIETARY, HTTP)",
  external: "external head units (EXTERNAL_PROPRIETARY)",
};

/** Which builds permit it, after "yes" or "no": nothing where they agree. */
export function describeBuilds(builds: Builds): string {
  if (builds.regular === builds.external) return "";
  return ` in ${buildWords[builds.regular ? "regular" : "external"]} only`;
}

/** Why cars make of the groups something else than these say by themselves: which group does it, build by build. */
export function explainCars(view: SimulatorView, question: CarQuestion, builds: Builds): string[] {
  const { want, level, granted } = question;
  const providers = listProviders(view, want, level, granted);
  if (providers.length === 0) return builds.external && !builds.regular ? [explainSpill(view, question, builds)] : [];
  const [missing, other] = carBuilds.filter((build) => !builds[build]);
  if (missing === undefined) return [];
  const who = capital(other === undefined ? buildWords[missing] : "all head units") + describeCore(view);
  const rpcs = new Set(rpcsOf(view, question));
  const car = carIn(view, missing);
  const listings = [...granted].flatMap((name) =>
    (car.groups.get(name)?.rpcs ?? []).filter((rpc) => rpcs.has(rpc.name)).map((rpc) => ({ name, rpc })),
  );
  const [called = want.name] = [...rpcs];
  if (listings.length === 0) return [`${who} do not know ${called}, and drop it.`];
  const [veto, ...others] = listings.filter(({ rpc }) => rpc.parameters?.length === 0);
  if (veto !== undefined) {
    const names = listWords(distinct([veto, ...others].map(({ name }) => name)));
    const own = view.groups.get(veto.name)?.allowed.find(({ name }) => name === veto.rpc.name);
    const how = own?.parameters?.length === 0 ? "without any parameter" : "only with parameters that they do not know";
    return [`${who} forbid ${veto.rpc.name}: ${names} ${others.length === 0 ? "lists" : "list"} it ${how}.`];
  }
  const provided = new Set(providers.map(({ group }) => group.name));
  const keeps = ({ parameters }: AllowedRpc) => parameters === null || parameters.includes(want.name);
  const isDropped = !listings.some(({ name, rpc }) => provided.has(name) && keeps(rpc));
  const narrower = listings.filter(({ rpc }) => rpc.parameters !== null && rpc.levels.includes(level));
  if (isDropped || narrower.length === 0) return [`${who} do not know ${want.name}, and drop it.`];
  return [
    `${who} allow ${called} with the parameters of ${listWords(distinct(narrower.map(({ name }) => name)))} only.`,
  ];
}

function explainSpill(view: SimulatorView, question: CarQuestion, builds: Builds): string {
  const { level, parameter } = listGivers(view, question, builds);
  const names = (list: readonly GroupContent[]) => listWords(list.map(({ group }) => group.name));
  const what = `${question.level} of ${names(level)} and the parameters of ${names(parameter)}`;
  return `${capital(buildWords.external)}${describeCore(view)} allow it: they join ${what}.`;
}

/** Which version of Core is asked, after the head units that have it: nothing of the newest. */
export function describeCore({ asked: { version } }: Pick<SimulatorView, "asked">): string {
  return version === newestCore ? "" : ` with Core ${version}`;
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
