"one per process";

import { isDeepStrictEqual } from "node:util";
import { oncePer } from "@/lib/platform/once-per";
import { appGroupFinder, type FindAppGroups } from "@/lib/policy/table/app-groups";
import { buildAppEntry, entrySide, readEntryFacts, type EntrySide } from "@/lib/policy/table/app-policies";
import { findInEntry } from "@/lib/policy/checks/findings";
import { subtractFindings } from "@/lib/policy/checks/promotion-check";
import { onceForEqualApps } from "@/lib/policy/effect/group-effect";
import {
  leftOf,
  listPermitChanges,
  listRejectedGains,
  type RestrictedPermits,
} from "@/lib/policy/effect/permit-changes";
import { servedState, type Side as PermitSide, sideOf } from "@/lib/policy/effect/side";
import type { HeadUnitFinding } from "@/lib/policy/head-unit/head-unit-check";
import type { JsonObject } from "@/lib/policy/head-unit/values";
import { permitsOfBuilds, carsOf, onlyRpcs } from "@/lib/policy/permits/car";
import { carSettings, isConditional, type Restriction, restrictionOf } from "@/lib/policy/permits/conditions";
import { listApps } from "@/lib/policy/snapshot/app-index";
import { buildGroupings } from "@/lib/policy/table/functional-groupings";
import type { PolicySnapshot, SnapshotApp, SnapshotAppVersion } from "@/lib/policy/table/snapshot";
import type { ChangedAppAnswer } from "@/lib/releases/answer-schema";
import { listFieldChanges } from "@/lib/releases/fields";
import { type CarBuild, carBuilds } from "@/lib/vocabulary/head-units";
import type { ReviewedItem } from "@/lib/vocabulary/release-items";

export interface AppFinding extends HeadUnitFinding {
  readonly app: SnapshotApp;
}

export interface AppComparison {
  /** Apps whose entry, groups or limits of notifications change, as they would be; in no particular order. */
  readonly changed: readonly SnapshotApp[];
  readonly findings: readonly AppFinding[];
}

interface Side extends EntrySide, PermitSide {
  /** JSON text of every group in the table. */
  readonly groupTexts: ReadonlyMap<string, string>;
}

export const productionSide = oncePer((snapshot: PolicySnapshot): Side => {
  const side = sideOf(snapshot, "production");
  const groupTexts = new Map(buildGroupings(snapshot, "production").map(({ name, json }) => [name, json]));
  return { ...entrySide(snapshot, "production", side.findGroups), ...side, groupTexts };
});

/** An app's production entry without its closing brace; null: it has none of its own. */
export function entryText(app: SnapshotApp, side: Side): string | null {
  return app.isBlacklisted || app.accepted === null ? null : buildAppEntry(app, app.accepted, side);
}

/**
 * Compares apps with equal requested permissions and flags once, and only by the groups that differ. Builds entries
 * only for apps that get another version. Awaits `pace` after each app, because there may be ten thousand.
 */
export async function compareApps(
  before: PolicySnapshot,
  after: PolicySnapshot,
  pace: () => Promise<void>,
): Promise<AppComparison> {
  const [old, now] = [productionSide(before), productionSide(after)];
  const compareGroups = groupComparison(before, after);
  const isFreed = conditionComparison(before, after);
  const findings: AppFinding[] = [];
  const find = (app: SnapshotApp, earlier: string | null, later: string | null) => {
    const found = later === null ? [] : findInEntry(app.uuid, later, now.names);
    if (found.length === 0) return;
    const known = [earlier ?? old.everyApp, now.everyApp].map((text) => findInEntry(app.uuid, text, now.names));
    const added = known.reduce<readonly HeadUnitFinding[]>(subtractFindings, found);
    findings.push(...added.map((finding) => ({ ...finding, app })));
  };
  const changed: SnapshotApp[] = [];
  let mayBeEmpty = !after.groups.production.some(({ name, isDefault }) => isDefault && now.groupTexts.has(name));
  for (const app of listApps(after.apps)) {
    const earlier = before.apps.byUuid(app.uuid.toLowerCase());
    const groups = compareGroups(app);
    if (earlier === app) {
      if (groups?.isChanged || isFreed(app)) changed.push(app);
      // Head units check only the number of groups in an entry. It can drop to none only without a default group, which one
      // app is enough to detect. It can be too large only if the table itself has too many groups.
      if (groups?.isLost && mayBeEmpty) {
        find(app, entryText(app, old), entryText(app, now));
        mayBeEmpty = findings.length === 0;
      }
    } else {
      const [was, is] = [earlier === undefined ? null : entryText(earlier, old), entryText(app, now)];
      if (was !== is || groups?.isChanged || isFreed(app)) changed.push(app);
      find(app, was, is);
    }
    await pace();
  }
  return { changed, findings };
}

/** Whether apps without an entry of their own, known or not, get something else. */
export function isDefaultChanged(before: PolicySnapshot, after: PolicySnapshot): boolean {
  const textOf = ({ everyApp, everyGroups, groupTexts }: Side) =>
    JSON.stringify([everyApp, everyGroups.map((name) => groupTexts.get(name))]);
  return before !== after && textOf(productionSide(before)) !== textOf(productionSide(after));
}

/** Names of the groups that another record defines, or that are another way in the table. */
export function findDifferingGroups(before: PolicySnapshot, after: PolicySnapshot): ReadonlySet<string> {
  const [old, now] = [productionSide(before).groupTexts, productionSide(after).groupTexts];
  const records = new Map(before.groups.production.map((group) => [group.name, group]));
  return new Set(
    [...before.groups.production, ...after.groups.production].flatMap((group) =>
      old.get(group.name) === now.get(group.name) && records.get(group.name) === group ? [] : group.name,
    ),
  );
}

/** Which of some production groups apps have. Others do not matter, because each is granted independently. */
export function someGroupsFinder(
  { groups, messages, permissions }: PolicySnapshot,
  isWanted: (name: string) => boolean,
): FindAppGroups {
  const production = groups.production.filter(({ name }) => isWanted(name));
  return appGroupFinder({ groups: { staging: [], production }, messages, permissions }, "production");
}

/** Ten thousand times, `isDeepStrictEqual` takes noticeably longer. */
export const areSameGroups = (these: readonly string[], others: readonly string[]): boolean =>
  these.length === others.length && these.every((name, at) => name === others[at]);

/** Compares apps by the groups that differ. */
function groupComparison(before: PolicySnapshot, after: PolicySnapshot) {
  const [old, now] = [productionSide(before).groupTexts, productionSide(after).groupTexts];
  const differing = findDifferingGroups(before, after);
  const finder = (state: PolicySnapshot) => someGroupsFinder(state, (name) => differing.has(name));
  const [findBefore, findAfter] = [finder(before), finder(after)];
  return onceForEqualApps("production", (app, version) => {
    const [had, has] = [findBefore(app, version), findAfter(app, version)];
    return {
      isChanged: !areSameGroups(had, has) || has.some((name) => old.get(name) !== now.get(name)),
      isLost: had.length > 0 && has.length === 0,
    };
  });
}

/** Whether cars reject more or less of what an app's groups permit, because limits of notifications change (C16). */
function conditionComparison(before: PolicySnapshot, after: PolicySnapshot): (app: SnapshotApp) => boolean {
  const [old, now] = [carSettings(before, "production"), carSettings(after, "production")];
  if (isDeepStrictEqual(old.limits, now.limits)) return () => false;
  const { table, findGroups, permissions } = productionSide(after);
  const cars = carsOf(onlyRpcs(table(), isConditional));
  const restrictionsOf = (app: SnapshotApp, version: SnapshotAppVersion) => {
    const facts = readEntryFacts(app, version, permissions);
    return [restrictionOf(facts, old), restrictionOf(facts, now)] as const;
  };
  const compare = onceForEqualApps(
    "production",
    (app, version) => {
      const [was, is] = restrictionsOf(app, version);
      const differing = [...listOnly(was, is), ...listOnly(is, was)];
      if (differing.length === 0) return false;
      const permits = permitsOfBuilds(cars, findGroups(app, version));
      return differing.some(({ rpc, levels }) =>
        carBuilds.some((build) => levels.some((level) => (permits[build].get(rpc)?.[level] ?? "no") !== "no")),
      );
    },
    (app, version) =>
      restrictionsOf(app, version)
        .map(({ key }) => key)
        .join(),
  );
  return (app) => compare(app) === true;
}

const listOnly = (these: Restriction, others: Restriction) =>
  these.rejections.filter(({ rpc, condition }) =>
    others.rejections.every((one) => one.rpc !== rpc || one.condition.rule !== condition.rule),
  );

type AppEffect = Omit<ChangedAppAnswer, "uuid" | "name">;

export function compareApp(
  before: PolicySnapshot,
  after: PolicySnapshot,
  uuidKey: string,
  builds: readonly CarBuild[] = carBuilds,
): AppEffect {
  const [old, now] = [readState(before, uuidKey, after), readState(after, uuidKey, before)];
  return {
    groups_gained: now.groups.filter((name) => !old.groups.includes(name)),
    groups_lost: old.groups.filter((name) => !now.groups.includes(name)),
    rights: listPermitChanges(leftOf(old), leftOf(now), builds),
    rejected: listRejectedGains(old, now, builds),
    fields: listFieldChanges(old.entry, now.entry),
  };
}

interface AppState extends RestrictedPermits {
  readonly groups: readonly string[];
  readonly entry: object | null;
}
const nothing = { groups: [], entry: null } as const;

function readState(snapshot: PolicySnapshot, uuidKey: string, other: PolicySnapshot): AppState {
  const side = productionSide(snapshot);
  const app = snapshot.apps.byUuid(uuidKey);
  const stateIn = ({ apps }: PolicySnapshot) => servedState(apps.byUuid(uuidKey) ?? null, "production");
  const restriction = side.findRestriction(stateIn(snapshot), stateIn(other));
  const text = app === undefined ? null : entryText(app, side);
  // Without an entry of its own, an app gets the entry `default`, unless it is blocked.
  if (!app?.accepted || text === null) {
    return {
      ...nothing,
      restriction,
      permits: permitsOfBuilds(side.cars(), app?.isBlacklisted ? [] : side.everyGroups),
    };
  }
  const groups = side.findGroups(app, app.accepted);
  return {
    groups,
    restriction,
    permits: permitsOfBuilds(side.cars(), groups),
    entry: JSON.parse(`${text}}`) as JsonObject,
  };
}

/** The apps whose production entries differ, apart from the content of their groups. */
export function changedApps(before: PolicySnapshot, after: PolicySnapshot): ReviewedItem[] {
  const [old, now] = [productionSide(before), productionSide(after)];
  const entryOf = (app: SnapshotApp | undefined, side: typeof old) =>
    app === undefined ? null : app.isBlacklisted ? "null" : entryText(app, side);
  return [...listApps(after.apps)].flatMap((app) => {
    const was = before.apps.byUuid(app.uuid.toLowerCase());
    if (was === app || entryOf(was, old) === entryOf(app, now)) return [];
    return [{ family: "app", key: app.uuid, id: app.accepted?.id ?? 0 } as const];
  });
}
