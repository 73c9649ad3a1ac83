import "server-only";
import { saveApplicationFlags } from "@/lib/applications/store-version";
import { type Transaction } from "@/lib/db/transaction";
import { AppCertificateModel } from "@/models/app-certificate";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";
import { FeedbackModel } from "@/models/feedback";
import { WebhookJobModel } from "@/models/webhook-job";

/**
 * Deletes every version of an app and everything kept under its uuid (`directory.md` rule D1). Only the blacklist flag
 * stays, and with it the flags document: its new revision tells compiled policies that the app is gone.
 *
 * @returns whether anything but waiting work was there to delete
 */
export async function deleteApplication(tx: Transaction, uuid: string): Promise<boolean> {
  const { session } = tx;
  const { deletedCount } = await ApplicationModel.deleteMany({ uuid }, { session });
  await AppCertificateModel.deleteOne({ _id: uuid }, { session });
  await FeedbackModel.deleteMany({ uuid }, { session });
  await WebhookJobModel.deleteOne({ _id: uuid }, { session });
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

function isPlain(flags: { readonly [name in keyof typeof plainFlags]?: boolean | string | null }): boolean {
  return (Object.keys(plainFlags) as (keyof typeof plainFlags)[]).every(
    (name) => (flags[name] ?? null) === plainFlags[name],
  );
}

/**
 * Blacklists an app on the word of the directory, also when it is not stored (`directory.md` rule D2). An app that is
 * blacklisted already keeps the time and origin it has.
 *
 * @returns whether the flag was set now
 */
export async function blacklistApplication(tx: Transaction, uuid: string): Promise<boolean> {
  await WebhookJobModel.deleteOne({ _id: uuid }, { session: tx.session });
  const flags = await ApplicationFlagsModel.findOne({ uuid }, null, { session: tx.session }).lean();
  if (flags?.isBlacklisted === true) return false;
  await saveApplicationFlags(tx, uuid, { isBlacklisted: true, blacklistedTs: tx.now, blacklistOrigin: "directory" });
  tx.record({ action: "applications.blacklist", target: `app:${uuid}`, after: { is_blacklisted: true } });
  return true;
}
