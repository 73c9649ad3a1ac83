import "server-only";
import { readRevision } from "@/lib/platform/db/revision";
import { processGlobal } from "@/lib/platform/process-globals";
import type { StoredGroup } from "@/lib/content/groups/rules";
import { groupSource, loadGroupRecords } from "@/lib/content/groups/queries";
import { Interner } from "@/lib/policy/documents/interner";
import type { RecordSource } from "@/lib/content/records/family";

interface Cache {
  records: Map<number, StoredGroup>;
  revision: number;
  /** When it was last begun anew, in milliseconds since 1970. */
  since: number;
}

/** A database that was put in place of another may give an id to another record; so nothing is kept for ever. */
const keepMs = 5 * 60_000;
const state = processGlobal<Cache>("console-groups", () => ({ records: new Map(), revision: 0, since: 0 }));

/**
 * Reads records as `loadGroupRecords` does, each once: a record never changes. The console's lists look into all groups
 * of a view, which together may hold tens of thousands of RPCs.
 *
 * @param ids all records of a view, or of both; what is not among them is forgotten when it grows too much
 * @returns in the order of `ids`; ids without a record are left out
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

/** How groups are read where the same ones are read again and again: all of a view, or of both. */
export const keptGroups: RecordSource<StoredGroup> = { ...groupSource, load: (ids) => readGroups(ids) };

/** Forgets all, for whoever puts another database in place within the process. */
export function forgetGroups(): void {
  state.records = new Map();
}

const interner = processGlobal("console-group-words", () => new Interner());

/** The same few names and sets of levels appear in every record: each is kept once. */
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
