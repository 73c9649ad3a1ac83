import "server-only";
import type { ClientSession } from "mongoose";
import { saveFeedback } from "@/lib/applications/feedback";
import { saveApplicationFlags } from "@/lib/applications/store-version";
import { requireWriterMay } from "@/lib/auth/may";
import type { Transaction } from "@/lib/db/transaction";
import { planApp, type StoredApp } from "@/lib/exchange/app-plan";
import type { AppItem } from "@/lib/exchange/schema";
import { createPacer } from "@/lib/process/pacer";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";

const versionMembers = {
  uuid: 1,
  versionId: 1,
  approvalStatus: 1,
  denialMessage: 1,
  encryptionRequired: 1,
  groupGrants: 1,
  services: 1,
} as const;

/** What was decided about apps, as items; apps about which nothing was decided are left out. */
export async function loadAppItems(session: ClientSession): Promise<readonly AppItem[]> {
  const apps = await loadApps({}, session);
  return Array.from(apps.values(), ({ item }) => item).filter(isDecided);
}

function isDecided({ uuid: _, versions, ...flags }: AppItem): boolean {
  if (Object.values(flags).some((flag) => flag !== undefined && flag !== false)) return true;
  return versions.some(({ approval_status: status, encryption_required: encrypted, groups = [], services = [] }) => {
    return status !== "PENDING" || encrypted === true || groups.length > 0 || services.length > 0;
  });
}

async function loadApps(filter: object, session: ClientSession): Promise<Map<string, StoredApp>> {
  const pace = createPacer();
  const flags = new Map<string, Awaited<ReturnType<typeof findFlags>>[number]>();
  for (const one of await findFlags(filter, session)) flags.set(one.uuid, one);
  const found = new Map<string, { ids: number[]; item: AppItem & { versions: AppItem["versions"] } }>();
  for await (const version of ApplicationModel.find(filter, versionMembers, { session }).sort({ _id: 1 }).lean()) {
    const { uuid } = version;
    const own = flags.get(uuid);
    const app = found.get(uuid) ?? {
      ids: [],
      item: {
        uuid,
        is_auto_approved_enabled: own?.isAutoApprovedEnabled ?? false,
        is_administrator_app: own?.isAdministratorApp ?? false,
        allow_unknown_rpc_passthrough: own?.allowUnknownRpcPassthrough ?? false,
        is_blacklisted: own?.isBlacklisted ?? false,
        ...(own?.hybridAppPreference ? { hybrid_preference: own.hybridAppPreference } : {}),
        versions: [],
      },
    };
    app.ids.push(version._id);
    app.item.versions.push({
      version: version.versionId ?? null,
      approval_status: version.approvalStatus,
      ...(version.denialMessage ? { denial_message: version.denialMessage } : {}),
      encryption_required: version.encryptionRequired,
      groups: version.groupGrants,
      services: version.services
        .filter(({ selectedPermissions }) => selectedPermissions.length > 0)
        .map(({ name, selectedPermissions }) => ({ name, permissions: selectedPermissions })),
    });
    found.set(uuid, app);
    await pace();
  }
  return found;
}

const findFlags = (filter: object, session: ClientSession) =>
  ApplicationFlagsModel.find(filter, null, { session }).lean();

/** What an import did to apps, or would do. */
export interface AppOutcome {
  readonly changed: readonly { readonly uuid: string; readonly before: AppItem; readonly after: AppItem }[];
  /** Sentences about what was left as it is. */
  readonly left: readonly string[];
}

/**
 * Applies decisions about apps that are known here (`exchange.md` X2). What production accepts is not decided by a file: a
 * version that a document calls accepted waits for its publication, in staging.
 *
 * @throws AppError 403 naming the role that a decision needs
 */
export async function saveAppItems(tx: Transaction, items: readonly AppItem[]): Promise<AppOutcome> {
  const apps = await loadApps({ uuid: { $in: items.map(({ uuid }) => uuid) } }, tx.session);
  const outcome = { changed: [] as AppOutcome["changed"][number][], left: [] as string[] };
  for (const item of items) {
    const stored = apps.get(item.uuid);
    const plan = planApp(item, stored ?? null);
    outcome.left.push(...plan.left);
    if (stored === undefined || !plan.isChange) continue;
    requireWriterMay(tx.writer, plan.needs);
    await apply(tx, item.uuid, plan);
    outcome.changed.push({ uuid: item.uuid, before: stored.item, after: plan.after });
    tx.record({ action: "applications.import", target: `app:${item.uuid}` });
  }
  return outcome;
}

async function apply(tx: Transaction, uuid: string, { flags, versions }: ReturnType<typeof planApp>): Promise<void> {
  const { isBlacklisted, ...others } = flags;
  const blacklist =
    isBlacklisted === undefined
      ? {}
      : {
          isBlacklisted,
          blacklistedTs: isBlacklisted ? tx.now : null,
          blacklistOrigin: isBlacklisted ? ("administrator" as const) : null,
        };
  for (const { id, versionId, set, services } of versions) {
    const version = await ApplicationModel.findOne({ _id: id }, { services: 1 }, { session: tx.session }).lean();
    const granted = (version?.services ?? []).map(({ name, displayName, serviceNames }) => ({
      ...{ name, displayName, serviceNames },
      selectedPermissions: services.find((one) => one.name === name)?.permissions ?? [],
    }));
    await ApplicationModel.updateOne({ _id: id }, { $set: { ...set, services: granted } }, { session: tx.session });
    if (set.approvalStatus === "LIMITED") {
      const notes = set.denialMessage ?? null;
      const decided = { uuid, versionId, approvalStatus: set.approvalStatus, notes, blacklist: isBlacklisted ?? false };
      await saveFeedback(tx, decided);
    }
  }
  await saveApplicationFlags(tx, uuid, { ...others, ...blacklist });
}
