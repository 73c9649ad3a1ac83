import { riskRank } from "@/lib/words/risk";
import type {
  AppEffect,
  ChangedGroup,
  GroupComparison,
  Transition,
  TransitionKind,
} from "@/lib/policy/effect/group-effect";
import type { Right } from "@/lib/policy/effect/group-rights";
import { byLowerCase } from "@/lib/words/order";
import type { SnapshotApp } from "@/lib/policy/table/snapshot";
import { type HmiLevel, hmiLevels, registrationRpc } from "@/lib/words/vocabulary";

/** An RPC that apps get or lose with a group. */
export interface RpcEffect {
  readonly name: string;
  readonly kind: "gained" | "lost";
  readonly levels: readonly HmiLevel[];
  readonly parameters: readonly string[];
  /** How many apps get something of it through no other group, or have it through none any more; 0: nothing changes. */
  readonly appCount: number;
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

/** What becomes of the rights that only one side has. */
interface RightCounts {
  readonly kind: RpcEffect["kind"];
  /** How many apps really get or lose each of them. */
  readonly rights: Map<Right, number>;
  /** By RPC, how many apps get or lose something of it. */
  readonly rpcs: Map<string, number>;
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
 * @param mostApps how many apps are named in each effect
 */
export async function summarizeEffect(
  { changed, compareApp }: GroupComparison,
  apps: Iterable<SnapshotApp>,
  { pace, mostApps }: { readonly pace: () => Promise<void>; readonly mostApps: number },
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
  const effects = [...counts.values()].map((count) => describe(count, byName.get(count.transition.group), mostApps));
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
  const { before, after } = readSides(group, transition.kind);
  return {
    transition,
    apps: [],
    lost: startRights("lost", before, after),
    gained: startRights("gained", after, before),
  };
}

/** The rights that only one side has, none of them counted yet. */
function startRights(kind: RpcEffect["kind"], side: ReadonlySet<Right>, other: ReadonlySet<Right>): RightCounts {
  const rights = [...side].filter((right) => !other.has(right));
  return {
    kind,
    rights: new Map(rights.map((right) => [right, 0])),
    rpcs: new Map(rights.map(({ rpc }) => [rpc, 0])),
  };
}

const nothing: ReadonlySet<Right> = new Set();

/** What the group allows the apps before and afterwards. */
function readSides(group: ChangedGroup | undefined, kind: TransitionKind) {
  return {
    before: kind === "gained" ? nothing : (group?.before?.rights.all ?? nothing),
    after: kind === "lost" ? nothing : (group?.after?.rights.all ?? nothing),
  };
}

/** Counts which of the rights really change for these apps. */
function countRights({ rights, rpcs }: RightCounts, really: ReadonlySet<Right>, apps: number): void {
  const touched = new Set<string>();
  // The smaller set is gone through: there may be thousands of apps.
  const [few, others] = really.size < rights.size ? [really, rights] : [rights, really];
  for (const right of few.keys()) {
    if (!others.has(right)) continue;
    rights.set(right, (rights.get(right) ?? 0) + apps);
    touched.add(right.rpc);
  }
  for (const rpc of touched) rpcs.set(rpc, (rpcs.get(rpc) ?? 0) + apps);
}

function describe(count: Count, group: ChangedGroup | undefined, mostApps: number): GroupEffect {
  const { transition, apps } = count;
  const nameOf = (app: SnapshotApp) => (app.accepted ?? app.staged)?.displayNames[0] ?? app.uuid;
  return {
    ...transition,
    isDefault: (group?.before?.group.isDefault ?? false) || (group?.after?.group.isDefault ?? false),
    appCount: apps.length,
    apps: apps.toSorted((a, b) => byLowerCase(nameOf(a), nameOf(b))).slice(0, mostApps),
    rpcs: [...describeRpcs(count.lost), ...describeRpcs(count.gained)],
  };
}

/** Of an RPC that changes for some app only what changes is told; of another one all that the group has. */
function describeRpcs({ kind, rights, rpcs }: RightCounts): RpcEffect[] {
  const told = Array.from(rpcs, ([name, appCount]): RpcEffect => {
    const own = [...rights].filter(([right, apps]) => right.rpc === name && (apps > 0 || appCount === 0));
    const levels = new Set(own.map(([{ level }]) => level));
    return {
      name,
      kind,
      appCount,
      levels: hmiLevels.filter((level) => levels.has(level)),
      parameters: own.flatMap(([{ parameter }]) => parameter ?? []),
    };
  });
  // Without it nothing else can be called.
  const isFirst = (name: string) => kind === "lost" && name === registrationRpc;
  const rank = ({ appCount, name, parameters }: RpcEffect) =>
    (appCount > 0 ? 0 : 100) + (isFirst(name) ? -1 : riskRank(name, parameters));
  return told.sort((a, b) => rank(a) - rank(b) || byLowerCase(a.name, b.name));
}
