import "server-only";
import { hashEvent } from "@/lib/db/audit-hash";
import { inDatabase } from "@/lib/db/connection/operation";
import { AuditEventModel } from "@/models/audit-event";
import { CounterModel } from "@/models/database/counter";

/** What became of the audit trail. */
export interface AuditVerdict {
  readonly is_whole: boolean;
  /** Events that were looked at, those without a hash among them. */
  readonly event_count: number;
  /** The first event that was changed, or before which one is missing; null: none. */
  readonly broken_at: number | null;
}

/** Read at once. */
const perBatch = 500;

/**
 * Reads the whole audit trail and computes each hash again (`people.md` P15). The chain begins at the first event that carries
 * a hash: those of earlier versions have none, and retention takes the oldest away (P14).
 *
 * @throws DatabaseUnavailable
 */
export async function verifyAuditEvents(): Promise<AuditVerdict> {
  let [event_count, lastId] = [0, 0];
  let previous: { readonly id: number; readonly hash: string } | null = null;
  const broken = (broken_at: number) => ({ is_whole: false, event_count, broken_at });
  for (;;) {
    const after = { _id: { $gt: lastId } };
    const events = await inDatabase(() => AuditEventModel.find(after).sort({ _id: 1 }).limit(perBatch).lean());
    for (const event of events) {
      event_count += 1;
      const { _id: id, hash, previousHash } = event;
      lastId = id;
      if (!hash && previous === null) continue;
      const follows: boolean = previous === null || (previous.id === id - 1 && previous.hash === previousHash);
      if (!hash || !follows || hashEvent(event) !== hash) return broken(id);
      previous = { id, hash };
    }
    if (events.length < perBatch) break;
  }
  // Ids are allotted in the transaction that stores the event, so none is ever left out.
  const counter = await inDatabase(() => CounterModel.findOne({ _id: "audit_events" }).lean());
  if (previous !== null && (counter?.value ?? 0) > lastId && (await isEnd(lastId))) return broken(lastId + 1);
  return { is_whole: true, event_count, broken_at: null };
}

/** Whether nothing was written since the last event was read. */
async function isEnd(lastId: number): Promise<boolean> {
  const later = await inDatabase(() => AuditEventModel.countDocuments({ _id: { $gt: lastId } }));
  return later === 0;
}
