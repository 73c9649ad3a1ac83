import "server-only";
import { isUnavailable } from "@/lib/platform/db/connection/errors";
import type { AuditEntry } from "@/lib/platform/db/audit";
import { inTransaction, type WriteContext } from "@/lib/platform/db/transaction";
import { processGlobal } from "@/lib/platform/process-globals";
import { log } from "@/lib/platform/log";

interface Waiting {
  readonly writer: WriteContext;
  readonly entry: AuditEntry;
}

/** Events that wait for the database at most. */
const maxWaiting = 1_000;
const waiting = processGlobal<{ events: readonly Waiting[] }>("audit-events", () => ({ events: [] }));

/**
 * Records what was done without a change of a stored record, e.g. that a private key was handed out. Whoever calls it
 * before answering gives nothing away that the trail does not tell.
 *
 * @throws DatabaseUnavailable
 */
export async function recordAuditEvent(writer: WriteContext, ...entries: readonly AuditEntry[]): Promise<void> {
  await inTransaction(writer, async (tx) => {
    // No policy table is made from it.
    tx.keepRevision();
    for (const entry of entries) tx.record(entry);
    return Promise.resolve();
  });
}

/**
 * Records what must be possible without a database, e.g. a sign-in in an emergency. The event is written before the answer;
 * while the database is away it waits in memory for `recordWaiting`, and the log tells of it (`gate.md` W12).
 *
 * @throws DatabaseUnavailable when 1,000 events wait already: none is ever left out
 */
export async function recordOrKeep(writer: WriteContext, entry: AuditEntry): Promise<void> {
  try {
    await recordAuditEvent(writer, entry);
  } catch (error) {
    if (!isUnavailable(error) || waiting.events.length >= maxWaiting) throw error;
    waiting.events = [...waiting.events, { writer, entry }];
    log.warn({ action: entry.action, err: error }, "an audit event waits for the database");
  }
}

/**
 * Records the events that wait for the database.
 *
 * @throws DatabaseUnavailable; they go on waiting
 */
export async function recordWaiting(): Promise<void> {
  for (let next = waiting.events[0]; next !== undefined; next = waiting.events[0]) {
    await recordAuditEvent(next.writer, next.entry);
    waiting.events = waiting.events.slice(1);
  }
}
