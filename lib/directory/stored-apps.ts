import "server-only";
import { isPlain } from "@/lib/applications/removal";
import { inDatabase } from "@/lib/db/operation";
import { type StoredApps } from "@/lib/directory/plan-applications";
import { type RecordHead } from "@/lib/directory/read-record";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";

/**
 * Reads what is stored about the apps of a batch, as far as it decides whether anything is to be done. Most batches
 * bring nothing new, so this is all they cost.
 *
 * @throws DatabaseUnavailable
 */
export function loadStoredApps(heads: readonly RecordHead[]): Promise<StoredApps> {
  const leaving = heads.filter(({ isDeleted, isBlacklisted }) => isDeleted || isBlacklisted);
  return inDatabase(async () => {
    const versions = await findVersions(uuidsOf(heads));
    return { versions, ...(await findFlags(uuidsOf(leaving))) };
  });
}

const uuidsOf = (heads: readonly RecordHead[]) => [...new Set(heads.map(({ uuid }) => uuid))];

async function findVersions(uuids: readonly string[]): Promise<StoredApps["versions"]> {
  const versions = new Map<string, Set<number | null>>();
  if (uuids.length === 0) return versions;
  const projection = { _id: 0, uuid: 1, versionId: 1 } as const;
  for (const { uuid, versionId = null } of await ApplicationModel.find({ uuid: { $in: uuids } }, projection).lean()) {
    const known = versions.get(uuid);
    if (known === undefined) versions.set(uuid, new Set([versionId]));
    else known.add(versionId);
  }
  return versions;
}

async function findFlags(uuids: readonly string[]): Promise<Pick<StoredApps, "decided" | "blacklisted">> {
  const found = uuids.length === 0 ? [] : await ApplicationFlagsModel.find({ uuid: { $in: uuids } }).lean();
  const decided = found.filter((flags) => !isPlain(flags));
  const blacklisted = found.filter(({ isBlacklisted }) => isBlacklisted);
  return {
    decided: new Set(decided.map(({ uuid }) => uuid)),
    blacklisted: new Set(blacklisted.map(({ uuid }) => uuid)),
  };
}
