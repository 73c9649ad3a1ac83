import type { Transaction } from "@/lib/platform/db/transaction";
import { ApplicationModel, derivedMembers } from "@/models/application";

const perTransaction = 500;
const members = {
  uuid: 1,
  shortUuid: 1,
  name: 1,
  displayNames: 1,
  vendorName: 1,
  vendorEmail: 1,
  techEmail: 1,
  services: 1,
  permissions: 1,
  searchText: 1,
} as const;

/**
 * Derives what a search for apps looks at anew for some versions: those stored earlier were found by less.
 *
 * @param after id of the last version that is done
 * @returns id of the last version of this turn, null when there are no more
 */
export async function deriveSearchTexts({ session }: Transaction, after: number): Promise<number | null> {
  const versions = await ApplicationModel.find({ _id: { $gt: after } }, members, { session })
    .sort({ _id: 1 })
    .limit(perTransaction)
    .lean();
  const updates = versions.flatMap((version) => {
    const { searchText } = derivedMembers(version);
    if (searchText === version.searchText) return [];
    return [{ updateOne: { filter: { _id: version._id }, update: { $set: { searchText } } } }];
  });
  if (updates.length > 0) await ApplicationModel.bulkWrite(updates, { session });
  return versions.length < perTransaction ? null : (versions.at(-1)?._id ?? null);
}
