import "server-only";
import type { ClientSession } from "mongoose";
import { keptMs } from "@/lib/apps/applications/removed-apps";
import { recordAuditEvent } from "@/lib/platform/audit/commands";
import { cutTrail, sumUpFailures } from "@/lib/platform/db/audit-trail";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";
import type { TaskReport } from "@/lib/platform/process/task-report";
import { ApplicationModel } from "@/models/application";
import { AuditEventModel } from "@/models/audit-event";
import { CounterModel } from "@/models/database/counter";
import { ReleaseModel } from "@/models/release";
import { RemovedApplicationModel } from "@/models/directory/removed-application";
import type { ApprovalStatus } from "@/lib/vocabulary/terms";

export interface RetentionOptions {
  readonly auditRetentionDays: number | null;
  readonly now?: Date;
  readonly signal?: AbortSignal;
}

type RetentionOutcome = {
  readonly versions: number;
  readonly decisions: number;
  readonly auditEvents: number;
};

/** Documents per transaction: few, because others wait for it. */
const perBatch = 200;
const clockId = "retention_clock";
const day = 86_400_000;
const keptVersions = 10;
/** After this time, failed sign-ins lose their network. */
const keptFailureMs = 30 * day;
const keptVersionMs = 90 * day;
/** The retention clock advances at most this much per run: a clock set years ahead must not delete years of data. */
const longestStepMs = 2 * day;

/** Removes a batch after `position`; `next` is null at the end. */
type Step = (tx: Transaction, position: number) => Promise<{ readonly removed: number; readonly next: number | null }>;

/** Removes old versions that no release shows, kept decisions and audit events. A first run only records the time. */
export async function removeOldRecords(
  context: WriteContext,
  report: TaskReport,
  { auditRetentionDays, now: present = new Date(), signal }: RetentionOptions,
): Promise<RetentionOutcome> {
  const now = await advanceClock(present);
  if (now === null) return { versions: 0, decisions: 0, auditEvents: 0 };
  const before = (ms: number) => new Date(now.getTime() - ms);
  async function run(words: string, step: Step): Promise<number> {
    report.phase(words);
    let removed = 0;
    for (let position: number | null = 0; position !== null && signal?.aborted !== true;) {
      const from: number = position;
      const batch = await inTransaction(context, (tx) => {
        tx.keepRevision();
        return step(tx, from);
      });
      removed += batch.removed;
      position = batch.next;
    }
    return removed;
  }
  const outcome = {
    versions: await run("removing superseded versions", (tx, after) => removeVersions(tx, after, now)),
    decisions: await run("removing decisions about deleted apps", (tx) => removeDecisions(tx, before(keptMs))),
    auditEvents:
      auditRetentionDays === null
        ? 0
        : await run("removing audit events", (tx) => removeEvents(tx, before(auditRetentionDays * day))),
  };
  await run("summing up failed sign-ins", async ({ session }, after) => {
    return { removed: 0, next: await sumUpFailures(session, after, before(keptFailureMs)) };
  });
  if (Object.values(outcome).some((count) => count > 0)) await noteRemoval(context, outcome, auditRetentionDays);
  return outcome;
}

async function advanceClock(present: Date): Promise<Date | null> {
  return inDatabase(async () => {
    const stored = await CounterModel.findOne({ _id: clockId }).lean();
    const last = stored === null ? null : new Date(stored.value);
    const now = retentionTime(last, present);
    await CounterModel.updateOne({ _id: clockId }, { $set: { value: now.getTime() } }, { upsert: true });
    return last === null ? null : now;
  });
}

async function removeVersions({ session }: Transaction, after: number, now: Date) {
  const old = { isLatest: false, _id: { $gt: after }, storedAt: { $lt: new Date(now.getTime() - keptVersionMs) } };
  const found = await ApplicationModel.find(old, { uuid: 1 }, { session }).sort({ _id: 1 }).limit(perBatch).lean();
  if (found.length === 0) return { removed: 0, next: null };
  const uuids = [...new Set(found.map(({ uuid }) => uuid))];
  const members = { uuid: 1, shortKey: 1, approvalStatus: 1, storedAt: 1 } as const;
  const all = await ApplicationModel.find({ uuid: { $in: uuids } }, members, { session }).lean();
  const superseded = uuids.flatMap((uuid) =>
    findSuperseded(
      all.filter((version) => version.uuid === uuid).map(({ _id, ...header }) => ({ id: _id, ...header })),
      now,
    ),
  );
  const shown = superseded.length > 0 ? await findShownByReleases(uuids, session) : new Set();
  const removed = superseded.filter((id) => !shown.has(id));
  if (removed.length > 0) await ApplicationModel.deleteMany({ _id: { $in: removed } }, { session });
  return { removed: removed.length, next: found.at(-1)?._id ?? null };
}

/** Versions that releases show as before or after, because published versions can be viewed forever. */
async function findShownByReleases(uuids: readonly string[], session: ClientSession): Promise<ReadonlySet<number>> {
  const releases = await ReleaseModel.find({ "items.key": { $in: uuids } }, { items: 1 }, { session }).lean();
  const items = releases.flatMap((release) => release.items).filter(({ family }) => family === "app");
  return new Set(items.flatMap(({ beforeId, afterId }) => [beforeId, afterId].filter((id) => typeof id === "number")));
}

async function removeDecisions({ session }: Transaction, before: Date) {
  const old = { removedAt: { $lt: before } };
  const found = await RemovedApplicationModel.find(old, { _id: 1 }, { session }).limit(perBatch).lean();
  const ids = found.map(({ _id }) => _id);
  if (ids.length > 0) await RemovedApplicationModel.deleteMany({ _id: { $in: ids } }, { session });
  return { removed: ids.length, next: ids.length < perBatch ? null : 0 };
}

/** Ids ascend with time, so checking starts at the oldest and ends at the first that is recent enough. */
async function removeEvents({ session }: Transaction, before: Date) {
  const all = { _id: { $gt: 0 } };
  const found = await AuditEventModel.find(all, { at: 1 }, { session }).sort({ _id: 1 }).limit(perBatch).lean();
  const young = found.findIndex(({ at }) => at >= before);
  const ids = (young === -1 ? found : found.slice(0, young)).map(({ _id }) => _id);
  const lastId = ids.at(-1);
  if (lastId !== undefined) {
    await AuditEventModel.deleteMany({ _id: { $in: ids } }, { session });
    await cutTrail(session, lastId + 1);
  }
  return { removed: ids.length, next: ids.length < perBatch ? null : 0 };
}

async function noteRemoval(context: WriteContext, outcome: RetentionOutcome, days: number | null): Promise<void> {
  const { versions, decisions, auditEvents } = outcome;
  const after = { versions, decisions, audit_events: auditEvents, audit_retention_days: days };
  await recordAuditEvent(context, { action: "retention.remove", target: "retention", after });
}

export interface RetainedVersion {
  readonly id: number;
  readonly shortKey: string;
  readonly approvalStatus: ApprovalStatus;
  readonly storedAt: Date;
}

/**
 * Older than 90 days, and not among the last ten, the two newest accepted, the two newest that staging may serve (one
 * may be withdrawn), or the newest under its short id.
 */
export function findSuperseded(versions: readonly RetainedVersion[], now: Date): readonly number[] {
  const newestFirst = versions.toSorted((one, other) => other.id - one.id);
  const accepted = newestFirst.filter(({ approvalStatus }) => approvalStatus === "ACCEPTED");
  const staged = newestFirst.filter(
    ({ approvalStatus }) => approvalStatus === "ACCEPTED" || approvalStatus === "STAGING",
  );
  const kept = new Set([...newestFirst.slice(0, keptVersions), ...accepted.slice(0, 2), ...staged.slice(0, 2)]);
  const shortKeys = new Set<string>();
  for (const version of newestFirst) {
    if (!shortKeys.has(version.shortKey)) kept.add(version);
    shortKeys.add(version.shortKey);
  }
  const before = now.getTime() - keptVersionMs;
  return newestFirst.filter((one) => !kept.has(one) && one.storedAt.getTime() < before).map(({ id }) => id);
}

/** The time that retention uses: a clock set ahead since the `last` run takes effect slowly, one set back at once. */
export function retentionTime(last: Date | null, now: Date): Date {
  return last === null ? now : new Date(Math.min(now.getTime(), last.getTime() + longestStepMs));
}
