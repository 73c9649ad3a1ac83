import "server-only";
import type { AuditEventJson } from "@/lib/audit/answer-schema";
import type { AuditQuery } from "@/lib/audit/schema";
import { requireDatabase } from "@/lib/db/connection/connect";
import { AuditEventModel, type AuditEventRecord } from "@/models/audit-event";

/** One page of the trail. */
export interface AuditPage {
  readonly events: readonly AuditEventJson[];
  /** `cursor` of the next page, null after the last one. */
  readonly next_cursor: number | null;
}

/**
 * Lists who changed what, newest first.
 *
 * @throws DatabaseUnavailable
 */
export async function listAuditEvents({ target, cursor, limit }: AuditQuery): Promise<AuditPage> {
  await requireDatabase();
  const filter = {
    ...(target === undefined ? {} : { target }),
    ...(cursor === undefined ? {} : { _id: { $lt: cursor } }),
  };
  const found = await AuditEventModel.find(filter)
    .sort({ _id: -1 })
    // One more than wanted tells whether there is a next page.
    .limit(limit + 1)
    .lean();
  const page = found.slice(0, limit);
  return {
    events: page.map(buildAuditEventJson),
    next_cursor: found.length > limit ? (page.at(-1)?._id ?? null) : null,
  };
}

function buildAuditEventJson(event: AuditEventRecord) {
  return {
    id: event._id,
    created_ts: event.at.toISOString(),
    revision: event.revision,
    actor: event.actor,
    display_name: event.displayName ?? null,
    // `lean` gives no defaults, and events of earlier versions lack the member.
    display_name_verified: (event.isNameVerified as boolean | undefined) ?? false,
    route: event.route,
    request_id: event.requestId ?? null,
    action: event.action,
    target: event.target,
    before: (event.before ?? null) as unknown,
    after: (event.after ?? null) as unknown,
  };
}
