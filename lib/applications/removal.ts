import "server-only";
import { saveApplicationFlags, saveFlagsOfApplications } from "@/lib/applications/store-version";
import { type Transaction } from "@/lib/db/transaction";
import { AppCertificateModel } from "@/models/app-certificate";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";
import { FeedbackModel } from "@/models/feedback";

/**
 * Deletes every version of an app and everything kept under its uuid (`directory.md` rule D1). Only the blacklist flag
 * stays, and with it the flags document: its new revision tells compiled policies that the app is gone. Work that waits
 * for the app is the caller's matter: it may be newer than what the caller knows.
 *
 * @returns whether a policy table could tell the difference
 */
export async function deleteApplication(tx: Transaction, uuid: string): Promise<boolean> {
  const { session } = tx;
  const { deletedCount } = await ApplicationModel.deleteMany({ uuid }, { session });
  await AppCertificateModel.deleteOne({ _id: uuid }, { session });
  await FeedbackModel.deleteMany({ uuid }, { session });
  const flags = await ApplicationFlagsModel.findOne({ uuid }, null, { session }).lean();
  const isChanged = deletedCount > 0 || (flags !== null && !isPlain(flags));
  if (!isChanged) return false;
  await saveApplicationFlags(tx, uuid, plainFlags);
  tx.record({ action: "applications.delete", target: `app:${uuid}`, before: { versions: deletedCount } });
  return true;
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

/** Blacklists one app, as `blacklistApplications` does. Returns whether the flag was set now. */
export async function blacklistApplication(tx: Transaction, uuid: string): Promise<boolean> {
  return (await blacklistApplications(tx, [uuid])).length > 0;
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
