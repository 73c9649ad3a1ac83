"one per process";

import { oncePer } from "@/lib/platform/once-per";
import { carsOf, permitTable, type Car, type PermitTable } from "@/lib/policy/permits/car";
import { carSettings, defaultEntryFor, type Restriction, restrictionOf } from "@/lib/policy/permits/conditions";
import { appGroupFinder, type FindAppGroups } from "@/lib/policy/table/app-groups";
import { fixedGroups, permissionsByName, readDefaultFacts, readEntryFacts } from "@/lib/policy/table/app-policies";
import type { PolicySnapshot, SnapshotApp, SnapshotAppVersion } from "@/lib/policy/table/snapshot";
import type { ByBuild } from "@/lib/vocabulary/head-units";
import type { Environment } from "@/lib/vocabulary/terms";

/** How an environment serves an app. */
export interface ServedState {
  readonly isBlocked: boolean;
  readonly isAdministratorApp: boolean;
  readonly priority: SnapshotApp["priority"];
  /** Null: it has no entry of its own. */
  readonly version: SnapshotAppVersion | null;
}

/** @param app null: unknown there */
export function servedState(app: SnapshotApp | null, environment: Environment): ServedState {
  return {
    isBlocked: app?.isBlacklisted ?? false,
    isAdministratorApp: app?.isAdministratorApp ?? false,
    priority: app?.priority ?? null,
    version: (environment === "production" ? app?.accepted : app?.staged) ?? null,
  };
}

/** What cars permit apps in one environment of a snapshot; its parts are made when they are first used. */
export interface Side {
  readonly table: () => PermitTable;
  readonly cars: () => ByBuild<Car>;
  /** The groups of apps without an entry of their own. */
  readonly everyGroups: readonly string[];
  readonly findGroups: FindAppGroups;
  /** What cars reject (`head-unit-rules.md` C16 to C22). An app without a version has the types of its other state. */
  readonly findRestriction: (state: ServedState, other: ServedState) => Restriction;
}

const sides = oncePer((_snapshot: PolicySnapshot) => new Map<Environment, Side>());

export function sideOf(snapshot: PolicySnapshot, environment: Environment): Side {
  const made = sides(snapshot);
  const side = made.get(environment) ?? makeSide(snapshot, environment);
  made.set(environment, side);
  return side;
}

function makeSide(snapshot: PolicySnapshot, environment: Environment): Side {
  let read: PermitTable | undefined;
  const table = () => (read ??= permitTable(snapshot, environment));
  return {
    table,
    cars: () => carsOf(table()),
    everyGroups: fixedGroups(snapshot, environment, "default"),
    findGroups: appGroupFinder(snapshot, environment),
    findRestriction: restrictionFinder(snapshot, environment),
  };
}

function restrictionFinder(snapshot: PolicySnapshot, environment: Environment): Side["findRestriction"] {
  const permissions = permissionsByName(snapshot.permissions);
  const everyEntry = readDefaultFacts(snapshot, environment);
  const settings = carSettings(snapshot, environment);
  const ownEntry = (state: ServedState) =>
    state.version === null ? null : readEntryFacts(state, state.version, permissions);
  return (state, other) => {
    const entry = state.isBlocked ? null : (ownEntry(state) ?? defaultEntryFor(everyEntry, ownEntry(other)));
    return restrictionOf(entry, settings);
  };
}
