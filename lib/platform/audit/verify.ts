import "server-only";
import { Chain } from "@/lib/platform/audit/chain";
import { readEnds } from "@/lib/platform/db/audit-trail";
import { loadAuditKey } from "@/lib/platform/secrets/audit-key";
import { inDatabase } from "@/lib/platform/db/connection/operation";
import { AuditEventModel } from "@/models/audit-event";

/** What became of the audit trail. */
export interface AuditVerdict {
  readonly is_whole: boolean;
  readonly event_count: number;
  /** The first event that was changed, that is missing, or after which one is; null: none. */
  readonly broken_at: number | null;
  /** Hash of the last event, to be kept elsewhere; null: there is none. */
  readonly head: string | null;
  /** Whether the trail holds the event with the hash that was asked for; absent: none was. */
  readonly has_head?: boolean;
}

const perBatch = 500;

/**
 * Reads the whole audit trail, computes each hash again, and compares its ends with the stored ones (`gate.md` W11).
 * @param kept a hash that somebody has kept: without it the trail is not whole
 */
export async function verifyAuditEvents(kept?: string): Promise<AuditVerdict> {
  const key = loadAuditKey();
  const begin = await inDatabase(() => readEnds(null, key));
  const chain = new Chain(key, begin?.first ?? null);
  let hasHead = false;
  const tell = (brokenAt: number | null): AuditVerdict => ({
    is_whole: brokenAt === null && (kept === undefined || hasHead),
    event_count: chain.count,
    broken_at: brokenAt,
    head: chain.last?.hash ?? null,
    ...(kept !== undefined && { has_head: hasHead }),
  });
  const follow = async (): Promise<number | null> => {
    for (;;) {
      const after = { _id: { $gt: chain.last?.id ?? 0 } };
      const events = await inDatabase(() => AuditEventModel.find(after).sort({ _id: 1 }).limit(perBatch).lean());
      for (const event of events) {
        const brokenAt = chain.follow(event);
        if (brokenAt !== null) return brokenAt;
        hasHead ||= event.hash === kept;
      }
      if (events.length < perBatch) return null;
    }
  };
  const brokenAt = await follow();
  if (brokenAt !== null) return tell(brokenAt);
  const ends = await inDatabase(() => readEnds(null, key));
  // What was written meanwhile.
  const later = await follow();
  if (later !== null) return tell(later);
  if (ends === null) return tell(chain.count === 0 ? null : 1);
  if (ends.brokenAt !== null || !ends.isSealed) return tell(ends.brokenAt ?? ends.last + 1);
  const lastId = chain.last?.id ?? ends.first - 1;
  if (lastId < ends.last) return tell(lastId + 1);
  return tell(null);
}
