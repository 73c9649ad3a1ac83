import "server-only";
import { type Decision, needOfDecision } from "@/lib/apps/applications/decision-need";
import { foresee } from "@/lib/apps/applications/decisions";
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
import { propose } from "@/lib/content/releases/record-release";
import { namesOf } from "@/lib/labels/members";
import { environments, type ApprovalStatus, type Environment } from "@/lib/labels/vocabulary";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel, type ApplicationRecord } from "@/models/application";

/**
 * Sets the approval status of one version, and the blacklist flag of its app when asked to (`api.md` 4.1). The
 * directory is told by a durable element that is written with it (`directory.md` rules P1 to P4).
 *
 * @throws AppError 403 naming the role that the decision needs; 400 "Unknown application", or when `uuid` is not that of the version; 409 with `data.findings` when head
 *   units would refuse a policy table afterwards for the app's entry, and `force` is false; 409 where another person has to approve it (`people.md` P9)
 */
export function saveApproval(context: WriteContext, body: ActionBody): Promise<void> {
  return inTransaction(context, async (tx) => {
    if (!(await decideVersion(tx, body))) tx.keepRevision();
  });
}

/**
 * `saveApproval` as a part of a transaction.
 *
 * @returns whether anything was written: what is as asked for already stays untouched
 */
export async function decideVersion(tx: Transaction, body: ActionBody): Promise<boolean> {
  const { version, flags, decision: before } = await readDecision(tx, body.id);
  const { uuid } = version;
  if (body.uuid !== undefined && body.uuid !== null && body.uuid !== uuid) {
    throw new AppError("invalid", "uuid does not match the application");
  }
  const after: Decision = {
    approval_status: body.approval_status,
    denial_message: body.denial_message === "" ? null : (body.denial_message ?? null),
    is_blacklisted: body.blacklist ?? before.is_blacklisted,
  };
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

  // A publication, which decides about several, says itself what it is.
  propose(tx, { release: null, items: [{ family: "app", key: uuid, id: body.id }], findings: [] });
  const set = { approvalStatus: after.approval_status, denialMessage: after.denial_message, holds: [] };
  await ApplicationModel.updateOne({ _id: version._id }, { $set: set }, { session: tx.session });
  const isFlagChanged = before.is_blacklisted !== after.is_blacklisted;
  await saveApplicationFlags(tx, uuid, isFlagChanged ? blacklistChanges(after.is_blacklisted, tx.now) : {});
  const { approval_status: approvalStatus, denial_message: notes, is_blacklisted: blacklist } = after;
  await saveFeedbacks(tx, [{ uuid, versionId: version.versionId ?? null, approvalStatus, notes, blacklist }]);
  tx.record({ action: "applications.action", target: `application:${version._id}`, before, after });
  return true;
}

/** The stored version with the flags of its app, and what is decided about it. Throws AppError 400 for an unknown id. */
export async function readDecision(tx: Transaction, id: number) {
  const version = await requireVersion(tx, id);
  const flags = await ApplicationFlagsModel.findOne({ uuid: version.uuid }, null, { session: tx.session }).lean();
  const decision: Decision = {
    approval_status: version.approvalStatus,
    denial_message: version.denialMessage ?? null,
    is_blacklisted: flags?.isBlacklisted ?? false,
  };
  return { version, flags, decision };
}

function isEqual<T extends object>(one: T, other: T): boolean {
  return namesOf(one).every((member) => one[member] === other[member]);
}

/** The stored version. Throws AppError 400 for an unknown id. */
export async function requireVersion(tx: Transaction, id: number): Promise<ApplicationRecord> {
  const version = await ApplicationModel.findOne({ _id: id }, null, { session: tx.session }).lean();
  if (version === null) throw unknownApplication();
  return version;
}

/** What is said of an id or uuid that no version has. */
export function unknownApplication(): AppError {
  return new AppError("invalid", "Unknown application");
}

/** A decision about one version: what is, and what is to be. */
interface DecisionChange {
  readonly version: Pick<ApplicationRecord, "_id" | "uuid">;
  readonly isAdministratorApp: boolean;
  readonly wasBlocked: boolean;
  readonly isBlocked: boolean;
  readonly status: ApprovalStatus;
}

/**
 * Refuses a decision after which head units would refuse a policy table for the entry of the app (`api.md` 4.1).
 *
 * @throws AppError 409 with `data.findings`; the transaction must be left by it
 */
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

/** What is said of a decision that is refused for its findings. */
export const findingsSentence =
  "Head units would refuse the policy table after this decision; send force: true to decide anyway";

type Live = LiveVersions<Pick<VersionOutline, "id">>;

/**
 * Finds what head units would refuse in the entry of an app after a decision, in staging or production, wherever another
 * version than before would reach vehicles. What they refuse in the entry before already does not count.
 *
 * @param live which versions vehicles get before and after
 * @param read.prepare called only when another version would reach vehicles
 * @param read.load gives a stored version; null for one that is gone
 */
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
