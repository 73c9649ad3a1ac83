import { riskRank } from "@/lib/vocabulary/risk";
import type {
  AppEffect,
  ChangedGroup,
  GroupComparison,
  GroupState,
  Transition,
  TransitionKind,
} from "@/lib/policy/effect/group-effect";
import type { RejectedCallsJson } from "@/lib/policy/answer/answer-schema";
import type { PermitPart } from "@/lib/policy/effect/permit-changes";
import { countPermitFindings, type CarPark, type CountedFinding } from "@/lib/policy/permits/permit-findings";
import { carBuilds, type CarBuild } from "@/lib/vocabulary/head-units";
import { byLowerCase, distinct } from "@/lib/vocabulary/order";
import type { SnapshotApp } from "@/lib/policy/table/snapshot";
import { type HmiLevel, hmiLevels, registrationRpc } from "@/lib/vocabulary/terms";

export interface RpcEffect {
  readonly name: string;
  readonly kind: "gained" | "lost";
  readonly levels: readonly HmiLevel[];
  readonly parameters: readonly string[];
  /** How many apps gain or lose part of it in some vehicle; 0: nothing changes. */
  readonly appCount: number;
  /** For how many apps nothing changes because cars reject the call. */
  readonly rejectedCount: number;
  readonly builds: readonly CarBuild[];
}

export interface GroupEffect {
  readonly group: string;
  readonly kind: TransitionKind;
  /** Every app has the group before or after, even without permissions of its own. */
  readonly isDefault: boolean;
  readonly promptBefore: string | null;
  readonly promptAfter: string | null;
  readonly appCount: number;
  readonly apps: readonly SnapshotApp[];
  readonly rpcs: readonly RpcEffect[];
  /** Why cars reject what the group permits newly, most apps first. */
  readonly rejected: readonly CountedRejection[];
}

export interface CountedRejection extends RejectedCallsJson {
  readonly appCount: number;
}

export interface EffectSummary {
  readonly appCount: number;
  readonly holderCount: number;
  readonly holders: readonly SnapshotApp[];
  readonly effects: readonly GroupEffect[];
}

interface Right {
  readonly level: HmiLevel;
  /** Null: the RPC itself. */
  readonly parameter: string | null;
  readonly isOfApps: boolean;
}

const rightKey = (level: HmiLevel, parameter: string | null) => JSON.stringify([level, parameter]);

interface RpcCount {
  readonly name: string;
  readonly kind: RpcEffect["kind"];
  appCount: number;
  rejectedCount: number;
  readonly builds: Set<CarBuild>;
  /** What differs between the sides of the group or changes for some app. */
  readonly rights: Map<string, Right>;
}

interface Count {
  readonly transition: Transition;
  readonly group: ChangedGroup | undefined;
  readonly apps: SnapshotApp[];
  readonly differing: ReadonlySet<string>;
  readonly rpcs: Map<string, RpcCount>;
  readonly rejected: Map<string, CountedRejection>;
}

/** Awaits `pace` after each app, so that ten thousand apps do not block other work. `maxApps`: named per effect. */
export async function summarizeEffect(
  { changed, compareApp }: GroupComparison,
  apps: Iterable<SnapshotApp>,
  { pace, maxApps }: { readonly pace: () => Promise<void>; readonly maxApps: number },
): Promise<EffectSummary> {
  const counts = new Map<string, Count>();
  // Equal apps share one effect, so its permissions are counted once for all of them.
  const equals = new Map<AppEffect, SnapshotApp[]>();
  let appCount = 0;
  const holders: SnapshotApp[] = [];
  for (const app of apps) {
    const effect = compareApp(app);
    if (effect !== null) {
      appCount++;
      if (effect.isHolder) holders.push(app);
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
  const effects = [...counts.values()].map((count) => describe(count, maxApps));
  return {
    appCount,
    holderCount: holders.length,
    holders: firstByName(holders, maxApps),
    effects: effects.sort(bySeverity),
  };
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
  const rights = effect.rights();
  for (const kind of ["lost", "gained"] as const) {
    countRights(count, kind, rights[kind], apps.length);
    // Several conditions may reject the same call.
    for (const name of new Set(rights.rejected[kind].flatMap(({ rpcs }) => rpcs)))
      if (count.differing.has(name)) rpcOf(count, kind, name).rejectedCount += apps.length;
  }
  for (const calls of rights.rejected.gained) countReason(count, calls, apps.length);
}

function startCount(group: ChangedGroup | undefined, transition: Transition): Count {
  const before = transition.kind === "gained" ? null : (group?.before ?? null);
  const after = transition.kind === "lost" ? null : (group?.after ?? null);
  const [had, has] = [before, after].map((side) => new Map(side?.rpcs.map((rpc) => [rpc.name, JSON.stringify(rpc)])));
  const differing = distinct([...(had?.keys() ?? []), ...(has?.keys() ?? [])]).filter(
    (name) => had?.get(name) !== has?.get(name),
  );
  const count: Count = {
    ...{ transition, group, apps: [], differing: new Set(differing) },
    ...{ rpcs: new Map(), rejected: new Map() },
  };
  const start = (kind: RpcEffect["kind"], side: GroupState | null, other: GroupState | null) => {
    for (const { name, levels, parameters } of side?.rpcs ?? []) {
      const kept = other?.rpcs.find((rpc) => rpc.name === name);
      for (const level of levels) {
        for (const parameter of [null, ...(parameters ?? [])]) {
          const isKept = kept?.levels.includes(level) && (parameter === null || kept.parameters?.includes(parameter));
          if (isKept) continue;
          rpcOf(count, kind, name).rights.set(rightKey(level, parameter), { level, parameter, isOfApps: false });
        }
      }
    }
  };
  start("lost", before, after);
  start("gained", after, before);
  return count;
}

function rpcOf({ rpcs }: Count, kind: RpcEffect["kind"], name: string): RpcCount {
  const key = `${kind} ${name}`;
  const known = rpcs.get(key) ?? {
    ...{ name, kind, appCount: 0, rejectedCount: 0 },
    ...{ builds: new Set(), rights: new Map() },
  };
  rpcs.set(key, known);
  return known;
}

/** Counts what really changes for these apps. Because of this group, they may lose what another group allows (C1). */
function countRights(count: Count, kind: RpcEffect["kind"], really: readonly PermitPart[], apps: number): void {
  const touched = new Set<RpcCount>();
  for (const { rpc: name, build, level, parameters } of really) {
    if (!count.differing.has(name)) continue;
    const rpc = rpcOf(count, kind, name);
    for (const parameter of parameters)
      rpc.rights.set(rightKey(level, parameter), { level, parameter, isOfApps: true });
    rpc.builds.add(build);
    if (!touched.has(rpc)) rpc.appCount += apps;
    touched.add(rpc);
  }
}

function countReason(count: Count, { rpcs, ...calls }: RejectedCallsJson, apps: number): void {
  const own = rpcs.filter((name) => count.differing.has(name));
  if (own.length === 0) return;
  const key = JSON.stringify([calls.message, own]);
  count.rejected.set(key, { ...calls, rpcs: own, appCount: (count.rejected.get(key)?.appCount ?? 0) + apps });
}

function describe({ transition, group, apps, rpcs, rejected }: Count, maxApps: number): GroupEffect {
  return {
    ...transition,
    isDefault: (group?.before?.group.isDefault ?? false) || (group?.after?.group.isDefault ?? false),
    appCount: apps.length,
    apps: firstByName(apps, maxApps),
    rpcs: [...rpcs.values()].map(describeRpc).sort(byRank),
    rejected: [...rejected.values()].sort((a, b) => b.appCount - a.appCount),
  };
}

/** If an RPC changes for some app, only the changes are listed; otherwise everything that the group has. */
function describeRpc({ name, kind, appCount, rejectedCount, builds, rights }: RpcCount): RpcEffect {
  const told = [...rights.values()].filter(({ isOfApps }) => isOfApps || appCount === 0);
  const levels = new Set(told.flatMap(({ level, parameter }) => (parameter === null ? level : [])));
  return {
    name,
    ...{ kind, appCount, rejectedCount },
    builds: carBuilds.filter((build) => builds.has(build)),
    levels: hmiLevels.filter((level) => levels.has(level)),
    parameters: distinct(told.flatMap(({ parameter }) => parameter ?? [])),
  };
}

function byRank(a: RpcEffect, b: RpcEffect): number {
  const rank = ({ kind, name, appCount, parameters }: RpcEffect) => {
    // Without registration, an app can call nothing else.
    const risk = kind === "lost" && name === registrationRpc ? -1 : riskRank(name, parameters);
    return (kind === "lost" ? 0 : 1000) + (appCount > 0 ? 0 : 100) + risk;
  };
  return rank(a) - rank(b) || byLowerCase(a.name, b.name);
}

export function nameOfApp({ uuid, accepted, staged }: SnapshotApp): string {
  return (accepted ?? staged)?.displayNames[0] ?? uuid;
}

export function firstByName(apps: readonly SnapshotApp[], max: number): SnapshotApp[] {
  return apps
    .map((app) => ({ app, name: nameOfApp(app) }))
    .sort((a, b) => byLowerCase(a.name, b.name) || byLowerCase(a.app.uuid, b.app.uuid))
    .slice(0, max)
    .map(({ app }) => app);
}

/** Unintended effects in vehicles, for all apps (`head-unit-rules.md` C1 to C3, C15). Awaits `pace` after each app. */
export async function findChangeSurprises(
  { changed, compareApp, table }: GroupComparison,
  apps: Iterable<SnapshotApp>,
  cars: CarPark,
  pace: () => Promise<void>,
): Promise<CountedFinding[]> {
  // Equal apps share one effect.
  const counts = new Map<AppEffect, number>();
  for (const app of apps) {
    const effect = compareApp(app);
    if (effect?.isHolder) counts.set(effect, (counts.get(effect) ?? 0) + 1);
    await pace();
  }
  const sets = Array.from(counts, ([{ groups }, appCount]) => ({ names: groups, appCount }));
  const names = new Set(changed.map(({ name }) => name));
  const found = await countPermitFindings(table, sets, cars, pace);
  return found.filter(({ finding }) => finding.groups.some((name) => names.has(name)));
}
