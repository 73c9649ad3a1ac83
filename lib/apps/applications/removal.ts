import "server-only";
import { keepDecisions } from "@/lib/apps/applications/removed-apps";
import { plainFlags, saveFlagsOfApplications } from "@/lib/apps/applications/store-version";
import { decidedColumns } from "@/lib/apps/applications/versions";
import type { Transaction } from "@/lib/platform/db/transaction";
import { namesOf, pickStored } from "@/lib/vocabulary/members";
import { AppCertificateModel } from "@/models/app-certificate";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";
import { FeedbackModel } from "@/models/directory/feedback";

/**
 * Deletes apps (`directory.md` rule D1). The blacklist flag stays, and the new revision of its document tells compiled
 * policies that the app is gone. Decisions are kept in case it returns (rule D1a). The caller handles queued work,
 * which may be newer than its data. Returns the apps whose removal may change a policy table.
 */
export async function deleteApplications(tx: Transaction, uuids: readonly string[]): Promise<readonly string[]> {
  const { session } = tx;
  const all = { $in: [...uuids] };
  const stored = await ApplicationModel.find({ uuid: all }, { _id: 0, ...decidedColumns }, { session }).lean();
  const versions = new Map<string, number>();
  for (const { uuid } of stored) versions.set(uuid, (versions.get(uuid) ?? 0) + 1);
  if (versions.size > 0) await ApplicationModel.deleteMany({ uuid: all }, { session });
  await AppCertificateModel.deleteMany({ _id: all }, { session });
  await FeedbackModel.deleteMany({ uuid: all }, { session });
  const flags = await ApplicationFlagsModel.find({ uuid: all }, null, { session }).lean();
  const flagged = new Set(flags.filter((one) => !isPlain(one)).map(({ uuid }) => uuid));
  const changed = uuids.filter((uuid) => versions.has(uuid) || flagged.has(uuid));
  if (changed.length === 0) return [];
  await keepDecisions(tx, changed, { versions: stored, flags });
  await saveFlagsOfApplications(tx, changed, plainFlags);
  for (const uuid of changed) {
    const name = stored.findLast((version) => version.uuid === uuid)?.name ?? null;
    const own = flags.find((one) => one.uuid === uuid);
    const accepted =
      stored.findLast((one) => one.uuid === uuid && one.approvalStatus === "ACCEPTED")?.versionId ?? null;
    const before = {
      name,
      versions: versions.get(uuid) ?? 0,
      accepted,
      ...(own && pickStored(own, namesOf(plainFlags))),
    };
    tx.record({ action: "applications.delete", target: `app:${uuid}`, before });
  }
  return changed;
}

/** The blacklist aside. */
export function isPlain(flags: { readonly [name in keyof typeof plainFlags]?: boolean | string | null }): boolean {
  return namesOf(plainFlags).every((name) => (flags[name] ?? null) === plainFlags[name]);
}

/** Even unknown apps (`directory.md` rule D2). Those already blacklisted keep time and origin and are not returned. */
export async function blacklistApplications(tx: Transaction, uuids: readonly string[]): Promise<readonly string[]> {
  const banned = { uuid: { $in: [...uuids] }, isBlacklisted: true };
  const known = await ApplicationFlagsModel.find(banned, { _id: 0, uuid: 1 }, { session: tx.session }).lean();
  const knownUuids = new Set(known.map(({ uuid }) => uuid));
  const fresh = uuids.filter((uuid) => !knownUuids.has(uuid));
  if (fresh.length === 0) return [];
  const changes = { isBlacklisted: true, blacklistedTs: tx.now, blacklistOrigin: "directory" } as const;
  await saveFlagsOfApplications(tx, fresh, changes);
  for (const uuid of fresh) {
    tx.record({
      action: "applications.blacklist",
      target: `app:${uuid}`,
      before: { is_blacklisted: false },
      after: { is_blacklisted: true },
    });
  }
  return fresh;
}
