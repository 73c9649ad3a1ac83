import { oncePer } from "@/lib/platform/once-per";
import type { RejectedCallsJson } from "@/lib/policy/answer/answer-schema";
import { restrictionFinder, servedState } from "@/lib/policy/effect/version-effect";
import { onceForEqualApps } from "@/lib/policy/effect/group-effect";
import {
  leftOf,
  listPermitChanges,
  listRejectedGains,
  type RestrictedPermits,
  type RpcChange,
} from "@/lib/policy/effect/permit-changes";
import { type AreaChange, type Asked, changesByArea, newlyAsked } from "@/lib/policy/effect/rights-by-area";
import { askBoth, type Car, carsOf, onlyDifferences } from "@/lib/policy/permits/car";
import { isConditional, type Restriction } from "@/lib/policy/permits/conditions";
import type { Permits } from "@/lib/policy/permits/permits";
import type { PolicySnapshot, SnapshotApp } from "@/lib/policy/table/snapshot";
import { productionSide } from "@/lib/releases/review/app-comparison";
import type { ByBuild, CarBuild } from "@/lib/vocabulary/head-units";
import { riskKinds } from "@/lib/vocabulary/risk";
import { registrationRpc } from "@/lib/vocabulary/terms";

export interface TableRisk {
  readonly rights: readonly RpcChange[];
  readonly areas: readonly AreaChange[];
  readonly rejected: readonly RejectedCallsJson[];
  readonly asked: readonly Asked[];
  /** `all`: it can do nothing any more; `own`: it has only the permissions of every app; null: it keeps some of its own. */
  readonly loss: "all" | "own" | null;
}

export type TableRisks = ReadonlyMap<SnapshotApp, TableRisk>;

/** Effects by what vehicles permit; apps with the same groups and conditions share one. `apps` are as they would be. */
export async function findTableRisks(
  before: PolicySnapshot,
  after: PolicySnapshot,
  { apps, builds }: { readonly apps: Iterable<SnapshotApp>; readonly builds: readonly CarBuild[] },
  pace: () => Promise<void>,
): Promise<TableRisks> {
  const [old, now] = [reachesOfApps(before), reachesOfApps(after)];
  const compare = comparison(old, now, builds);
  const known = new Map<Reach, Map<Reach, TableRisk>>();
  const risks = new Map<SnapshotApp, TableRisk>();
  for (const app of apps) {
    const earlier = before.apps.byUuid(app.uuid.toLowerCase());
    const [had, has] = [old.find(earlier, app), now.find(app, earlier)];
    const ofSame = known.get(had) ?? new Map<Reach, TableRisk>();
    const risk = ofSame.get(has) ?? compare(had, has);
    known.set(had, ofSame.set(has, risk));
    risks.set(app, risk);
    await pace();
  }
  return risks;
}

interface Reach {
  readonly groups: readonly string[];
  readonly restriction: Restriction;
}
const none: readonly string[] = [];
type Side = ReturnType<typeof reachesOfApps>;

function reachesOfApps(snapshot: PolicySnapshot) {
  const { table, cars, everyGroups, findGroups } = productionSide(snapshot);
  const findRestriction = restrictionFinder(snapshot, "production");
  const findOwn = onceForEqualApps("production", findGroups);
  const lists = new Map(table().groups.map(({ name, rpcs }) => [name, new Set(rpcs.map((rpc) => rpc.name))]));
  // By list, not by names: apps with the same names on it as every app are asked about them if the list is their own.
  const knownOf = oncePer((_groups: readonly string[]) => new Map<string, Reach>());
  /** What an app's groups don't list anyway makes no difference. */
  const share = (known: Map<string, Reach>, reach: Reach): Reach => {
    const isListed = (rpc: string) => reach.groups.some((name) => lists.get(name)?.has(rpc));
    const rejections = reach.restriction.rejections.filter(({ rpc }) => isListed(rpc));
    const key = rejections.map(({ rpc, condition }) => `${rpc} ${condition.message}`).join();
    const shared = known.get(key) ?? reach;
    known.set(key, shared);
    return shared;
  };
  return {
    table,
    cars,
    everyGroups,
    /** An app without an entry has the default groups, a blocked app none. `other` is the app in the other state. */
    find: (app: SnapshotApp | undefined, other: SnapshotApp | undefined): Reach => {
      const [state, there] = [servedState(app ?? null, "production"), servedState(other ?? null, "production")];
      const groups = app?.isBlacklisted ? none : ((app && findOwn(app)) ?? everyGroups);
      const restriction = findRestriction(state, there);
      const known = knownOf(groups);
      const reach = known.get(restriction.key) ?? share(known, { groups, restriction });
      known.set(restriction.key, reach);
      return reach;
    },
    /** The groups for which vehicles may ask drivers, which excludes the groups of every app. */
    askingFor: ({ groups }: Reach) => {
      const { external } = cars();
      return groups === everyGroups ? [] : groups.flatMap((name) => external.groups.get(name) ?? []);
    },
  };
}

function comparison(old: Side, now: Side, builds: readonly CarBuild[]) {
  // What an app gains and loses mostly depends on few RPCs. Evaluating all of them takes many times as long.
  const [reducedOld, reducedNow] = onlyDifferences(old.table(), now.table(), isConditional)?.map(carsOf) ?? [];
  const names = new Set(old.table().groups.map(({ name }) => name));
  const inBoth = new Set(now.table().groups.flatMap(({ name }) => (names.has(name) ? name : [])));
  const keeps = (some: readonly string[], others: readonly string[]) => {
    const known = new Set(others);
    return some.every((name) => known.has(name) || !inBoth.has(name));
  };
  const read = (cars: ByBuild<Car>, { groups, restriction }: Reach): RestrictedPermits => ({
    ...{ permits: askBoth(cars, groups), restriction },
  });
  return (had: Reach, has: Reach): TableRisk => {
    // All RPCs of a group that is only in one of the tables differ.
    const hasSame = keeps(had.groups, has.groups) && keeps(has.groups, had.groups);
    const was = read((hasSame && reducedOld) || old.cars(), had);
    const is = read((hasSame && reducedNow) || now.cars(), has);
    const rights = listPermitChanges(leftOf(was), leftOf(is), builds);
    const wasWhole = () => leftOf(read(old.cars(), had));
    const isWhole = () => leftOf(read(now.cars(), has));
    return {
      rights,
      rejected: listRejectedGains(was, is, builds),
      areas: changesByArea(rights, wasWhole, isWhole, builds),
      asked: newlyAsked(old.askingFor(had), now.askingFor(has), builds),
      loss: rights.some(({ kind }) => kind === "lost")
        ? lossOf(wasWhole(), isWhole(), builds, () => isOwnLost(old, had.groups, now, has.groups))
        : null,
    };
  };
}

/** Without registration, an app can do nothing else. */
function lossOf(
  was: ByBuild<Permits>,
  is: ByBuild<Permits>,
  builds: readonly CarBuild[],
  isOwn: () => boolean,
): TableRisk["loss"] {
  const isDead = (build: CarBuild) =>
    is[build].size === 0 || (was[build].has(registrationRpc) && !is[build].has(registrationRpc));
  if (builds.every(isDead)) return "all";
  return isOwn() ? "own" : null;
}

function isOwnLost(old: Side, had: readonly string[], now: Side, has: readonly string[]): boolean {
  return had.some((name) => !old.everyGroups.includes(name)) && has.every((name) => now.everyGroups.includes(name));
}

/** The order of apps: those that lose everything, lose something, newly ask drivers for consent, gain something. */
export function compareTableRisks(one: TableRisk, other: TableRisk): number {
  return rankOf(one) - rankOf(other);
}

/** Within each kind, the riskiest area first; of apps that ask, those that gain nothing last. */
function rankOf({ loss, areas, asked }: TableRisk): number {
  const first = (kind: AreaChange["kind"]) => {
    const ranks = areas.flatMap((one) => (one.kind === kind ? riskKinds.indexOf(one.area) : []));
    return ranks.length === 0 ? null : Math.min(...ranks);
  };
  const [lost, gained] = [first("lost"), first("gained")];
  const none = riskKinds.length;
  const asking = asked.length > 0 ? (gained ?? none) : null;
  const kinds = [loss === "all" ? 0 : null, loss === "own" ? 0 : null, lost, asking, gained];
  const kind = kinds.findIndex((rank) => rank !== null);
  return kind < 0 ? kinds.length * (none + 1) : kind * (none + 1) + (kinds[kind] ?? 0);
}
