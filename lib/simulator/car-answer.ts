import { isPermitted, type PermitGroup } from "@/lib/policy/permits/permits";
import type { GroupContent } from "@/lib/simulator/group-content";
import type { SimulatorView } from "@/lib/simulator/view";
import { listProviders, type Want } from "@/lib/simulator/wants";
import { listWords } from "@/lib/simulator/words";
import { carBuilds, type ByBuild, type CarBuild } from "@/lib/words/head-units";
import { distinct } from "@/lib/words/order";
import type { HmiLevel } from "@/lib/words/vocabulary";

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
    const found = view.car(build).permits(question.granted);
    const parameter = question.want.kind === "parameter" ? question.want.name : null;
    return rpcs.some((rpc) => isPermitted(found, rpc, question.level, parameter));
  };
  return { regular: ask("regular"), external: ask("external") };
}

/** Whether every chosen build permits it. */
export function isGrantedBy({ builds: chosen }: SimulatorView, builds: Builds): boolean {
  return chosen.every((build) => builds[build]);
}

/**
 * The groups that together allow it in some car: those that do so by themselves, else those that bring the level and those
 * that bring the parameter (C3).
 */
export function listGivers(view: SimulatorView, question: CarQuestion, builds: Builds): Givers {
  const { want, level, granted } = question;
  const providers = listProviders(view, want, level, granted);
  const isPlain = providers.length > 0 && view.builds.includes("regular");
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
  const isSaid = listProviders(view, want, level, granted).length > 0;
  if (!isSaid && builds.external && !builds.regular) return [explainSpill(listGivers(view, question, builds), level)];
  if (!isSaid || (builds.regular && builds.external)) return [];
  const missing = carBuilds.filter((build) => !builds[build]);
  const who = missing.length === carBuilds.length ? "all head units" : buildWords[missing[0] ?? "regular"];
  const rpcs = new Set(rpcsOf(view, question));
  const car = view.car(missing[0] ?? "regular");
  const listings = [...granted].flatMap((name) =>
    (car.groups.get(name)?.rpcs ?? []).filter((rpc) => rpcs.has(rpc.name)).map((rpc) => ({ name, rpc })),
  );
  const [first] = listings;
  const [called = want.name] = [...rpcs];
  if (first === undefined) return [`${capital(who)} do not know ${called}, and drop it.`];
  const vetoes = listings.filter(({ rpc }) => rpc.parameters?.length === 0);
  if (vetoes.length === 0) {
    const narrower = listings.filter(({ rpc }) => rpc.parameters !== null && rpc.levels.includes(level));
    if (narrower.length === 0) return [`${capital(who)} do not know ${want.name}, and drop it.`];
    const narrow = listWords(distinct(narrower.map(({ name }) => name)));
    return [`${capital(who)} allow ${called} with the parameters of ${narrow} only.`];
  }
  const names = listWords(distinct(vetoes.map(({ name }) => name)));
  const lists = vetoes.length === 1 ? "lists" : "list";
  return [`${capital(who)} forbid ${vetoes[0]?.rpc.name ?? called}: ${names} ${lists} it without any parameter.`];
}

function explainSpill({ level: ofLevel, parameter }: Givers, level: HmiLevel): string {
  const names = (list: readonly GroupContent[]) => listWords(list.map(({ group }) => group.name));
  const what = `${level} of ${names(ofLevel)} and the parameters of ${names(parameter)}`;
  return `${capital(buildWords.external)} allow it: they join ${what}.`;
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
