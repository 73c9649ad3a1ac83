import type { Transaction } from "@/lib/platform/db/transaction";
import type { ReleaseKind, ReviewedItem } from "@/lib/labels/release-items";
import { processGlobal } from "@/lib/platform/process-globals";

/** What a door says of the change that it makes. */
export interface Proposal {
  /** The release that it is part of; null: a decision about apps. */
  readonly release: ReleaseKind | null;
  /** What was reviewed; undefined: the apps that change. */
  readonly items?: readonly ReviewedItem[];
  /** What head units would object to, one text each; null: nobody has looked. */
  readonly findings?: readonly string[] | null;
}

const proposals = processGlobal("proposals", () => new WeakMap<Transaction, Proposal>());

/** Tells the gate what a transaction is about; the last word counts. */
export function propose(tx: Transaction, proposal: Proposal): void {
  proposals.set(tx, { ...proposals.get(tx), ...proposal });
}

/** What was said of a transaction; a decision about apps while nothing was. */
export function proposalOf(tx: Transaction): Proposal {
  return proposals.get(tx) ?? { release: null };
}
