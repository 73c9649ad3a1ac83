import { riskRank } from "@/lib/labels/risk";
import type {
  AppEffect,
  ChangedGroup,
  GroupComparison,
  GroupState,
  Transition,
  TransitionKind,
} from "@/lib/policy/effect/group-effect";
import type { Right, RightChanges } from "@/lib/policy/effect/group-rights";
import { countPermitFindings, type CarPark, type CountedFinding } from "@/lib/policy/permits/permit-findings";
import { carBuilds, type CarBuild } from "@/lib/labels/head-units";
import { byLowerCase, distinct } from "@/lib/labels/order";
import type { SnapshotApp } from "@/lib/policy/table/snapshot";
import { type HmiLevel, hmiLevels, registrationRpc } from "@/lib/labels/vocabulary";

/** An RPC that apps get or lose with a group. */
export interface RpcEffect {
  readonly name: string;
  readonly kind: "gained" | "lost";
  readonly levels: readonly HmiLevel[];
  readonly parameters: readonly string[];
  /** How many apps' cars permit something of it only afterwards, or no more; 0: nothing changes. */
  readonly appCount: number;
  /** The builds in whose cars something changes for any app. */
  readonly builds: readonly CarBuild[];
}

/** What happens between one group and the apps that gain it, lose it, or keep it with another content. */
export interface GroupEffect {
  readonly group: string;
  readonly kind: TransitionKind;
  /** Every app has the group, before or afterwards, also those without rights of their own. */
  readonly isDefault: boolean;
  readonly promptBefore: string | null;
  readonly promptAfter: string | null;
  readonly appCount: number;
  /** The first of them by name. */
  readonly apps: readonly SnapshotApp[];
  /** The riskiest first. */
  readonly rpcs: readonly RpcEffect[];
}

/** What a change of groups comes to over all apps. */
export interface EffectSummary {
  /** How many apps with rights of their own were compared. */
  readonly appCount: number;
  /** How many of them have one of the changed groups afterwards. */
  readonly holderCount: number;
  /** Losses first, then what concerns most apps. */
  readonly effects: readonly GroupEffect[];
}

/** What becomes of the rights that only one side of a group has, and of what cars make of its RPCs with other groups. */
interface RightCounts {
  readonly kind: RpcEffect["kind"];
  /** RPCs of which the group says something else. */
  readonly differing: ReadonlySet<string>;
  /** How many apps really get or lose each of them. */
  readonly rights: Map<Right, number>;
  /** By RPC, how many apps get or lose something of it, and in which cars. */
  readonly rpcs: Map<string, { appCount: number; readonly builds: Set<CarBuild> }>;
}

interface Count {
  readonly transition: Transition;
  readonly apps: SnapshotApp[];
  readonly lost: RightCounts;
  readonly gained: RightCounts;
}

/**
 * Compares all apps and adds up what happens to them.
 *
 * @param pace awaited after each app: ten thousands of them must not keep anybody waiting
 * @param maxApps how many apps are named in each effect
 */
export async function summarizeEffect(
  { changed, compareApp }: GroupComparison,
  apps: Iterable<SnapshotApp>,
  { pace, maxApps }: { readonly pace: () => Promise<void>; readonly maxApps: number },
): Promise<EffectSummary> {
  const counts = new Map<string, Count>();
  // Equal apps share their effect, so that its rights are looked at once for all of them.
  const equals = new Map<AppEffect, SnapshotApp[]>();
  let appCount = 0;
  let holderCount = 0;
  for (const app of apps) {
    const effect = compareApp(app);
    if (effect !== null) {
      appCount++;
      if (effect.isHolder) holderCount++;
      if (effect.transitions.length > 0) {
        const others = equals.get(effect);
        if (others === undefined) equals.set(effect, [app]);
        else others.push(app);
      }
    }
    await pace();
  }
  const byName = new Map(changed.map((group) => [group.name, group]));
  for (const [effect, same] of equals) {
    for (const transition of effect.transitions) addUp(counts, byName.get(transition.group), transition, effect, same);
    await pace();
  }
  const effects = [...counts.values()].map((count) => describe(count, byName.get(count.transition.group), maxApps));
  return { appCount, holderCount, effects: effects.sort(bySeverity) };
}

const severity: Readonly<Record<TransitionKind, number>> = { lost: 0, gained: 1, changed: 2 };

function bySeverity(a: GroupEffect, b: GroupEffect): number {
  return (
    Number(b.isDefault && b.kind === "lost") - Number(a.isDefault && a.kind === "lost") ||
    severity[a.kind] - severity[b.kind] ||
    b.appCount - a.appCount ||
    byLowerCase(a.group, b.group)
  );
}

function addUp(
  counts: Map<string, Count>,
  group: ChangedGroup | undefined,
  transition: Transition,
  effect: AppEffect,
  apps: readonly SnapshotApp[],
): void {
  const key = JSON.stringify([transition.group, transition.kind]);
  const count = counts.get(key) ?? startCount(group, transition);
  counts.set(key, count);
  for (const app of apps) count.apps.push(app);
  countRights(count.lost, effect.lost, apps.length);
  countRights(count.gained, effect.gained, apps.length);
}

function startCount(group: ChangedGroup | undefined, transition: Transition): Count {
  const before = transition.kind === "gained" ? null : (group?.before ?? null);
  const after = transition.kind === "lost" ? null : (group?.after ?? null);
  const texts = [before, after].map((side) => new Map(side?.rpcs.map((rpc) => [rpc.name, JSON.stringify(rpc)])));
  const differing = new Set(
    texts.flatMap((these) => [...these.keys()].filter((name) => new Set(texts.map((all) => all.get(name))).size > 1)),
  );
  const start = (kind: RpcEffect["kind"], side: GroupState | null, other: GroupState | null): RightCounts => {
    const rights = [...(side?.rights ?? [])].filter((right) => other?.rights.has(right) !== true);
    return {
      ...{ kind, differing },
      rights: new Map(rights.map((right) => [right, 0])),
      rpcs: new Map(rights.map(({ rpc }) => [rpc, { appCount: 0, builds: new Set() }])),
    };
  };
  return { transition, apps: [], lost: start("lost", before, after), gained: start("gained", after, before) };
}

/** Counts what really changes for these apps; what they lose may be another group's, for the sake of this one (C1). */
function countRights({ differing, rights, rpcs }: RightCounts, really: RightChanges, apps: number): void {
  const touched = new Set<string>();
  for (const [right, builds] of really) {
    if (!differing.has(right.rpc)) continue;
    rights.set(right, (rights.get(right) ?? 0) + apps);
    const count = rpcs.get(right.rpc) ?? { appCount: 0, builds: new Set() };
    rpcs.set(right.rpc, count);
    for (const build of builds) count.builds.add(build);
    if (!touched.has(right.rpc)) count.appCount += apps;
    touched.add(right.rpc);
  }
}

function describe(count: Count, group: ChangedGroup | undefined, maxApps: number): GroupEffect {
  const { transition, apps } = count;
  const nameOf = (app: SnapshotApp) => (app.accepted ?? app.staged)?.displayNames[0] ?? app.uuid;
  return {
    ...transition,
    isDefault: (group?.before?.group.isDefault ?? false) || (group?.after?.group.isDefault ?? false),
    appCount: apps.length,
    apps: apps.toSorted((a, b) => byLowerCase(nameOf(a), nameOf(b))).slice(0, maxApps),
    rpcs: [...describeRpcs(count.lost), ...describeRpcs(count.gained)],
  };
}

/** Of an RPC that changes for some app only what changes is told; of another one all that the group has. */
function describeRpcs({ kind, rights, rpcs }: RightCounts): RpcEffect[] {
  const told = Array.from(rpcs, ([name, { appCount, builds }]): RpcEffect => {
    const own = [...rights].flatMap(([right, apps]) =>
      right.rpc === name && (apps > 0 || appCount === 0) ? [right] : [],
    );
    const levels = new Set(own.flatMap(({ level, parameter }) => (parameter === null ? [level] : [])));
    return {
      name,
      kind,
      appCount,
      builds: carBuilds.filter((build) => builds.has(build)),
      levels: hmiLevels.filter((level) => levels.has(level)),
      parameters: distinct(own.flatMap(({ parameter }) => parameter ?? [])),
    };
  });
  // Without it nothing else can be called.
  const isFirst = (name: string) => kind === "lost" && name === registrationRpc;
  const rank = ({ appCount, name, parameters }: RpcEffect) =>
    (appCount > 0 ? 0 : 100) + (isFirst(name) ? -1 : riskRank(name, parameters));
  return told.sort((a, b) => rank(a) - rank(b) || byLowerCase(a.name, b.name));
}

/**
 * What cars make of the changed groups that nobody means, over all apps (C1 to C3, C15).
 *
 * @param pace awaited after each app
 */
export async function findChangeSurprises(
  { changed, compareApp, table }: GroupComparison,
  apps: Iterable<SnapshotApp>,
  cars: CarPark,
  pace: () => Promise<void>,
): Promise<CountedFinding[]> {
  const sets = new Map<string, { readonly names: readonly string[]; appCount: number }>();
  for (const app of apps) {
    const effect = compareApp(app);
    if (effect?.isHolder) {
      const key = JSON.stringify(effect.groups);
      const set = sets.get(key) ?? { names: effect.groups, appCount: 0 };
      set.appCount++;
      sets.set(key, set);
    }
    await pace();
  }
  const names = new Set(changed.map(({ name }) => name));
  const found = countPermitFindings(table, sets.values(), cars);
  return found.filter(({ finding }) => finding.groups.some((name) => names.has(name)));
}
