import "server-only";
import type { ClientSession } from "mongoose";
import { rawCollection } from "@/lib/platform/db/raw";
import type { AuthorJson } from "@/lib/content/releases/answer-schema";
import { recordItems } from "@/lib/gate/items/families";
import { readKeptEdit } from "@/lib/content/releases/kept-edit";
import type { ItemFamily } from "@/lib/content/releases/vocabulary";
import { toAuthorJson } from "@/lib/content/releases/queries";
import { ApplicationModel } from "@/models/application";
import { AuditEventModel, type AuditEventRecord } from "@/models/audit-event";

/** Who stored a version, and when (rule L5). */
export interface Origin {
  /** Null when the audit trail does not go back so far. */
  readonly author: AuthorJson | null;
  /** ISO 8601. */
  readonly at: string;
}

/** A record, and what its audit events are about. */
export interface AuditedRecord {
  readonly id: number;
  readonly target: string;
}

/**
 * Finds who stored records, or granted versions of apps for staging, and when; by id.
 *
 * @param session reads inside that transaction
 */
export async function findOrigins(
  family: ItemFamily,
  records: readonly AuditedRecord[],
  session: ClientSession | null = null,
): Promise<Map<number, Origin>> {
  if (records.length === 0) return new Map();
  const ids = records.map(({ id }) => id);
  const stored = await findTimes(family, ids, session);
  const targets = { target: { $in: records.map(({ target }) => target) } };
  const filter = family === "app" ? { ...targets, action: "applications.action" } : { ...targets, after: { $in: ids } };
  const events = await AuditEventModel.find(filter).session(session).sort({ _id: 1 }).lean();
  const isOf = ({ id, target }: AuditedRecord, event: Pick<AuditEventRecord, "target" | "after">) =>
    event.target === target && (family === "app" || event.after === id);
  return new Map(
    records.map((record) => {
      const event = events.findLast((one) => isOf(record, one));
      const kept = readKeptEdit(event?.before);
      if (kept !== null) return [record.id, { author: toAuthorJson(kept.author), at: kept.at.toISOString() }];
      const at = (family === "app" ? event?.at.toISOString() : undefined) ?? stored.get(record.id) ?? longAgo;
      return [record.id, { author: event === undefined ? null : authorOf(event), at }];
    }),
  );
}

const longAgo = new Date(0).toISOString();

function authorOf({ actor, displayName, isNameVerified }: Omit<EventAuthor, "isNameVerified"> & Partial<EventAuthor>) {
  return toAuthorJson({ actor, displayName: displayName ?? null, isNameVerified: isNameVerified ?? false });
}
type EventAuthor = Pick<AuditEventRecord, "actor" | "displayName" | "isNameVerified">;

async function findTimes(family: ItemFamily, ids: readonly number[], session: ClientSession | null) {
  const [model, member] = family === "app" ? [ApplicationModel, "storedAt"] : [recordItems[family].model, "createdAt"];
  const inSession = session === null ? {} : { session };
  const found = rawCollection(model).find({ _id: { $in: [...ids] } }, { projection: { [member]: 1 }, ...inSession });
  return new Map(
    (await found.toArray()).flatMap((document) => {
      const at = document[member];
      return at instanceof Date ? [[document._id, at.toISOString()] as const] : [];
    }),
  );
}
