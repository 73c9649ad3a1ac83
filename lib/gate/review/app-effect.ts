import { askBoth } from "@/lib/policy/effect/group-effect";
import { comparePermits, listByRpc, RightTable } from "@/lib/policy/effect/group-rights";
import type { Permits } from "@/lib/policy/permits/permits";
import type { PolicySnapshot, SnapshotApp } from "@/lib/policy/table/snapshot";
import type { ChangedAppAnswer } from "@/lib/content/releases/answer-schema";
import { entryText, productionSide } from "@/lib/gate/review/app-comparison";
import { listFieldChanges } from "@/lib/content/releases/fields";
import { type ByBuild, type CarBuild, carBuilds } from "@/lib/labels/head-units";

/** What becomes of one app in production (rule L7), its names and ids aside. */
export type AppEffect = Omit<ChangedAppAnswer, "uuid" | "name">;

/**
 * Compares what one app may do in production before and after: groups, what cars permit by them, and its entry in the
 * policy table.
 *
 * @param uuidKey the app's uuid in lower case; an unknown one has nothing before and after
 * @param builds those whose cars count
 */
export function compareApp(
  before: PolicySnapshot,
  after: PolicySnapshot,
  uuidKey: string,
  builds: readonly CarBuild[] = carBuilds,
): AppEffect {
  const [old, now] = [readState(before, uuidKey), readState(after, uuidKey)];
  const { gained, lost } = comparePermits(old.permits, now.permits, builds, new RightTable());
  return {
    groups_gained: now.groups.filter((name) => !old.groups.includes(name)),
    groups_lost: old.groups.filter((name) => !now.groups.includes(name)),
    rights: [...listByRpc("lost", lost), ...listByRpc("gained", gained)],
    fields: listFieldChanges(old.entry, now.entry),
  };
}

interface AppState {
  readonly groups: readonly string[];
  readonly permits: ByBuild<Permits>;
  readonly entry: object | null;
}
const nothing = { groups: [], entry: null } as const;
const nobody: ByBuild<Permits> = { regular: new Map(), external: new Map() };

function readState(snapshot: PolicySnapshot, uuidKey: string): AppState {
  const side = productionSide(snapshot);
  const app: SnapshotApp | undefined = snapshot.apps.byUuid(uuidKey);
  if (app?.isBlacklisted) return { ...nothing, permits: nobody };
  const text = app === undefined ? null : entryText(app, side);
  // Without an entry of its own it may do what every such app may (rule A5).
  if (!app?.accepted || text === null) return { ...nothing, permits: askBoth(side.cars(), side.everyGroups) };
  const groups = side.findGroups(app, app.accepted);
  const entry: unknown = JSON.parse(`${text}}`);
  return { groups, permits: askBoth(side.cars(), groups), entry: typeof entry === "object" ? entry : null };
}
