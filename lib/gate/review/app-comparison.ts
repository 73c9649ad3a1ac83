import { type FindAppGroups, appGroupFinder } from "@/lib/policy/table/app-groups";
import { buildAppEntry, buildFixedEntries, type AppPolicyContext } from "@/lib/policy/table/app-policies";
import { findInEntry } from "@/lib/policy/checks/findings";
import { subtractFindings } from "@/lib/policy/checks/promotion-check";
import { carsOf, onceForEqualApps } from "@/lib/policy/effect/group-effect";
import type { HeadUnitFinding } from "@/lib/policy/head-unit/head-unit-check";
import { permitTable, type Car, type PermitTable } from "@/lib/policy/permits/car";
import { listApps } from "@/lib/policy/snapshot/app-index";
import { buildGroupings, listedGroups } from "@/lib/policy/table/functional-groupings";
import type { PolicySnapshot, SnapshotApp } from "@/lib/policy/table/snapshot";
import type { ByBuild } from "@/lib/labels/head-units";

/** What a finding says, and about which app. */
export interface AppFinding extends HeadUnitFinding {
  readonly uuid: string;
}

/** What becomes of the production entries of all apps (rule L7). */
export interface AppComparison {
  /** Apps whose entry changes, or a group that they hold; as they would be, in no particular order. */
  readonly changed: readonly SnapshotApp[];
  /** What head units would object to in these entries, and do not today. */
  readonly findings: readonly AppFinding[];
}

/** What the production entries of a snapshot are made of. */
interface Side extends AppPolicyContext {
  /** JSON text of every group that the table lists. */
  readonly groupTexts: ReadonlyMap<string, string>;
  readonly names: readonly string[];
  /** The entry of every app without one of its own, without its closing brace. */
  readonly everyApp: string;
  /** The groups of that entry. */
  readonly everyGroups: readonly string[];
  /** The table in the newest cars of each build; made when somebody asks. */
  readonly cars: () => ByBuild<Car>;
}

const sides = new WeakMap<PolicySnapshot, Side>();

/** Made once for a snapshot. */
export function productionSide(snapshot: PolicySnapshot): Side {
  const known = sides.get(snapshot);
  if (known !== undefined) return known;
  const findGroups: FindAppGroups = appGroupFinder(snapshot, "production");
  const groupTexts = new Map(buildGroupings(snapshot, "production"));
  const listed = listedGroups(snapshot, "production");
  let table: PermitTable | null = null;
  const side = {
    environment: "production",
    findGroups,
    permissions: new Map(snapshot.permissions.map((permission) => [permission.name, permission])),
    groupTexts,
    names: [...groupTexts.keys()],
    everyApp: buildFixedEntries(snapshot, "production").default.slice(0, -1),
    everyGroups: listed.filter(({ isDefault }) => isDefault).map(({ name }) => name),
    cars: () => {
      table ??= permitTable(snapshot, "production");
      return carsOf(table);
    },
  } as const;
  sides.set(snapshot, side);
  return side;
}

/** The entry of an app in production without its closing brace; null: it has none of its own (rules A3 to A5). */
export function entryText(app: SnapshotApp, side: Side): string | null {
  return app.isBlacklisted || app.accepted === null ? null : buildAppEntry(app, app.accepted, side);
}

/**
 * Compares the production entries of all apps before and after a change. Apps that ask for the same and have the same marks
 * are compared once, and only by the groups that differ; only those that get another version have their entries built.
 *
 * @param pace awaited after each app: ten thousands of them must not keep anybody waiting
 */
export async function compareApps(
  before: PolicySnapshot,
  after: PolicySnapshot,
  pace: () => Promise<void>,
): Promise<AppComparison> {
  const [old, now] = [productionSide(before), productionSide(after)];
  const compareGroups = groupComparison(before, after);
  const findings: AppFinding[] = [];
  const find = (app: SnapshotApp, earlier: string | null, later: string | null) => {
    const found = later === null ? [] : findInEntry(app.uuid, later, now.names);
    if (found.length === 0) return;
    const known = [earlier ?? old.everyApp, now.everyApp].map((text) => findInEntry(app.uuid, text, now.names));
    const added = known.reduce<readonly HeadUnitFinding[]>(subtractFindings, found);
    findings.push(...added.map((finding) => ({ ...finding, uuid: app.uuid })));
  };
  const changed: SnapshotApp[] = [];
  let mayBeEmpty = !after.groups.production.some(({ name, isDefault }) => isDefault && now.groupTexts.has(name));
  for (const app of listApps(after.apps)) {
    const earlier = before.apps.byUuid(app.uuid.toLowerCase());
    const groups = compareGroups(app);
    if (earlier === app) {
      if (groups?.isChanged) changed.push(app);
      // Head units look at nothing but the number of an entry's groups. None are left only without a default group, which
      // one app is enough to tell; too many are there only in a table that has too many itself.
      if (groups?.isLost && mayBeEmpty) {
        find(app, entryText(app, old), entryText(app, now));
        mayBeEmpty = findings.length === 0;
      }
    } else {
      const [was, is] = [earlier === undefined ? null : entryText(earlier, old), entryText(app, now)];
      if (was !== is || groups?.isChanged) changed.push(app);
      find(app, was, is);
    }
    await pace();
  }
  return { changed, findings };
}

/** How apps stand to the groups that differ: each group is granted by itself (rules A13 to A22), so others can be left out. */
function groupComparison(before: PolicySnapshot, after: PolicySnapshot) {
  const [old, now] = [productionSide(before).groupTexts, productionSide(after).groupTexts];
  const records = new Map(before.groups.production.map((group) => [group.name, group]));
  const differing = new Set(
    [...before.groups.production, ...after.groups.production].flatMap((group) =>
      old.get(group.name) === now.get(group.name) && records.get(group.name) === group ? [] : group.name,
    ),
  );
  const finder = ({ groups, messages, permissions }: PolicySnapshot) => {
    const production = groups.production.filter(({ name }) => differing.has(name));
    return appGroupFinder({ groups: { staging: [], production }, messages, permissions }, "production");
  };
  const [findBefore, findAfter] = [finder(before), finder(after)];
  return onceForEqualApps("production", (app, version) => {
    const [had, has] = [findBefore(app, version), findAfter(app, version)];
    const isSame = had.length === has.length && had.every((name, at) => name === has[at]);
    return {
      isChanged: !isSame || has.some((name) => old.get(name) !== now.get(name)),
      isLost: had.length > 0 && has.length === 0,
    };
  });
}
