import type { Transaction } from "@/lib/platform/db/transaction";
import { absent, type MovedDocuments } from "@/lib/exchange/migration/items";

/** What a run has found so far. */
export function createRun(tx: Transaction, base: ReadonlyMap<string, string>, documents: MovedDocuments) {
  const conflicts: { what: string; reason: string }[] = [];
  const changes: { what: string; change: string }[] = [];
  const kept: { what: string; reason: string }[] = [];
  const writes: (() => Promise<void>)[] = [];
  /**
   * What is to be done about something: `take` it, because it changed there alone; `conflict`, when it did here as well;
   * null, when it did not change there, or is the same.
   *
   * @param what it is called when it changed here alone; null: nobody has to know
   */
  const judge = (id: string, what: string | null, theirs: string, ours: string): "take" | "conflict" | null => {
    const before = base.get(id) ?? absent;
    if (theirs === ours) return null;
    if (theirs !== before) return ours === before ? "take" : "conflict";
    if (what !== null) kept.push({ what, reason: "it was changed here since the last run" });
    return null;
  };
  return { tx, base, documents, conflicts, changes, kept, writes, judge };
}
export type Run = ReturnType<typeof createRun>;
