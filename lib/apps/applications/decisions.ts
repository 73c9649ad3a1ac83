import {
  type AppState,
  findLiveVersions,
  type LiveVersions,
  type VersionOutline,
} from "@/lib/apps/applications/versions";
import type { Need } from "@/lib/vocabulary/roles";
import type { ApprovalStatus, Environment } from "@/lib/vocabulary/terms";

export const decisions = ["stage", "accept", "limit", "block", "unblock"] as const;
export type Decision = (typeof decisions)[number];

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

/** Undefined: no decision leads to this state. */
export function findDecided<T>(known: Readonly<Partial<Record<Decision, T>>>, next: DecidedState): T | undefined {
  const leadsTo = ({ status, isBlocked }: DecidedState) => status === next.status && isBlocked === next.isBlocked;
  const decision = decisions.find((one) => known[one] !== undefined && leadsTo(decided[one]));
  return decision && known[decision];
}

/** Likeliest first. */
export function offeredDecisions(state: AppState): readonly Decision[] {
  return offered[state];
}

export interface Situation {
  readonly id: number;
  readonly versions: readonly VersionOutline[];
  readonly isBlocked: boolean;
}

export interface Outlook {
  readonly before: LiveVersions<VersionOutline>;
  readonly after: LiveVersions<VersionOutline>;
}

export function foresee({ id, versions, isBlocked }: Situation, next: DecidedState): Outlook {
  const changed = versions.map((version) =>
    version.id === id ? { ...version, approvalStatus: next.status } : version,
  );
  return { before: findLiveVersions(versions, isBlocked), after: findLiveVersions(changed, next.isBlocked) };
}

/** An approval is about production, even where production keeps a newer version. */
export function environmentOf(situation: Situation, next: DecidedState): Environment {
  const { before, after } = foresee(situation, next);
  const isMoved = situation.isBlocked !== next.isBlocked || before.production?.id !== after.production?.id;
  return isMoved || next.status === "ACCEPTED" ? "production" : "staging";
}

export interface Confirmation {
  /** Applied at once, with an undo; otherwise the effect is shown first. */
  readonly isImmediate: boolean;
  /** The name of an app to block, so that no other is blocked; `production` if something leaves it for good. */
  readonly typed: "name" | "production" | null;
}

/** No confirmation is needed for changes that affect only staging and are not reported to the app directory. */
export function confirmationOf(situation: Situation, next: DecidedState): Confirmation {
  const { before, after } = foresee(situation, next);
  const isInStaging = environmentOf(situation, next) === "staging";
  const leaves = before.production !== null && after.production === null;
  return {
    // A limit is reported.
    isImmediate: isInStaging && next.status !== "LIMITED",
    typed: next.isBlocked && !situation.isBlocked ? "name" : leaves ? "production" : null,
  };
}

/** Describes in sentences what vehicles get. */
export function describeDecision(
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

/** A blocked app had nothing, not even the default groups. */
function describeReturn(after: VersionOutline | null, nameOf: NameOf): Move {
  if (after !== null) return [`serves ${nameOf(after)} again`, `serve ${nameOf(after)} again`];
  const rest = "the default groups again, and no version";
  return [`gives the app ${rest}`, `give the app ${rest}`];
}

export interface DecisionSubject {
  readonly id: number;
  readonly uuid: string;
  readonly version_id: number | null;
}

/** `api.md` 4.1. `reason` is stored with a refusal and reported to the app directory; empty for none. */
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

/** Named as in the API and the audit trail. */
export interface DecisionMembers {
  readonly approval_status: ApprovalStatus;
  readonly denial_message: string | null;
  readonly is_blacklisted: boolean;
}

export function decisionOf(
  status: ApprovalStatus,
  isBlocked = false,
  denialMessage: string | null = null,
): DecisionMembers {
  return { approval_status: status, denial_message: denialMessage, is_blacklisted: isBlocked };
}

/** Statuses that production never serves. */
const beforeProduction: readonly ApprovalStatus[] = ["PENDING", "STAGING"];

/** `people.md` section 2. Editors may block, because a bad app must be stopped at once, and decide about staging. */
export function needOfDecision(before: DecisionMembers, after: DecisionMembers): Need {
  if (before.is_blacklisted && !after.is_blacklisted) return "publish";
  // Like a block in the console: it also limits the version, so that unblocking approves nothing.
  const isBlock =
    !before.is_blacklisted &&
    after.is_blacklisted &&
    (after.approval_status === before.approval_status || after.approval_status === "LIMITED");
  const isInStaging = [before, after].every(({ approval_status: status }) => beforeProduction.includes(status));
  const isSame = before.approval_status === after.approval_status && before.denial_message === after.denial_message;
  return isBlock || isInStaging || isSame ? "edit" : "publish";
}
