import "server-only";
import { requireDatabase } from "@/lib/db/connection/connect";
import { rawCollection } from "@/lib/db/raw";
import type { RecordFamily, StoredMembers } from "@/lib/records/family";
import { distinct } from "@/lib/words/order";
import type { RecordStatus } from "@/lib/words/vocabulary";
import { AuditEventModel } from "@/models/audit-event";

/** Who stored a record. */
export interface HistoryAuthor {
  readonly actor: string;
  /** What a person calls themselves; null: they did not say. */
  readonly displayName: string | null;
  /** Whether a proxy vouches for the name. */
  readonly isNameVerified: boolean;
  /** E.g. `groups.save`. */
  readonly action: string;
}

/** One record of a key as its history tells it. */
export interface HistoryEntry {
  readonly id: number;
  readonly status: RecordStatus;
  readonly isDeleted: boolean;
  readonly at: Date;
  /** Null when the audit trail does not go back so far. */
  readonly author: HistoryAuthor | null;
  /** The record as its save takes it; null: it is damaged. */
  readonly body: object | null;
  /** The members of `body` that differ from those of the record before; null where nothing is known of one. */
  readonly changed: readonly string[] | null;
}

/**
 * Tells the whole history of a key, newest first: promotions and deletions are records as well.
 *
 * @throws DatabaseUnavailable
 */
export async function recordHistory<C extends object, R extends C & StoredMembers>(
  family: RecordFamily<C, R>,
  key: string,
): Promise<HistoryEntry[]> {
  await requireDatabase();
  const ofKey = family.keyField === null ? {} : { [family.keyField]: key };
  const stored = rawCollection(family.model).find(ofKey, { projection: { createdAt: 1 } });
  const times = new Map((await stored.sort({ _id: -1 }).toArray()).map(({ _id, createdAt }) => [_id, createdAt]));
  const records = (await family.load([...times.keys()])).toSorted((a, b) => b.id - a.id);
  const authors = await findAuthors(family, records);
  const bodies = records.map((record) => family.toBody(record));
  return records.map(({ id, status, isDeleted = false }, index) => {
    const at = times.get(id);
    const [body = null, before = null] = bodies.slice(index, index + 2);
    return {
      id,
      status,
      isDeleted,
      at: at instanceof Date ? at : new Date(0),
      author: authors.get(id) ?? null,
      body,
      changed: body === null || before === null ? null : listChanged(before, body),
    };
  });
}

/** By the ids of the records. */
async function findAuthors<C extends object, R extends C & StoredMembers>(
  family: RecordFamily<C, R>,
  records: readonly R[],
): Promise<Map<unknown, HistoryAuthor>> {
  const events = await AuditEventModel.find({
    target: { $in: distinct(records.map((record) => family.targetOf(record))) },
    after: { $in: records.map(({ id }) => id) },
  }).lean();
  return new Map(
    events.map(({ after, actor, displayName, isNameVerified, action }) => [
      after,
      { actor, displayName: displayName ?? null, isNameVerified, action },
    ]),
  );
}

/** Names of the members that two bodies do not share. */
function listChanged(before: object, after: object): string[] {
  const textsOf = (body: object) => new Map(Object.entries(body).map(([name, value]) => [name, JSON.stringify(value)]));
  const [old, now] = [textsOf(before), textsOf(after)];
  return distinct([...old.keys(), ...now.keys()]).filter((name) => old.get(name) !== now.get(name));
}
