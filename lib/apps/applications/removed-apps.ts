import "server-only";
import type { NewApplicationVersion } from "@/lib/apps/applications/rules";
import { plainFlags, saveApplicationFlags } from "@/lib/apps/applications/store-version";
import type { Transaction } from "@/lib/platform/db/transaction";
import { namesOf, pickStored } from "@/lib/vocabulary/members";
import type { ApplicationFlagsRecord } from "@/models/application-flags";
import type { ApplicationRecord } from "@/models/application";
import { RemovedApplicationModel, type RemovedApplicationRecord } from "@/models/directory/removed-application";

/** How long decisions about a deleted app are kept (`directory.md` rule D1a), in milliseconds. */
export const keptMs = 30 * 86_400_000;

type KeptVersion = RemovedApplicationRecord["versions"][number];
export type DecidedVersion = Pick<
  ApplicationRecord,
  "uuid" | "versionId" | "approvalStatus" | "denialMessage" | "encryptionRequired" | "groupGrants" | "services"
>;

const keyOf = (uuid: string) => uuid.toLowerCase();

/** Data kept from an earlier deletion stays if it is about other versions. */
export async function keepDecisions(
  tx: Transaction,
  uuids: readonly string[],
  {
    versions,
    flags,
  }: { readonly versions: readonly DecidedVersion[]; readonly flags: readonly ApplicationFlagsRecord[] },
): Promise<void> {
  const earlier = await findRemovedApps(tx, uuids);
  const documents = uuids.map((uuid) => {
    const own = versions.filter((version) => version.uuid === uuid).map(toKept);
    const numbers = new Set(own.map(({ versionId }) => versionId));
    const others = earlier.get(keyOf(uuid))?.versions.filter(({ versionId = null }) => !numbers.has(versionId)) ?? [];
    const now = flags.find((one) => one.uuid === uuid);
    return {
      _id: keyOf(uuid),
      removedAt: tx.now,
      ...(now === undefined ? plainFlags : pickStored(now, namesOf(plainFlags))),
      isReturned: false,
      versions: [...own, ...others],
    };
  });
  const { session } = tx;
  await RemovedApplicationModel.deleteMany({ _id: { $in: documents.map(({ _id }) => _id) } }, { session });
  await RemovedApplicationModel.insertMany(documents, { session, lean: true });
}

function toKept({ versionId, denialMessage, services, ...version }: DecidedVersion) {
  const { approvalStatus, encryptionRequired, groupGrants } = version;
  return {
    ...{ versionId: versionId ?? null, approvalStatus, denialMessage: denialMessage ?? null, encryptionRequired },
    groupGrants: [...groupGrants],
    services: services.map(({ name, selectedPermissions }) => ({
      name,
      selectedPermissions: [...selectedPermissions],
    })),
  };
}

/** By lower-case uuid. */
export async function findRemovedApps(
  { session, now }: Transaction,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, RemovedApplicationRecord>> {
  const kept = { _id: { $in: uuids.map(keyOf) }, removedAt: { $gt: new Date(now.getTime() - keptMs) } };
  const found = await RemovedApplicationModel.find(kept, null, { session }).lean();
  return new Map(found.map((record) => [record._id, record]));
}

/** Restores the flags of a returning app, once. */
export async function giveFlagsBack(tx: Transaction, uuid: string, kept: RemovedApplicationRecord): Promise<void> {
  const flags = pickStored(kept, namesOf(plainFlags));
  await RemovedApplicationModel.updateOne({ _id: kept._id }, { $set: { isReturned: true } }, { session: tx.session });
  await saveApplicationFlags(tx, uuid, flags);
  tx.record({ action: "applications.return", target: `app:${uuid}`, before: { ...plainFlags }, after: flags });
}

export function findKeptVersion(
  kept: RemovedApplicationRecord | undefined,
  { versionId }: Pick<NewApplicationVersion, "versionId">,
): KeptVersion | null {
  return kept?.versions.find((version) => (version.versionId ?? null) === versionId) ?? null;
}

/** A blacklist overrides the kept decision; PENDING is no decision. */
export function giveDecisionBack(
  version: NewApplicationVersion,
  kept: KeptVersion,
  isBlacklisted: boolean,
): NewApplicationVersion {
  const { approvalStatus, denialMessage = null, encryptionRequired } = kept;
  const isDecided = approvalStatus !== "PENDING" && !isBlacklisted;
  return {
    ...version,
    ...(isDecided && { approvalStatus, denialMessage }),
    encryptionRequired: isDecided ? encryptionRequired : version.encryptionRequired || encryptionRequired,
    groupGrants: [...kept.groupGrants],
    services: version.services.map((service) => {
      const before = kept.services.find(({ name }) => name === service.name);
      return before === undefined ? service : { ...service, selectedPermissions: [...before.selectedPermissions] };
    }),
  };
}
