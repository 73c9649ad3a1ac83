import "server-only";
import { decideVersion } from "@/lib/apps/applications/approval";
import { findHeads } from "@/lib/platform/db/heads";
import { isUnavailable } from "@/lib/platform/db/connection/errors";
import type { Transaction } from "@/lib/platform/db/transaction";
import { type AnyFamily, comparableOf, type StoredMembers } from "@/lib/records/store/family";
import { storeRecords } from "@/lib/records/store/commands";
import type { ReleaseCheckJson } from "@/lib/releases/answer-schema";
import { loadBodies } from "@/lib/releases/items/bodies";
import { findOrigins } from "@/lib/releases/items/origins";
import {
  beginRelease,
  type OpenRelease,
  propose,
  recordRelease,
  type ReleasedItem,
  type ReleaseRemarks,
} from "@/lib/records/publishing/record-release";
import { startRollout } from "@/lib/records/publishing/rollout";
import type { RolloutRequest } from "@/lib/vocabulary/rollouts";
import { findingText } from "@/lib/releases/publish/review";
import type { StagedChange } from "@/lib/releases/review/changes";
import { summarizeChange } from "@/lib/releases/summary";
import { nameChange, type ReleaseKind } from "@/lib/vocabulary/release-items";

/** Records of a family whose contents go to production; of any age and status. */
export interface Publication {
  readonly family: AnyFamily;
  readonly records: readonly StoredMembers[];
}

export interface NewRelease extends ReleaseRemarks {
  readonly findings?: readonly ReleaseCheckJson[];
  readonly publications: readonly Publication[];
  readonly apps?: readonly StagedChange[];
  /** Edits that keep waiting: stored again after the copies of a rollback. */
  readonly waiting?: readonly Publication[];
  /** Only some vehicles get it at first (`fleet.md` S11). */
  readonly rollout?: RolloutRequest | null;
}

/**
 * The only way into production besides initial data (`releases.md` L2): stores copies as PRODUCTION records, accepts
 * apps. Records may depend on others in the set. Throws AppError 400 if a family's requirements are not met.
 */
export async function writeRelease(
  tx: Transaction,
  kind: ReleaseKind,
  { publications, apps = [], waiting = [], rollout = null, ...remarks }: NewRelease,
): Promise<{ readonly number: number; readonly items: readonly ReleasedItem[] }> {
  const release = await beginRelease(tx, kind);
  const items: ReleasedItem[] = [];
  for (const publication of publications) items.push(...(await storeCopies(publication, release, tx)));
  for (const { family, records } of publications) await family.requirePromotable?.(tx, records);
  items.push(...(await acceptApps(tx, apps)));
  for (const one of waiting) await storeBehind(tx, one);
  const reviewed = kind === "return" ? items.map(replacedBy) : [...publications.flatMap(listReviewed), ...apps];
  const findings = remarks.findings?.map(findingText) ?? null;
  propose(tx, { release: kind, items: reviewed.map(({ family, key, id }) => ({ family, key, id })), findings });
  await recordRelease(tx, release, remarks, items);
  if (rollout !== null) await startRollout(tx, release.number, rollout);
  return { number: release.number, items };
}

const listReviewed = ({ family, records }: Publication) =>
  records.map((record) => ({ family: family.item, key: family.keyOf(record), id: record.id }));

/** A rollback identifies an item by what it replaces, because what it brings back never changes. */
export function replacedBy({ family, key, beforeId }: ReleasedItem) {
  return { family, key, id: beforeId ?? 0 };
}

async function storeCopies(
  { family, records }: Publication,
  { number }: OpenRelease,
  tx: Transaction,
): Promise<ReleasedItem[]> {
  const served = await loadServed(family, records, tx);
  const copies = await storeRecords(family, tx, records, { status: "PRODUCTION", release: number });
  return records.flatMap((record, index) => {
    const copy = copies[index];
    if (copy === undefined) return [];
    const item = describeItem(family, served.get(family.keyOf(record)) ?? null, record, copy.id);
    tx.record({
      action: `${family.area}.promote`,
      target: family.targetOf(copy),
      before: item.beforeId,
      after: item.afterId ?? { id: copy.id, is_deleted: true },
    });
    return [item];
  });
}

function describeItem(family: AnyFamily, before: Served | null, record: StoredMembers, id: number): ReleasedItem {
  const afterId = record.isDeleted === true ? null : id;
  const beforeId = before === null || before.record?.isDeleted === true ? null : before.id;
  const change = nameChange(beforeId !== null, afterId !== null);
  const summary =
    before !== null && before.record === null
      ? "replaces a damaged record"
      : summarizeChange(
          family.item,
          before?.record ? comparableOf(family, before.record) : null,
          comparableOf(family, record),
        );
  return { family: family.item, key: family.keyOf(record), beforeId, afterId, change, summary };
}

interface Served {
  readonly id: number;
  /** Null: damaged. */
  readonly record: StoredMembers | null;
}

async function loadServed(
  family: AnyFamily,
  records: readonly StoredMembers[],
  tx: Transaction,
): Promise<Map<string, Served>> {
  const keys = records.map((record) => family.keyOf(record));
  const heads = await findHeads(family, "production", { keys, session: tx.session });
  const loaded = await loadUndamaged(
    family,
    heads.map(({ id }) => id),
    tx,
  );
  const byId = new Map(loaded.map((record) => [record.id, record]));
  return new Map(heads.map(({ key, id }) => [key, { id, record: byId.get(id) ?? null }]));
}

/** A damaged record must not prevent its replacement. */
async function loadUndamaged(family: AnyFamily, ids: readonly number[], tx: Transaction) {
  try {
    return await family.load(ids, tx.session);
  } catch (error) {
    // The driver repeats the transaction on errors with labels.
    if (isUnavailable(error) || (error instanceof Error && "errorLabels" in error)) throw error;
    return [];
  }
}

/** Accepts the staged versions of apps, with all effects of an administrator's decision (`api.md` 4.1). */
async function acceptApps(tx: Transaction, apps: readonly StagedChange[]): Promise<ReleasedItem[]> {
  const ids = apps.flatMap(({ id, productionId }) => (productionId === null ? [id] : [id, productionId]));
  const bodies = await loadBodies("app", ids);
  const bodyOf = (id: number | null) => (id === null ? null : (bodies.get(id)?.body ?? null));
  const items: ReleasedItem[] = [];
  for (const { key, id, productionId, change } of apps) {
    // The review's findings already cover the entry.
    await decideVersion(tx, { id, approval_status: "ACCEPTED", force: true });
    const summary = summarizeChange("app", bodyOf(productionId), bodyOf(id));
    items.push({ family: "app", key, beforeId: productionId, afterId: id, change, summary });
  }
  return items;
}

/** Stores edits again, so that they stay the latest records of their keys; the audit trail keeps their authors. */
async function storeBehind(tx: Transaction, { family, records }: Publication): Promise<void> {
  const audited = records.map((record) => ({ id: record.id, target: family.targetOf(record) }));
  const origins = await findOrigins(family.item, audited, tx.session);
  const copies = await storeRecords(family, tx, records, { status: "STAGING" });
  for (const [index, { id, target }] of audited.entries()) {
    const origin = origins.get(id);
    const before = { id, author: origin?.author ?? null, at: origin?.at ?? null };
    tx.record({ action: `${family.area}.keep`, target, before, after: copies[index]?.id ?? null });
  }
}
