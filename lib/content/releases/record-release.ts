import type { Transaction, WriteContext } from "@/lib/platform/db/transaction";
import { adoptUnreleased } from "@/lib/content/releases/adopt";
import type { ReleaseCheckJson } from "@/lib/content/releases/answer-schema";
import { propose } from "@/lib/content/releases/proposal";
import { storeRelease, type ReleaseFacts, type ReleasedItem } from "@/lib/content/releases/store-release";
import type { ReleaseKind } from "@/lib/labels/release-items";

/** A release whose transaction has begun. */
export interface OpenRelease {
  /** What the PRODUCTION records that the transaction writes carry as `release`. */
  readonly number: number;
  readonly kind: ReleaseKind;
}

/** What is said of a release beside what it does. */
export interface ReleaseRemarks {
  readonly name?: string | null;
  readonly note?: string | null;
  /** Why it was published with findings. */
  readonly reason?: string | null;
  readonly findings?: readonly ReleaseCheckJson[];
  /** The release whose content a return brings back. */
  readonly returnedTo?: number | null;
}

/**
 * Begins a release: to be called before anything is written into production, in the transaction that writes it
 * (`releases.md` L2). PRODUCTION records that carry no number yet, because an instance of an earlier version wrote them, get a
 * release of their own first.
 */
export async function beginRelease(tx: Transaction, kind: ReleaseKind): Promise<OpenRelease> {
  propose(tx, { release: kind });
  await adoptUnreleased(tx, null);
  return { number: await tx.nextId("releases"), kind };
}

/**
 * Stores a release in the transaction that makes it (`releases.md` L1), with its audit event.
 *
 * @param release what `beginRelease` gave
 * @param items what it has changed in production, in any order
 */
export async function recordRelease(
  tx: Transaction,
  { number, kind }: OpenRelease,
  { name = null, note = null, reason = null, findings = [], returnedTo = null }: ReleaseRemarks,
  items: readonly ReleasedItem[],
): Promise<void> {
  const { approval } = tx.writer;
  const approvedBy = approval?.approvedBy ?? null;
  const facts: ReleaseFacts = { kind, name, note, reason, findings, returnedTo, approvedBy };
  const made = { author: approval?.askedBy ?? authorOf(tx.writer), at: tx.now, revision: tx.revision };
  await storeRelease(tx, number, { ...facts, ...made }, items);
}

/** Who writes, as releases keep it. */
export function authorOf({ actor, displayName = null, isNameVerified = false }: WriteContext) {
  return { actor, displayName, isNameVerified };
}
