import "server-only";
import type { ClientSession } from "mongoose";
import { z } from "zod";
import { rawCollection } from "@/lib/platform/db/connection/connect";
import { author, type AuthorJson } from "@/lib/releases/answer-schema";
import { recordItems } from "@/lib/records/families";
import type { ItemFamily } from "@/lib/vocabulary/release-items";
import { toAuthorJson } from "@/lib/releases/queries";
import { memberOf } from "@/lib/policy/head-unit/values";
import { ApplicationModel } from "@/models/application";
import { AuditEventModel, type AuditEventRecord } from "@/models/audit-event";

export interface Origin {
  /** Null: older than the audit trail. */
  readonly author: AuthorJson | null;
  /** ISO 8601. */
  readonly at: string;
}

export interface AuditedRecord {
  readonly id: number;
  readonly target: string;
}

export async function findOrigins(
  family: ItemFamily,
  records: readonly AuditedRecord[],
  session: ClientSession | null = null,
): Promise<Map<number, Origin>> {
  if (records.length === 0) return new Map();
  const ids = records.map(({ id }) => id);
  const stored = await findTimes(family, ids, session);
  const targets = { target: { $in: records.map(({ target }) => target) } };
  const filter =
    family === "app"
      ? { ...targets, action: "applications.action" }
      : { ...targets, $or: [{ after: { $in: ids } }, { "after.id": { $in: ids } }] };
  const events = await AuditEventModel.find(filter).session(session).sort({ _id: 1 }).lean();
  const isOf = ({ id, target }: AuditedRecord, event: Pick<AuditEventRecord, "target" | "after">) =>
    event.target === target && (family === "app" || event.after === id || memberOf(event.after, "id") === id);
  return new Map(
    records.map((record) => {
      const event = events.findLast((one) => isOf(record, one));
      const { data: kept } = keptEdit.safeParse(event?.before);
      if (kept !== undefined) return [record.id, kept];
      const at = (family === "app" ? event?.at.toISOString() : undefined) ?? stored.get(record.id) ?? longAgo;
      return [record.id, { author: event === undefined ? null : toAuthorJson(event), at }];
    }),
  );
}

const longAgo = new Date(0).toISOString();

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

/** The original edit of a version that a rollback stored again (`releases.md` L12). */
const keptEdit = z.object({ author: author.nullable(), at: z.iso.datetime() });
