import {
  type AppState,
  findLiveVersions,
  type LiveVersions,
  type VersionOutline,
} from "@/lib/apps/applications/versions";
import type { ApprovalStatus } from "@/lib/labels/vocabulary";

/** What an administrator can decide about a version. */
export const decisions = ["stage", "accept", "limit", "block", "unblock"] as const;
export type Decision = (typeof decisions)[number];

/** The state that a decision leads to. */
export interface DecidedState {
  readonly status: ApprovalStatus;
  readonly isBlocked: boolean;
}

const decided: Readonly<Record<Decision, DecidedState>> = {
  stage: { status: "STAGING", isBlocked: false },
  accept: { status: "ACCEPTED", isBlocked: false },
  limit: { status: "LIMITED", isBlocked: false },
  block: { status: "LIMITED", isBlocked: true },
  unblock: { status: "LIMITED", isBlocked: false },
};
const offered: Readonly<Record<AppState, readonly Decision[]>> = {
  PENDING: ["stage", "accept", "limit", "block"],
  STAGING: ["accept", "limit", "block"],
  ACCEPTED: ["stage", "limit", "block"],
  LIMITED: ["stage", "accept", "block"],
  BLOCKED: ["unblock"],
};

export function decidedState(decision: Decision): DecidedState {
  return decided[decision];
}

/** What can be decided from a state, the likeliest first. */
export function offeredDecisions(state: AppState): readonly Decision[] {
  return offered[state];
}

/** A version to decide about, with all versions of its app. */
export interface Situation {
  readonly id: number;
  readonly versions: readonly VersionOutline[];
  readonly isBlocked: boolean;
}

/** What vehicles get before and after a decision. */
export interface Outlook {
  readonly before: LiveVersions<VersionOutline>;
  readonly after: LiveVersions<VersionOutline>;
}

/** Looks ahead: which versions vehicles get now, and once the version is in the given state. */
export function foresee({ id, versions, isBlocked }: Situation, next: DecidedState): Outlook {
  const changed = versions.map((version) =>
    version.id === id ? { ...version, approvalStatus: next.status } : version,
  );
  return { before: findLiveVersions(versions, isBlocked), after: findLiveVersions(changed, next.isBlocked) };
}

/** How a decision is confirmed. */
export interface Confirmation {
  /** Applied at once, with a way back; otherwise the effect is shown first. */
  readonly isImmediate: boolean;
  /**
   * What must be typed: the name of an app that is blocked, so that no other one is; the word `production` where something
   * leaves it for good; null: nothing.
   */
  readonly typed: "name" | "production" | null;
}

/** Only what touches staging alone, and of which the directory hears nothing, goes without asking. */
export function confirmationOf(situation: Situation, next: DecidedState): Confirmation {
  const { before, after } = foresee(situation, next);
  const isReported = next.status === "ACCEPTED" || next.status === "LIMITED";
  const staysSame = before.production?.id === after.production?.id && situation.isBlocked === next.isBlocked;
  const leaves = before.production !== null && after.production === null;
  return {
    isImmediate: staysSame && !isReported,
    typed: next.isBlocked && !situation.isBlocked ? "name" : leaves ? "production" : null,
  };
}

/**
 * Says in sentences what a decision does to vehicles.
 *
 * @param nameOf what a version is called
 */
export function describeEffect(
  situation: Situation,
  next: DecidedState,
  nameOf: (version: Pick<VersionOutline, "id">) => string,
): string[] {
  if (next.isBlocked) {
    return ["The app gets no permissions in staging and production, and later versions are rejected on arrival."];
  }
  const { before, after } = foresee(situation, next);
  const move = (environment: keyof Outlook["before"]) =>
    situation.isBlocked
      ? describeReturn(after[environment], nameOf)
      : describeMove(before[environment], after[environment], nameOf);
  const [production, staging] = [move("production"), move("staging")];
  const moves =
    production[0] === staging[0]
      ? [`Production and staging ${production[1]}.`]
      : [`Production ${production[0]}.`, `Staging ${staging[0]}.`];
  const isUseless = next.status === "ACCEPTED" && after.production !== null && after.production.id !== situation.id;
  return isUseless ? [...moves, "A newer version is already approved, so this one would not be served."] : moves;
}

/** What one environment does, and what both do. */
type Move = readonly [one: string, both: string];
type NameOf = (version: VersionOutline) => string;

function describeMove(before: VersionOutline | null, after: VersionOutline | null, nameOf: NameOf): Move {
  if (before === null && after === null) {
    const rest = "no version of this app: default groups only";
    return [`still has ${rest}`, `still have ${rest}`];
  }
  if (after === null) {
    const rest = "left without a version: the app falls back to the default groups";
    return [`is ${rest}`, `are ${rest}`];
  }
  if (before === null) return [`begins to serve ${nameOf(after)}`, `begin to serve ${nameOf(after)}`];
  if (before.id === after.id) return [`keeps ${nameOf(after)}`, `keep ${nameOf(after)}`];
  const back = after.id > before.id ? "" : " back";
  const rest = `${back} from ${nameOf(before)} to ${nameOf(after)}`;
  return [`goes${rest}`, `go${rest}`];
}

/** A blocked app got nothing, not even what every app gets. */
function describeReturn(after: VersionOutline | null, nameOf: NameOf): Move {
  if (after !== null) return [`serves ${nameOf(after)} again`, `serve ${nameOf(after)} again`];
  const rest = "the default groups again, and no version";
  return [`gives the app ${rest}`, `give the app ${rest}`];
}

/** What is known of the version that a decision is about. */
export interface DecisionSubject {
  readonly id: number;
  readonly uuid: string;
  readonly version_id: number | null;
}

/**
 * The body of `POST applications/action` (`api.md` 4.1).
 *
 * @param reason kept with a refusal and told to the app directory; empty means none
 */
export function buildActionBody({ id, uuid, version_id }: DecisionSubject, next: DecidedState, reason = "") {
  const isRefusal = next.status === "LIMITED";
  return {
    id,
    approval_status: next.status,
    blacklist: next.isBlocked,
    uuid,
    version_id,
    denial_message: isRefusal && reason.trim() !== "" ? reason.trim() : null,
  };
}
