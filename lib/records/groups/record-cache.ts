"one per process";

import "server-only";
import { readRevision } from "@/lib/platform/db/revision";
import type { StoredGroup } from "@/lib/records/groups/rules";
import { groupSource, loadGroupRecords } from "@/lib/records/groups/queries";
import { Interner } from "@/lib/policy/documents/interner";
import type { RecordSource } from "@/lib/records/store/family";

interface Cache {
  records: Map<number, StoredGroup>;
  revision: number;
  /** When the cache was last emptied, in milliseconds since 1970. */
  since: number;
}

/** A restored database may reuse an id for another record, so entries expire. */
const keepMs = 5 * 60_000;
const state: Cache = { records: new Map(), revision: 0, since: 0 };

/**
 * Reads records in the order of `ids`, each one once, because the console's lists need tens of thousands of RPCs. `ids`
 * are all records of a view: others are dropped when the cache grows too large.
 */
export async function readGroups(ids: readonly number[], now = Date.now()): Promise<StoredGroup[]> {
  const revision = await readRevision();
  if (revision < state.revision || now - state.since > keepMs) {
    state.records = new Map();
    state.since = now;
  }
  state.revision = revision;
  const { records } = state;
  const missing = ids.filter((id) => !records.has(id));
  if (missing.length > 0) {
    for (const record of await loadGroupRecords(missing)) records.set(record.id, shareLabels(record));
  }
  const found = ids.flatMap((id) => records.get(id) ?? []);
  if (records.size > 2 * ids.length + 100) state.records = new Map(found.map((record) => [record.id, record]));
  return found;
}

export const keptGroups: RecordSource<StoredGroup> = { ...groupSource, load: (ids) => readGroups(ids) };

/** Empties the cache, for code that replaces the database within the process. */
export function forgetGroups(): void {
  state.records = new Map();
}

const interner = new Interner();

/** Every record repeats the same few names and sets of levels. Share one copy of each. */
function shareLabels(record: StoredGroup): StoredGroup {
  return {
    ...record,
    rpcs: record.rpcs.map(({ name, levels, parameters }) => ({
      name: interner.text(name),
      levels: interner.list(levels),
      parameters: interner.list(parameters),
    })),
  };
}
