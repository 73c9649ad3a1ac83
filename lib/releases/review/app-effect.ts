import { type GroupRights, listRights, type Right, RightTable } from "@/lib/policy/effect/group-rights";
import { usableParameters } from "@/lib/policy/table/functional-groupings";
import type { PolicySnapshot, SnapshotApp } from "@/lib/policy/table/snapshot";
import type { ChangedAppAnswer } from "@/lib/releases/answer-schema";
import { entryText, productionSide } from "@/lib/releases/review/app-comparison";
import { listFieldChanges } from "@/lib/releases/fields";
import { byLowerCase, distinct } from "@/lib/words/order";
import { hmiLevels } from "@/lib/words/vocabulary";

/** What becomes of one app in production (rule L7), its names and ids aside. */
export type AppEffect = Omit<ChangedAppAnswer, "uuid" | "name">;

/**
 * Compares what one app may do in production before and after: groups, rights through any of them, and its entry in the
 * policy table.
 *
 * @param uuidKey the app's uuid in lower case; an unknown one has nothing before and after
 */
export function compareApp(before: PolicySnapshot, after: PolicySnapshot, uuidKey: string): AppEffect {
  const table = new RightTable();
  const [old, now] = [readState(before, uuidKey, table), readState(after, uuidKey, table)];
  return {
    groups_gained: now.groups.filter((name) => !old.groups.includes(name)),
    groups_lost: old.groups.filter((name) => !now.groups.includes(name)),
    rights: [
      ...describeRights("lost", difference(old.rights, now.rights)),
      ...describeRights("gained", difference(now.rights, old.rights)),
    ],
    fields: listFieldChanges(old.entry, now.entry),
  };
}

interface AppState {
  readonly groups: readonly string[];
  readonly rights: GroupRights["all"];
  readonly entry: object | null;
}
const nothing: AppState = { groups: [], rights: new Set(), entry: null };

function readState(snapshot: PolicySnapshot, uuidKey: string, table: RightTable): AppState {
  const side = productionSide(snapshot);
  const app: SnapshotApp | undefined = snapshot.apps.byUuid(uuidKey);
  const text = app === undefined ? null : entryText(app, side);
  if (!app?.accepted || text === null) return nothing;
  const groups = side.findGroups(app, app.accepted);
  const isUsable = usableParameters(snapshot);
  const own = new Set(groups);
  const rights = snapshot.groups.production
    .filter(({ name, isDeleted }) => own.has(name) && !isDeleted)
    .flatMap((group) => [...listRights(group, isUsable, table).all]);
  const entry: unknown = JSON.parse(`${text}}`);
  return { groups, rights: new Set(rights), entry: typeof entry === "object" ? entry : null };
}

function difference(these: ReadonlySet<Right>, others: ReadonlySet<Right>): Right[] {
  return [...these].filter((right) => !others.has(right));
}

/** By RPC: what is said of one stands together. */
function describeRights(kind: "gained" | "lost", rights: readonly Right[]): ChangedAppAnswer["rights"] {
  return distinct(rights.map(({ rpc }) => rpc))
    .sort(byLowerCase)
    .map((rpc) => {
      const own = rights.filter((right) => right.rpc === rpc);
      return {
        rpc,
        kind,
        levels: hmiLevels.filter((level) => own.some((right) => right.level === level)),
        parameters: own.flatMap(({ parameter }) => parameter ?? []).sort(byLowerCase),
      };
    });
}
