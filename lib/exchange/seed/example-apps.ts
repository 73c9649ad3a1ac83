import { buildApplicationVersion } from "@/lib/apps/applications/rules";
import {
  blacklistChanges,
  saveApplicationFlags,
  saveApplicationVersion,
  type FlagChanges,
} from "@/lib/apps/applications/store-version";
import type { Transaction } from "@/lib/platform/db/transaction";
import type { ExampleApp } from "@/lib/exchange/seed/schema";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ServiceTypeModel } from "@/models/directory/service-type";

/**
 * Stores the made-up apps with the decisions an administrator would have made. A database that knows any app at all is
 * left alone: example apps must never appear among real ones.
 */
export async function saveExampleApps(tx: Transaction, apps: readonly ExampleApp[]): Promise<void> {
  const { session } = tx;
  const known = await ApplicationFlagsModel.findOne({ _id: { $gt: 0 } }, { _id: 1 }, { session }).lean();
  if (known !== null) return;
  const serviceTypes = await ServiceTypeModel.find({}, {}, { session }).sort({ name: 1 }).lean();
  const undecided = { isBlacklisted: false, isAutoApprovedEnabled: false };
  const defaults = { ...undecided, autoApproveAllApps: false, encryptionRequired: false };
  for (const app of apps) {
    const version = buildApplicationVersion(app, { defaults, serviceTypes, now: tx.now });
    await saveApplicationVersion(tx, {
      ...version,
      approvalStatus: app.local?.approval_status ?? version.approvalStatus,
      denialMessage: app.local?.denial_message ?? null,
      encryptionRequired: app.local?.encryption_required ?? version.encryptionRequired,
      groupGrants: app.local?.group_grants ?? [],
    });
    await saveApplicationFlags(tx, app.uuid, buildFlags(app, tx.now));
  }
}

/** Only what the file states: a second version of an app must not take back what the first said. */
function buildFlags({ local = {} }: ExampleApp, now: Date): FlagChanges {
  return {
    ...(local.is_auto_approved_enabled !== undefined && { isAutoApprovedEnabled: local.is_auto_approved_enabled }),
    ...(local.is_administrator_app !== undefined && { isAdministratorApp: local.is_administrator_app }),
    ...(local.allow_unknown_rpc_passthrough !== undefined && {
      allowUnknownRpcPassthrough: local.allow_unknown_rpc_passthrough,
    }),
    ...(local.hybrid_app_preference !== undefined && { hybridAppPreference: local.hybrid_app_preference }),
    ...(local.is_blacklisted === true && blacklistChanges(true, now)),
  };
}
