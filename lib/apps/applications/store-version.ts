import type { ClientSession } from "mongoose";
import { distinct, groupBy } from "@/lib/vocabulary/order";
import type { Transaction } from "@/lib/platform/db/transaction";
import type { NewApplicationVersion } from "@/lib/apps/applications/rules";
import { saveUnknownReferences } from "@/lib/apps/applications/reference";
import { ApplicationFlagsModel, type ApplicationFlagsRecord } from "@/models/application-flags";
import { ApplicationModel, derivedMembers } from "@/models/application";

export const plainFlags = {
  isAutoApprovedEnabled: false,
  isAdministratorApp: false,
  allowUnknownRpcPassthrough: false,
  hybridAppPreference: null,
  priority: null,
} as const;
export const noFlags = { ...plainFlags, isBlacklisted: false, blacklistedTs: null, blacklistOrigin: null } as const;

export type FlagChanges = {
  readonly [Name in Exclude<keyof typeof noFlags, "blacklistedTs">]?: ApplicationFlagsRecord[Name];
} & { readonly blacklistedTs?: Date | null };

export function blacklistChanges(isBlacklisted: boolean, now: Date): FlagChanges {
  return isBlacklisted
    ? { isBlacklisted, blacklistedTs: now, blacklistOrigin: "administrator" }
    : { isBlacklisted, blacklistedTs: null, blacklistOrigin: null };
}

/** Documents per database call, because serializing them must not block the event loop for long. */
const perInsert = 50;

/** At most one version per uuid (rule D14). Returns new ids in order; null: already stored, unchanged. */
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
    // Lists use this mark to find the newest version of every app without comparing all versions.
    const latest = { uuid: { $in: replaced }, isLatest: true };
    await ApplicationModel.updateMany(latest, { $set: { isLatest: false } }, { session });
  }
  const documents = fresh.map((version, index) => {
    return { ...version, ...derivedMembers(version), _id: idAt(ids, index), isLatest: true };
  });
  for (let from = 0; from < documents.length; from += perInsert) {
    // Plain documents: the types guarantee their shape, and schema validation would take most of the time.
    await ApplicationModel.insertMany(documents.slice(from, from + perInsert), { session, lean: true });
  }
  await saveFlagsOfApplications(tx, uuids, {});
  const idOf = new Map(fresh.map((version, index) => [version, idAt(ids, index)]));
  return versions.map((version) => idOf.get(version) ?? null);
}

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

/** Every write about an app must call this (`{}` if no flag changes): compiled policies reload only stamped apps. */
export async function saveApplicationFlags(tx: Transaction, uuid: string, changes: FlagChanges): Promise<void> {
  await saveFlagsOfApplications(tx, [uuid], changes);
}

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
