import type { Author, Transaction } from "@/lib/platform/db/transaction";
import type { ReleaseCheckJson } from "@/lib/content/releases/answer-schema";
import { itemFamilies, type ItemChange, type ItemKey, type ReleaseKind } from "@/lib/labels/release-items";
import { byCodeUnit } from "@/lib/labels/order";
import { ReleaseModel } from "@/models/release";

/** What a release has done to one item. */
export interface ReleasedItem extends ItemKey {
  /** The production record before; null: it was not there. */
  readonly beforeId: number | null;
  /** The one afterwards; null: it is not there. */
  readonly afterId: number | null;
  readonly change: ItemChange;
  readonly summary: string;
}

export interface ReleaseFacts {
  readonly kind: ReleaseKind;
  readonly name: string | null;
  readonly note: string | null;
  readonly reason: string | null;
  readonly findings: readonly ReleaseCheckJson[];
  readonly returnedTo: number | null;
  /** Null: nobody had to (`people.md` P9). */
  readonly approvedBy: Author | null;
}

/** How a release came to be. */
export interface ReleaseOrigin {
  /** Null: nobody knows. */
  readonly author: Author | null;
  readonly at: Date;
  readonly revision: number;
}

/** Stores the document of a release, and what the audit trail has of it. */
export async function storeRelease(
  tx: Transaction,
  number: number,
  { findings, ...facts }: ReleaseFacts & ReleaseOrigin,
  items: readonly ReleasedItem[],
): Promise<void> {
  const document = { _id: number, ...facts, findings: [...findings], items: items.toSorted(compareItems) };
  await ReleaseModel.insertMany([document], { session: tx.session });
  tx.record({ action: "releases.publish", target: `release:${number}`, after: items.length });
}

/** What others need comes first; then by key. */
function compareItems(a: ItemKey, b: ItemKey): number {
  return itemFamilies.indexOf(a.family) - itemFamilies.indexOf(b.family) || byCodeUnit(a.key, b.key);
}
