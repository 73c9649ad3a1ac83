import "server-only";
import { findLiveVersions, toOutline } from "@/lib/applications/versions";
import { type Transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { readRefusalFinder } from "@/lib/policy/checks/approval-check";
import { subtractFindings } from "@/lib/policy/checks/promotion-check";
import { environments, type ApprovalStatus } from "@/lib/words/vocabulary";
import { ApplicationModel, type ApplicationRecord } from "@/models/application";

/** A decision about one version: what is, and what is to be. */
export interface DecisionChange {
  readonly version: Pick<ApplicationRecord, "_id" | "uuid">;
  readonly isAdministratorApp: boolean;
  readonly wasBlocked: boolean;
  readonly isBlocked: boolean;
  readonly status: ApprovalStatus;
}

/**
 * Refuses a decision after which head units would refuse a policy table for the entry of the app (`api.md` 4.1), in
 * staging or production, wherever another version than before would reach vehicles. What they refuse in the entry before
 * already does not count.
 *
 * @throws AppError 409 with `data.findings`; the transaction must be left by it
 */
export async function requireTakenEntry(tx: Transaction, change: DecisionChange): Promise<void> {
  const { version, isAdministratorApp, wasBlocked, isBlocked, status } = change;
  const { uuid } = version;
  const columns = { versionId: 1, developerVersion: 1, approvalStatus: 1 };
  const found = await ApplicationModel.find({ uuid }, columns, { session: tx.session }).lean();
  const outlines = found.map(toOutline);
  const decided = outlines.map((one) => (one.id === version._id ? { ...one, approvalStatus: status } : one));
  const before = findLiveVersions(outlines, wasBlocked);
  const after = findLiveVersions(decided, isBlocked);
  const changed = environments.filter((name) => after[name] !== null && after[name].id !== before[name]?.id);
  if (changed.length === 0) return;
  const findRefusals = await readRefusalFinder(tx);
  const refusals = async (id: number | undefined, environment: (typeof environments)[number]) => {
    const document = await ApplicationModel.findOne({ _id: id ?? 0 }, null, { session: tx.session }).lean();
    return document === null ? [] : findRefusals({ uuid, isAdministratorApp }, document, environment);
  };
  const findings = [];
  for (const environment of changed) {
    const known = await refusals(before[environment]?.id, environment);
    const added = subtractFindings(await refusals(after[environment]?.id, environment), known);
    findings.push(...added.map((finding) => ({ environment, ...finding })));
  }
  if (findings.length === 0) return;
  const message = "Head units would refuse the policy table after this decision; send force: true to decide anyway";
  throw new AppError("conflict", message, { data: { findings } });
}
