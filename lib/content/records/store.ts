import "server-only";
import type { Transaction } from "@/lib/platform/db/transaction";
import type { NewRecord, RecordFamily, StoredMembers } from "@/lib/content/records/family";

/** Where contents are stored; what is in production says which release brought it there. */
export type StoredPlace = { readonly status: "STAGING" } | { readonly status: "PRODUCTION"; readonly release: number };

/** Documents that are checked without a break: half a millisecond each. */
const atOnce = 100;

/** Stores contents under new ids, as the transaction's own time. */
export async function storeRecords<C extends object, R extends C & StoredMembers>(
  family: RecordFamily<C, R>,
  tx: Transaction,
  contents: readonly C[],
  place: StoredPlace,
): Promise<readonly NewRecord<C>[]> {
  const numbered = await family.number(tx, contents);
  const { status } = place;
  const records = numbered.map((content) => ({ ...content, status, createdAt: tx.now, updatedAt: tx.now }));
  const documents = records.map((record) => {
    const { id: _id, ...members } = record;
    return { ...members, ...family.seal?.(record), ...place, _id };
  });
  for (let from = 0; from < documents.length; from += atOnce) {
    const some = documents.slice(from, from + atOnce);
    await family.model.insertMany(some, { session: tx.session, timestamps: false });
  }
  return records;
}
