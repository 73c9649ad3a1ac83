import { isDeepStrictEqual } from "node:util";
import type { RejectedCallsJson } from "@/lib/policy/answer/answer-schema";
import { onceForEqualApps } from "@/lib/policy/effect/group-effect";
import { leftOf, listPermitChanges, listRejectedGains, type RpcChange } from "@/lib/policy/effect/permit-changes";
import {
  type AreaChange,
  type NewPrompt,
  findNewPrompts,
  type PermitSource,
  rightsByArea,
} from "@/lib/policy/effect/rights-by-area";
import { servedState } from "@/lib/policy/effect/side";
import { permitsOfBuilds, type Car, carsOf, onlyRpcs, type PermitTable } from "@/lib/policy/permits/car";
import { carSettings, isConditional, type Restriction, unrestricted } from "@/lib/policy/permits/conditions";
import type { PolicySnapshot, SnapshotApp } from "@/lib/policy/table/snapshot";
import {
  areSameGroups,
  findDifferingGroups,
  productionSide,
  someGroupsFinder,
} from "@/lib/releases/review/app-comparison";
import type { ByBuild, CarBuild } from "@/lib/vocabulary/head-units";
import { distinct } from "@/lib/vocabulary/order";
import { riskKinds } from "@/lib/vocabulary/risk";
import { registrationRpc } from "@/lib/vocabulary/terms";

export interface TableRisk {
  readonly rights: readonly RpcChange[];
  readonly areas: readonly AreaChange[];
  readonly rejected: readonly RejectedCallsJson[];
  readonly asked: readonly NewPrompt[];
  /** `all`: it can do nothing any more; `own`: it has only the permissions of every app; null: it keeps some of its own. */
  readonly loss: "all" | "own" | null;
}

export type TableRisks = ReadonlyMap<SnapshotApp, TableRisk>;

/** Effects by what vehicles permit. `apps` are as they would be. */
export async function findTableRisks(
  before: PolicySnapshot,
  after: PolicySnapshot,
  { apps, builds }: { readonly apps: Iterable<SnapshotApp>; readonly builds: readonly CarBuild[] },
  pace: () => Promise<void>,
): Promise<TableRisks> {
  const compare = comparison(before, after, builds);
  const risks = new Map<SnapshotApp, TableRisk>();
  for (const app of apps) {
    risks.set(app, compare(before.apps.byUuid(app.uuid.toLowerCase()), app));
    await pace();
  }
  return risks;
}

type App = SnapshotApp | undefined;

/** The tables before and after, or as much of them as an effect depends on. */
interface Scope {
  readonly old: ScopeSide;
  readonly now: ScopeSide;
}

interface ScopeSide {
  readonly cars: () => ByBuild<Car>;
  /** An app without an entry has the default groups, a blocked app none. */
  readonly groupsOf: (app: App) => readonly string[];
  /** `other`: the app in the other state. */
  readonly restrictionOf: (app: App, other: App) => Restriction;
}

const none: readonly string[] = [];
const hasEntry = (app: App) => app !== undefined && !app.isBlacklisted && app.accepted !== null;

function wholeSide(snapshot: PolicySnapshot): ScopeSide {
  const { cars, everyGroups, findGroups, findRestriction } = productionSide(snapshot);
  const findOwn = onceForEqualApps("production", findGroups);
  return {
    cars,
    groupsOf: (app) => (app?.isBlacklisted ? none : ((app && findOwn(app)) ?? everyGroups)),
    restrictionOf: (app, other) =>
      findRestriction(servedState(app ?? null, "production"), servedState(other ?? null, "production")),
  };
}

/**
 * What the effect on an app depends on. Vehicles judge each RPC separately, so for an app with the same version these are the
 * groups with an RPC of those that differ. All if the vehicle data differs, which any RPC may list.
 */
function scopeFinder(before: PolicySnapshot, after: PolicySnapshot, whole: Scope) {
  const [old, now] = [productionSide(before).table(), productionSide(after).table()];
  if (before.permissions !== after.permissions || !isDeepStrictEqual(old.items, now.items)) return () => whole;
  const differing = findDifferingGroups(before, after);
  const rpcsOf = ({ groups }: PermitTable, name: string) =>
    new Map(groups.find((group) => group.name === name)?.rpcs.map((rpc) => [rpc.name, JSON.stringify(rpc)]));
  const rpcs = [...differing].flatMap((name) => {
    const [was, is] = [rpcsOf(old, name), rpcsOf(now, name)];
    return distinct([...was.keys(), ...is.keys()]).map((rpc) => ({ rpc, isSame: was.get(rpc) === is.get(rpc) }));
  });
  const makeScope = (some: typeof rpcs) =>
    narrowScope(before, after, whole, { differing, rpcs: new Set(some.map(({ rpc }) => rpc)) });
  // Of a group that it keeps, an app gains and loses only what differs; of another one, everything.
  const [ofKept, ofAll] = [makeScope(rpcs.filter(({ isSame }) => !isSame)), makeScope(rpcs)];
  const finder = (state: PolicySnapshot) => someGroupsFinder(state, (name) => differing.has(name));
  const [findBefore, findAfter] = [finder(before), finder(after)];
  return (earlier: App, app: SnapshotApp): Scope => {
    if (earlier !== app || app.isBlacklisted || app.accepted === null) return whole;
    return areSameGroups(findBefore(app, app.accepted), findAfter(app, app.accepted)) ? ofKept : ofAll;
  };
}

function narrowScope(
  before: PolicySnapshot,
  after: PolicySnapshot,
  whole: Scope,
  { differing, rpcs }: { readonly differing: ReadonlySet<string>; readonly rpcs: ReadonlySet<string> },
): Scope {
  const hasSameConditions = isDeepStrictEqual(carSettings(before, "production"), carSettings(after, "production"));
  const isRestricted = !hasSameConditions || [...rpcs].some(isConditional);
  const isInside = (rpc: string) => rpcs.has(rpc) || (!hasSameConditions && isConditional(rpc));
  const narrow = (snapshot: PolicySnapshot, { restrictionOf }: ScopeSide): ScopeSide => {
    const { groups, items } = onlyRpcs(productionSide(snapshot).table(), isInside);
    const kept = groups.filter(({ name, rpcs: own }) => own.length > 0 || differing.has(name));
    const wanted = new Set(kept.map(({ name }) => name));
    const find = someGroupsFinder(snapshot, (name) => wanted.has(name));
    const reduced: PermitTable = { groups: kept, items };
    return {
      cars: () => carsOf(reduced),
      groupsOf: (app) => (app?.accepted ? find(app, app.accepted) : none),
      restrictionOf: isRestricted ? restrictionOf : () => unrestricted,
    };
  };
  return { old: narrow(before, whole.old), now: narrow(after, whole.now) };
}

function comparison(before: PolicySnapshot, after: PolicySnapshot, builds: readonly CarBuild[]) {
  const whole: Scope = { old: wholeSide(before), now: wholeSide(after) };
  const findScope = scopeFinder(before, after, whole);
  const [everyBefore, everyAfter] = [
    new Set(productionSide(before).everyGroups),
    new Set(productionSide(after).everyGroups),
  ];
  const known = new Map<Scope, Map<string, PermitChanges>>();

  /** Equal for apps with the same groups and conditions in the scope. */
  const changesIn = (scope: Scope, earlier: App, app: App): PermitChanges => {
    const [had, has] = [scope.old.groupsOf(earlier), scope.now.groupsOf(app)];
    const restrictions = [scope.old.restrictionOf(earlier, app), scope.now.restrictionOf(app, earlier)] as const;
    const key = JSON.stringify([had, has, restrictions.map((one) => one.key), hasEntry(earlier), hasEntry(app)]);
    const ofScope = known.get(scope) ?? new Map<string, PermitChanges>();
    known.set(scope, ofScope);
    const found = ofScope.get(key) ?? compare(scope, [had, has], restrictions, [hasEntry(earlier), hasEntry(app)]);
    ofScope.set(key, found);
    return found;
  };
  const compare = (
    { old, now }: Scope,
    [had, has]: readonly [readonly string[], readonly string[]],
    [restrictedBefore, restrictedAfter]: readonly [Restriction, Restriction],
    [wasAsking, isAsking]: readonly [boolean, boolean],
  ): PermitChanges => {
    const was = { permits: permitsOfBuilds(old.cars(), had), restriction: restrictedBefore };
    const is = { permits: permitsOfBuilds(now.cars(), has), restriction: restrictedAfter };
    const asking = ({ cars }: ScopeSide, names: readonly string[], isAsked: boolean) =>
      isAsked ? names.flatMap((name) => cars().external.groups.get(name) ?? []) : [];
    return {
      rights: listPermitChanges(leftOf(was), leftOf(is), builds),
      rejected: listRejectedGains(was, is, builds),
      asked: findNewPrompts(asking(old, had, wasAsking), asking(now, has, isAsking), builds),
    };
  };

  return (earlier: App, app: SnapshotApp): TableRisk => {
    const changes = changesIn(findScope(earlier, app), earlier, app);
    const { rights } = changes;
    if (rights.length === 0) return { ...changes, areas: [], loss: null };
    const was = sourceOf(whole.old, earlier, app);
    const is = sourceOf(whole.now, app, earlier);
    const isOwnLost = () =>
      whole.old.groupsOf(earlier).some((name) => !everyBefore.has(name)) &&
      whole.now.groupsOf(app).every((name) => everyAfter.has(name));
    return {
      ...changes,
      areas: rightsByArea(rights, builds, { gained: was, lost: is }),
      loss: rights.some(({ kind }) => kind === "lost") ? lossOf(was, is, builds, isOwnLost) : null,
    };
  };
}

type PermitChanges = Omit<TableRisk, "areas" | "loss">;

/** What an app may do in a whole table; its groups are found when they are first needed. */
function sourceOf({ cars, groupsOf, restrictionOf }: ScopeSide, app: App, other: App): PermitSource {
  let prepared: ReturnType<typeof prepare> | undefined;
  const prepare = () => {
    const groups = groupsOf(app);
    const { regular, external } = cars();
    const find = { regular: regular.permitFinder(groups), external: external.permitFinder(groups) };
    return { find, restriction: restrictionOf(app, other) };
  };
  return {
    *rpcs() {
      yield* cars().regular.rpcs();
      yield* cars().external.rpcs();
    },
    permit: (rpc, build) => {
      const { find, restriction } = (prepared ??= prepare());
      const permit = find[build](rpc);
      if (permit === null || !isConditional(rpc)) return permit ?? undefined;
      const alone = new Map([[rpc, permit]]);
      return restriction.restrict({ regular: alone, external: alone })[build].get(rpc);
    },
  };
}

/** Without registration, an app can do nothing else. */
function lossOf(
  was: PermitSource,
  is: PermitSource,
  builds: readonly CarBuild[],
  isOwn: () => boolean,
): TableRisk["loss"] {
  const hasAny = (build: CarBuild) => {
    for (const rpc of is.rpcs()) if (is.permit(rpc, build) !== undefined) return true;
    return false;
  };
  const registers = ({ permit }: PermitSource, build: CarBuild) => permit(registrationRpc, build) !== undefined;
  const isDead = (build: CarBuild) => (registers(was, build) && !registers(is, build)) || !hasAny(build);
  if (builds.every(isDead)) return "all";
  return isOwn() ? "own" : null;
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
