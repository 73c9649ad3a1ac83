"one per process";

import "server-only";
import { isUnavailable } from "@/lib/platform/db/connection/errors";
import type { AuditEntry } from "@/lib/platform/db/audit";
import { inTransaction, type WriteContext } from "@/lib/platform/db/transaction";
import { log } from "@/lib/platform/log";

interface Waiting {
  readonly writer: WriteContext;
  readonly entry: AuditEntry;
}

const maxWaiting = 1_000;
/** Events that wait for the database. */
export const waitingEvents: Waiting[] = [];

/** Records an event that changes no stored record, e.g. a download of a private key. Call it before answering. */
export async function recordAuditEvent(writer: WriteContext, ...entries: readonly AuditEntry[]): Promise<void> {
  await inTransaction(writer, async (tx) => {
    // No policy table depends on it.
    tx.keepRevision();
    for (const entry of entries) tx.record(entry);
    return Promise.resolve();
  });
}

/** Like `recordAuditEvent`, but works without a database: up to 1,000 events wait (`gate.md` W12). Throws if more would. */
export async function recordOrKeep(writer: WriteContext, entry: AuditEntry): Promise<void> {
  try {
    await recordAuditEvent(writer, entry);
  } catch (error) {
    if (!isUnavailable(error) || waitingEvents.length >= maxWaiting) throw error;
    waitingEvents.push({ writer, entry });
    log.warn({ action: entry.action, err: error }, "an audit event waits for the database");
  }
}

/** Records the waiting events. If that fails, they keep waiting. */
export async function recordWaiting(): Promise<void> {
  for (let next = waitingEvents[0]; next !== undefined; next = waitingEvents[0]) {
    await recordAuditEvent(next.writer, next.entry);
    waitingEvents.shift();
  }
}
