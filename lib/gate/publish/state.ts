import type { Transaction } from "@/lib/platform/db/transaction";
import { createSnapshotLoader, readSnapshotIn } from "@/lib/policy/snapshot/load-snapshot";
import { policySnapshot, whenFollowed } from "@/lib/policy/status";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";

/**
 * Both views of everything, with what this process has written before: in memory where a policy is served, elsewhere read for
 * this one answer.
 */
export async function loadState(): Promise<PolicySnapshot> {
  await whenFollowed();
  return policySnapshot() ?? (await createSnapshotLoader().load());
}

/**
 * The same as a transaction sees it before it writes. Every change raises the revision: what is in memory of that one is the
 * same.
 */
export async function readState(tx: Transaction): Promise<PolicySnapshot> {
  const known = policySnapshot();
  const revision = tx.revision - 1;
  return known?.revision === revision ? known : readSnapshotIn(tx.session, revision, known);
}

/** The same as a transaction sees it after it has written. */
export function readWrittenState(tx: Transaction): Promise<PolicySnapshot> {
  return readSnapshotIn(tx.session, tx.revision, policySnapshot());
}
