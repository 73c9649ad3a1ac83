import "server-only";
import type { z } from "zod";
import type { verdictAnswer } from "@/lib/platform/audit/schema";
import { Chain } from "@/lib/platform/audit/chain";
import { knownHead } from "@/lib/platform/db/audit-head";
import { isAsLeft, readEnds } from "@/lib/platform/db/audit-trail";
import { isDatabaseUnexpected } from "@/lib/platform/db/connection/unexpected-database";
import { loadAuditKey } from "@/lib/platform/secrets/own-secret";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { AuditEventModel } from "@/models/audit-event";

export type AuditVerdict = Readonly<z.infer<typeof verdictAnswer>>;

const perBatch = 500;

/** Checks the whole trail and its ends, also against those kept beside it (`gate.md` W11), and for the hash `kept`. */
export async function verifyAuditEvents(kept?: string): Promise<AuditVerdict> {
  const key = loadAuditKey();
  const known = knownHead();
  const begin = await inDatabase(() => readEnds(null, key));
  const chain = new Chain(key, begin.last > 0 ? begin.first : null);
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
        hasHead ||= event.hash === kept || event.summary?.hashes.includes(kept ?? "") === true;
      }
      if (events.length < perBatch) return null;
    }
  };
  const brokenAt = await follow();
  if (brokenAt !== null) return tell(brokenAt);
  const ends = await inDatabase(() => readEnds(null, key));
  const later = await follow();
  if (later !== null) return tell(later);
  if (!ends.isThere && ends.last === 0) return tell(1);
  if (ends.brokenAt !== null || !ends.isSealed) return tell(ends.brokenAt ?? ends.last + 1);
  const lastId = chain.last?.id ?? ends.first - 1;
  if (lastId < ends.last) return tell(lastId + 1);
  if (isDatabaseUnexpected() || !(await inDatabase(() => isAsLeft(null, ends, known)))) return tell(lastId + 1);
  return tell(null);
}
