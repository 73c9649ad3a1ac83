import "server-only";
import type { ClientSession } from "mongoose";
import { recordItems } from "@/lib/records/families";
import { findHeads } from "@/lib/platform/db/heads";
import { itemFamilies, type RecordItemFamily, type ReviewedItem } from "@/lib/vocabulary/release-items";
import { memberOf } from "@/lib/policy/head-unit/values";
import { distinct, groupBy } from "@/lib/vocabulary/order";
import { AuditEventModel, type AuditEventRecord } from "@/models/audit-event";
import type { ApprovalRequestRecord } from "@/models/approval-request";

/**
 * Ids of who wrote what a request would give production (`people.md` P9): a record since production has it, a version
 * of an app since its last approval for production. A token's writes are its creator's. A rollback has no writers.
 */
export async function findWriters(
  kind: ApprovalRequestRecord["kind"],
  items: readonly ReviewedItem[],
  session: ClientSession,
): Promise<string[]> {
  if (kind === "return") return [];
  const found: string[] = [];
  for (const family of itemFamilies) {
    const own = items.filter((item) => item.family === family);
    if (own.length > 0)
      found.push(...(await (family === "app" ? writersOfApps(own, session) : writersOfRecords(family, own, session))));
  }
  return distinct(found);
}

const idOf = ({ personId }: { readonly personId?: string | null }) => personId ?? [];

async function writersOfApps(items: readonly ReviewedItem[], session: ClientSession): Promise<string[]> {
  const events = await findEvents(
    items.map(({ id }) => `application:${id}`),
    session,
  );
  return [...events.values()].flatMap((own) => {
    const isAccepted = ({ after }: Event) => memberOf(after, "approval_status") === "ACCEPTED";
    return own.slice(own.findLastIndex(isAccepted) + 1).flatMap(idOf);
  });
}

async function writersOfRecords(
  family: RecordItemFamily,
  items: readonly ReviewedItem[],
  session: ClientSession,
): Promise<string[]> {
  const records = recordItems[family];
  const stored = await records.load(
    items.map(({ id }) => id),
    session,
  );
  const keys = items.map(({ key }) => key);
  const served = new Map((await findHeads(family, "production", { keys, session })).map(({ key, id }) => [key, id]));
  const events = await findEvents(
    stored.map((record) => records.targetOf(record)),
    session,
  );
  return stored.flatMap((record) => {
    const since = served.get(records.keyOf(record)) ?? 0;
    // What a rollback has stored again is the work of whoever saved it before.
    const kept = new Set<unknown>();
    const own = (events.get(records.targetOf(record)) ?? []).toReversed();
    return own.flatMap((event) => {
      const { action } = event;
      const after: unknown = event.after;
      const isPart = kept.has(after) || (typeof after === "number" && after > since && after <= record.id);
      if (!isPart || !/\.(?:save|delete|keep)$/.test(action)) return [];
      if (!action.endsWith(".keep")) return idOf(event);
      kept.add(memberOf(event.before, "id"));
      return [];
    });
  });
}

type Event = Pick<AuditEventRecord, "target" | "personId" | "action" | "before" | "after">;

async function findEvents(
  targets: readonly string[],
  session: ClientSession,
): Promise<ReadonlyMap<string, readonly Event[]>> {
  const columns = { target: 1, personId: 1, action: 1, before: 1, after: 1 } as const;
  const found = await AuditEventModel.find({ target: { $in: [...targets] } }, columns)
    .session(session)
    .sort({ _id: 1 })
    .lean();
  const ofTarget = groupBy(found, ({ target }) => target);
  return new Map(targets.map((target) => [target, ofTarget(target)]));
}
