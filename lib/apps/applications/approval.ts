import "server-only";
import { decisionOf, foresee, needOfDecision } from "@/lib/apps/applications/decisions";
import { saveFeedbacks } from "@/lib/apps/applications/feedback";
import type { ActionBody } from "@/lib/apps/applications/schema";
import { blacklistChanges, saveApplicationFlags } from "@/lib/apps/applications/store-version";
import { type LiveVersions, outlineColumns, toOutline, type VersionOutline } from "@/lib/apps/applications/versions";
import { requireWriterMay } from "@/lib/platform/auth/may";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { type FindRefusals, readRefusalFinder } from "@/lib/policy/checks/approval-check";
import { subtractFindings } from "@/lib/policy/checks/promotion-check";
import type { HeadUnitFinding } from "@/lib/policy/head-unit/head-unit-check";
import { proposalOf, propose } from "@/lib/records/publishing/record-release";
import { namesOf } from "@/lib/vocabulary/members";
import { environments, type ApprovalStatus, type Environment } from "@/lib/vocabulary/terms";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel, type ApplicationRecord } from "@/models/application";

/**
 * Sets a version's status and its app's blacklist flag (`api.md` 4.1). Throws AppError 400 for an unknown id or the
 * `uuid` of another app, 403 naming the role that the decision needs, 409 with `data.findings` unless `force`, and 409
 * if another person must approve it (`people.md` P9).
 */
export function saveApproval(context: WriteContext, body: ActionBody): Promise<void> {
  return saveChange(context, (tx) => decideVersion(tx, body));
}

/** One transaction; if `change` returns false, it raises no revision. */
export function saveChange(context: WriteContext, change: (tx: Transaction) => Promise<boolean>): Promise<void> {
  return inTransaction(context, async (tx) => {
    if (!(await change(tx))) tx.keepRevision();
  });
}

/** `saveApproval` within a larger transaction; false if the version already is in that state. */
export async function decideVersion(tx: Transaction, body: ActionBody): Promise<boolean> {
  const { version, flags, decision: before } = await readDecision(tx, body.id);
  const { uuid } = version;
  if (body.uuid !== undefined && body.uuid !== null && body.uuid !== uuid) {
    throw new AppError("invalid", "uuid does not match the application");
  }
  const isBlocked = body.blacklist ?? before.is_blacklisted;
  const after = decisionOf(body.approval_status, isBlocked, body.denial_message || null);
  if (isEqual(before, after)) return false;
  requireWriterMay(tx.writer, needOfDecision(before, after));

  if (!body.force) {
    await requireTakenEntry(tx, {
      version,
      isAdministratorApp: flags?.isAdministratorApp ?? false,
      wasBlocked: before.is_blacklisted,
      isBlocked: after.is_blacklisted,
      status: after.approval_status,
    });
  }

  const isOfRelease = proposalOf(tx).release !== null;
  // A publication decides about several versions and sets its own proposal.
  propose(tx, { release: null, items: [{ family: "app", key: uuid, id: body.id }], findings: [] });
  const set = { approvalStatus: after.approval_status, denialMessage: after.denial_message, holds: [] };
  await ApplicationModel.updateOne({ _id: version._id }, { $set: set }, { session: tx.session });
  const isFlagChanged = before.is_blacklisted !== after.is_blacklisted;
  await saveApplicationFlags(tx, uuid, isFlagChanged ? blacklistChanges(after.is_blacklisted, tx.now) : {});
  const { approval_status: approvalStatus, denial_message: notes, is_blacklisted: blacklist } = after;
  await saveFeedbacks(tx, [{ uuid, versionId: version.versionId ?? null, approvalStatus, notes, blacklist }]);
  // A release tells why itself.
  const told = body.force && !isOfRelease ? { ...after, is_forced: true } : { ...after };
  tx.record({
    action: "applications.action",
    target: `application:${version._id}`,
    before: { ...before },
    after: told,
  });
  return true;
}

/** Throws AppError 400 for an unknown id. */
export async function readDecision(tx: Transaction, id: number) {
  const version = await requireVersion(tx, id);
  const flags = await ApplicationFlagsModel.findOne({ uuid: version.uuid }, null, { session: tx.session }).lean();
  const decision = decisionOf(version.approvalStatus, flags?.isBlacklisted, version.denialMessage);
  return { version, flags, decision };
}

function isEqual<T extends object>(one: T, other: T): boolean {
  return namesOf(one).every((member) => one[member] === other[member]);
}

export async function requireVersion(tx: Transaction, id: number): Promise<ApplicationRecord> {
  const version = await ApplicationModel.findOne({ _id: id }, null, { session: tx.session }).lean();
  if (version === null) throw unknownApplication();
  return version;
}

export function unknownApplication(): AppError {
  return new AppError("invalid", "Unknown application");
}

interface DecisionChange {
  readonly version: Pick<ApplicationRecord, "_id" | "uuid">;
  readonly isAdministratorApp: boolean;
  readonly wasBlocked: boolean;
  readonly isBlocked: boolean;
  readonly status: ApprovalStatus;
}

/** Throws AppError 409 with `data.findings` if head units would refuse the entry (`api.md` 4.1); it must abort `tx`. */
async function requireTakenEntry(tx: Transaction, change: DecisionChange): Promise<void> {
  const { version, isAdministratorApp, wasBlocked, isBlocked, status } = change;
  const { uuid } = version;
  const { session } = tx;
  const found = await ApplicationModel.find({ uuid }, outlineColumns, { session }).lean();
  const situation = { id: version._id, versions: found.map(toOutline), isBlocked: wasBlocked };
  const findings = await findNewRefusals({ uuid, isAdministratorApp }, foresee(situation, { status, isBlocked }), {
    prepare: () => readRefusalFinder(tx),
    load: (id) => ApplicationModel.findOne({ _id: id }, null, { session }).lean(),
  });
  if (findings.length === 0) return;
  throw new AppError("conflict", findingsSentence, { data: { findings } });
}

export const findingsSentence =
  "Head units would refuse the policy table after this decision; send force: true to decide anyway";

type Live = LiveVersions<Pick<VersionOutline, "id">>;

/** What head units would newly refuse in an app's entry, if vehicles would get another version. */
export async function findNewRefusals(
  flags: Parameters<FindRefusals>[0],
  live: { readonly before: Live; readonly after: Live },
  read: {
    readonly prepare: () => FindRefusals | Promise<FindRefusals>;
    readonly load: (id: number) => Promise<object | null>;
  },
): Promise<readonly (HeadUnitFinding & { readonly environment: Environment })[]> {
  const { before, after } = live;
  const changed = environments.filter((name) => after[name] !== null && after[name].id !== before[name]?.id);
  if (changed.length === 0) return [];
  const findRefusals = await read.prepare();
  const refusals = async (id: number | undefined, environment: Environment) => {
    const document = id === undefined ? null : await read.load(id);
    return document === null ? [] : findRefusals(flags, document, environment);
  };
  const findings = [];
  for (const environment of changed) {
    const known = await refusals(before[environment]?.id, environment);
    const added = subtractFindings(await refusals(after[environment]?.id, environment), known);
    findings.push(...added.map((finding) => ({ environment, ...finding })));
  }
  return findings;
}
