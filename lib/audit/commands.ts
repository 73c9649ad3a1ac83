import "server-only";
import { type AuditEntry, inTransaction, type WriteContext } from "@/lib/db/transaction";
import { sharedState } from "@/lib/shared-state";
import { log } from "@/lib/log";

/** Events that may wait for the database at once; a flood of failed sign-ins must neither fill it nor the memory. */
const mostWaiting = 20;
const waiting = sharedState("audit-events", () => ({ count: 0 }));

/**
 * Records what was done without a change of a stored record, e.g. that a private key was handed out. Whoever calls it
 * before answering gives nothing away that the trail does not tell.
 *
 * @throws DatabaseUnavailable
 */
export async function recordAuditEvent(writer: WriteContext, entry: AuditEntry): Promise<void> {
  await inTransaction(writer, async (tx) => {
    // No policy table is made from it.
    tx.keepRevision();
    tx.record(entry);
    return Promise.resolve();
  });
}

/**
 * Records an event that nobody waits for: without a database, or when too many wait already, only the log tells it.
 * Never throws.
 */
export function recordAuditEventLater(writer: WriteContext, entry: AuditEntry): void {
  if (waiting.count >= mostWaiting) {
    log.warn({ action: entry.action }, "an audit event was left out: too many are waiting");
    return;
  }
  waiting.count += 1;
  recordAuditEvent(writer, entry)
    .catch((error: unknown) => log.warn({ action: entry.action, err: error }, "an audit event could not be stored"))
    .finally(() => {
      waiting.count -= 1;
    });
}
