import "server-only";
import { saveFlagsOfApplications } from "@/lib/applications/store-version";
import { type Transaction } from "@/lib/db/transaction";
import { AppCertificateModel } from "@/models/app-certificate";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";
import { FeedbackModel } from "@/models/feedback";

/**
 * Deletes every version of apps and everything kept under their uuids (`directory.md` rule D1). Only the blacklist flag
 * stays, and with it the flags document: its new revision tells compiled policies that the app is gone. Work that waits
 * for an app is the caller's matter: it may be newer than what the caller knows.
 *
 * @returns the apps for which a policy table could tell the difference
 */
export async function deleteApplications(tx: Transaction, uuids: readonly string[]): Promise<readonly string[]> {
  const { session } = tx;
  const all = { $in: [...uuids] };
  const versions = new Map<string, number>();
  for (const { uuid } of await ApplicationModel.find({ uuid: all }, { _id: 0, uuid: 1 }, { session }).lean()) {
    versions.set(uuid, (versions.get(uuid) ?? 0) + 1);
  }
  if (versions.size > 0) await ApplicationModel.deleteMany({ uuid: all }, { session });
  await AppCertificateModel.deleteMany({ _id: all }, { session });
  await FeedbackModel.deleteMany({ uuid: all }, { session });
  const flags = await ApplicationFlagsModel.find({ uuid: all }, null, { session }).lean();
  const decided = new Set(flags.filter((one) => !isPlain(one)).map(({ uuid }) => uuid));
  const changed = uuids.filter((uuid) => versions.has(uuid) || decided.has(uuid));
  if (changed.length === 0) return [];
  await saveFlagsOfApplications(tx, changed, plainFlags);
  for (const uuid of changed) {
    const before = { versions: versions.get(uuid) ?? 0 };
    tx.record({ action: "applications.delete", target: `app:${uuid}`, before });
  }
  return changed;
}

const plainFlags = {
  isAutoApprovedEnabled: false,
  isAdministratorApp: false,
  allowUnknownRpcPassthrough: false,
  hybridAppPreference: null,
} as const;

/** Whether an app's flags are as for one that nobody has decided anything about, the blacklist apart. */
export function isPlain(flags: { readonly [name in keyof typeof plainFlags]?: boolean | string | null }): boolean {
  return (Object.keys(plainFlags) as (keyof typeof plainFlags)[]).every(
    (name) => (flags[name] ?? null) === plainFlags[name],
  );
}

/**
 * Blacklists apps on the word of the directory, also those that are not stored (`directory.md` rule D2). An app that is
 * blacklisted already keeps the time and origin it has.
 *
 * @returns the apps whose flag was set now
 */
export async function blacklistApplications(tx: Transaction, uuids: readonly string[]): Promise<readonly string[]> {
  const banned = { uuid: { $in: [...uuids] }, isBlacklisted: true };
  const known = await ApplicationFlagsModel.find(banned, { _id: 0, uuid: 1 }, { session: tx.session }).lean();
  const knownUuids = new Set(known.map(({ uuid }) => uuid));
  const fresh = uuids.filter((uuid) => !knownUuids.has(uuid));
  if (fresh.length === 0) return [];
  const changes = { isBlacklisted: true, blacklistedTs: tx.now, blacklistOrigin: "directory" } as const;
  await saveFlagsOfApplications(tx, fresh, changes);
  for (const uuid of fresh) {
    tx.record({ action: "applications.blacklist", target: `app:${uuid}`, after: { is_blacklisted: true } });
  }
  return fresh;
}
