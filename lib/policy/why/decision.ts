import { matchApp } from "@/lib/policy/table/match-app";
import { entryVersion, grantedVersion } from "@/lib/policy/table/app-policies";
import type { SnapshotApp, SnapshotAppVersion } from "@/lib/policy/table/snapshot";
import type { SimulatorView } from "@/lib/policy/why/view";
import type { ApprovalStatus } from "@/lib/vocabulary/terms";

/** Tables do not contain these names. */
export interface AppFacts {
  readonly name: string;
  /** Newest first. */
  readonly versions: readonly {
    readonly id: number;
    readonly label: string;
    readonly approvalStatus: ApprovalStatus;
  }[];
}
/** The uuid as in the snapshot; null: unknown. */
export type FindFacts = (uuid: string) => AppFacts | null;

/** The entry of a requested id, and the rule that decides it (rules A2 to A5). */
export interface EntryDecision {
  readonly id: string;
  readonly rule: "A2" | "A3" | "A4" | "A5";
  readonly outcome: "own entry" | "default" | "null";
  readonly sentence: string;
  /** Null: none is stored. */
  readonly app: SnapshotApp | null;
  readonly facts: AppFacts | null;
  /** In entry form; null without an entry of its own. */
  readonly version: SnapshotAppVersion | null;
}

export function decide(
  view: SimulatorView,
  id: string,
  fullAppIdSupported: boolean,
  findFacts: FindFacts,
): EntryDecision {
  const { apps } = view.snapshot;
  const app = matchApp(apps, id, fullAppIdSupported);
  if (app === undefined) return decideUnknown(id, matchApp(apps, id, true), findFacts);
  return decideApp(view, id, app, findFacts(app.uuid));
}

/** Whatever id the request used. */
function decideApp(view: SimulatorView, id: string, app: SnapshotApp, facts: AppFacts | null): EntryDecision {
  const name = facts?.name ?? app.uuid;
  const environment = view.environment === "production" ? "Production" : "Staging";
  const of = { id, app, facts };
  if (app.isBlacklisted) {
    const sentence = `${name} is blocked: its entry is null, so it has no permissions.`;
    return { ...of, rule: "A3", outcome: "null", sentence, version: null };
  }
  const granted = grantedVersion(app, view.environment);
  if (granted === null) {
    const wanted = view.environment === "production" ? "accepted" : "accepted or in staging";
    const sentence = `No version of ${name} is ${wanted}, so it gets the default policy.${describeNewest(facts, null)}`;
    return { ...of, rule: "A5", outcome: "default", sentence, version: null };
  }
  const which = view.environment === "production" ? "accepted" : "accepted or staged";
  const sentence = `${environment} serves ${labelOf(facts, granted.id)} of ${name}, the newest ${which} version.`;
  return {
    ...of,
    rule: "A4",
    outcome: "own entry",
    sentence: sentence + describeNewest(facts, granted.id),
    version: entryVersion(granted),
  };
}

function decideUnknown(id: string, other: SnapshotApp | undefined, findFacts: FindFacts): EntryDecision {
  const of = { id, outcome: "default", app: null, facts: null, version: null } as const;
  if (other === undefined) {
    return { ...of, rule: "A5", sentence: "No stored app has this id, so it gets the default policy." };
  }
  const name = findFacts(other.uuid)?.name ?? other.uuid;
  const sentence = `It is the uuid of ${name}, but the vehicle asks with short ids, so it gets the default policy.`;
  return { ...of, rule: "A2", sentence };
}

export function labelOf(facts: AppFacts | null, id: number): string {
  return facts?.versions.find((version) => version.id === id)?.label ?? `record ${id}`;
}

const statusLabels: Readonly<Record<ApprovalStatus, string>> = {
  PENDING: "is pending",
  STAGING: "is in staging",
  ACCEPTED: "is accepted",
  LIMITED: "is limited",
};

/** Empty for the served version. */
function describeNewest(facts: AppFacts | null, servedId: number | null): string {
  const [newest] = facts?.versions ?? [];
  if (newest === undefined || newest.id === servedId) return "";
  return ` ${newest.label} ${statusLabels[newest.approvalStatus]}.`;
}
