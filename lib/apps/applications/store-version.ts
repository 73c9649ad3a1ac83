import type { ClientSession } from "mongoose";
import { distinct, groupBy } from "@/lib/labels/order";
import type { Transaction } from "@/lib/platform/db/transaction";
import type { NewApplicationVersion } from "@/lib/apps/applications/rules";
import { saveUnknownReferences } from "@/lib/apps/applications/reference";
import { ApplicationFlagsModel, type ApplicationFlagsRecord } from "@/models/application-flags";
import { ApplicationModel, derivedMembers } from "@/models/application";

/** The flags of an app that nobody has decided anything about, the blacklist apart. */
export const plainFlags = {
  isAutoApprovedEnabled: false,
  isAdministratorApp: false,
  allowUnknownRpcPassthrough: false,
  hybridAppPreference: null,
} as const;
/** The flags of an app about which nobody has decided anything. */
export const noFlags = { ...plainFlags, isBlacklisted: false, blacklistedTs: null, blacklistOrigin: null } as const;

/** The members of an app's flags that a command may change. */
export type FlagChanges = {
  readonly [Name in Exclude<keyof typeof noFlags, "blacklistedTs">]?: ApplicationFlagsRecord[Name];
} & { readonly blacklistedTs?: Date | null };

/** The flags of an app that somebody blocks, or blocks no longer. */
export function blacklistChanges(isBlacklisted: boolean, now: Date): FlagChanges {
  return isBlacklisted
    ? { isBlacklisted, blacklistedTs: now, blacklistOrigin: "administrator" }
    : { isBlacklisted, blacklistedTs: null, blacklistOrigin: null };
}

/** Documents sent to the database in one go: writing them out must not keep the event loop for long. */
const perInsert = 50;

/**
 * Stores versions that the directory delivered, together with the lists they name that are still unknown (rules D6, D14),
 * and stamps their apps; with as many calls to the database as for one. A version that is stored already stays (rule D3).
 *
 * @param versions at most one of each uuid
 * @returns ids of the new records in the order of `versions`; null for those that are stored already
 */
export async function saveApplicationVersions(
  tx: Transaction,
  versions: readonly NewApplicationVersion[],
): Promise<readonly (number | null)[]> {
  const { session } = tx;
  const stored = await findVersionNumbers(
    versions.map(({ uuid }) => uuid),
    session,
  );
  const fresh = versions.filter(({ uuid, versionId }) => stored.get(uuid)?.has(versionId) !== true);
  if (fresh.length === 0) return versions.map(() => null);
  await saveUnknownReferences(tx, fresh);
  const ids = await tx.nextIds("applications", fresh.length);
  const uuids = fresh.map(({ uuid }) => uuid);
  const replaced = uuids.filter((uuid) => stored.has(uuid));
  if (replaced.length > 0) {
    // Lists find the newest version of every app by this mark instead of comparing all versions.
    const latest = { uuid: { $in: replaced }, isLatest: true };
    await ApplicationModel.updateMany(latest, { $set: { isLatest: false } }, { session });
  }
  const documents = fresh.map((version, index) => {
    return { ...version, ...derivedMembers(version), _id: idAt(ids, index), isLatest: true };
  });
  for (let from = 0; from < documents.length; from += perInsert) {
    // Plain documents: the type says what is in them, and the schema's own check would take most of the time.
    await ApplicationModel.insertMany(documents.slice(from, from + perInsert), { session, lean: true });
  }
  await saveFlagsOfApplications(tx, uuids, {});
  const idOf = new Map(fresh.map((version, index) => [version, idAt(ids, index)]));
  return versions.map((version) => idOf.get(version) ?? null);
}

/** The version numbers that are stored of these apps, by uuid. */
export async function findVersionNumbers(
  uuids: readonly string[],
  session?: ClientSession,
): Promise<ReadonlyMap<string, ReadonlySet<number | null>>> {
  if (uuids.length === 0) return new Map();
  const projection = { _id: 0, uuid: 1, versionId: 1 } as const;
  const options = session === undefined ? {} : { session };
  const found = await ApplicationModel.find({ uuid: { $in: uuids } }, projection, options).lean();
  const numbersOf = groupBy(found, ({ uuid }) => uuid);
  const stored = distinct(found.map(({ uuid }) => uuid));
  return new Map(stored.map((uuid) => [uuid, new Set(numbersOf(uuid).map(({ versionId }) => versionId ?? null))]));
}

/**
 * Changes an app's flags, which are made when the app is new, and stamps the app with the revision of the transaction.
 * Every write about an app, its versions included, must end here (with `{}` when no flag changes): the compiled
 * policies read only stamped apps again.
 */
export async function saveApplicationFlags(tx: Transaction, uuid: string, changes: FlagChanges): Promise<void> {
  await saveFlagsOfApplications(tx, [uuid], changes);
}

/** `saveApplicationFlags` for several apps that change alike. */
export async function saveFlagsOfApplications(
  tx: Transaction,
  uuids: readonly string[],
  changes: FlagChanges,
): Promise<void> {
  const { session } = tx;
  const set = { ...changes, revision: tx.revision };
  const all = { uuid: { $in: [...uuids] } };
  const { matchedCount } = await ApplicationFlagsModel.updateMany(all, { $set: set }, { session });
  if (matchedCount === uuids.length) return;
  const known =
    matchedCount === 0 ? [] : await ApplicationFlagsModel.find(all, { _id: 0, uuid: 1 }, { session }).lean();
  const knownUuids = new Set(known.map(({ uuid }) => uuid));
  const fresh = uuids.filter((uuid) => !knownUuids.has(uuid));
  const ids = await tx.nextIds("application_flags", fresh.length);
  const times = { createdAt: tx.now, updatedAt: tx.now };
  const documents = fresh.map((uuid, index) => {
    return { ...noFlags, ...set, ...times, _id: idAt(ids, index), uuid, uuidKey: uuid.toLowerCase() };
  });
  await ApplicationFlagsModel.insertMany(documents, { session, lean: true });
}

function idAt(ids: readonly number[], index: number): number {
  const id = ids[index];
  if (id === undefined) throw new Error("Too few ids were allotted.");
  return id;
}
