import "server-only";
import { isLinkedPermission } from "@/lib/applications/reference";
import { type ActionBody, type GroupGrantBody, type ServicePermissionBody } from "@/lib/applications/schema";
import { saveApplicationFlags, type FlagChanges } from "@/lib/applications/store-version";
import { requireTakenEntry } from "@/lib/applications/decision-check";
import { byCodeUnit } from "@/lib/words/order";
import { saveFeedback } from "@/lib/applications/feedback";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { type HybridPreference } from "@/lib/words/vocabulary";
import { ApplicationFlagsModel, type ApplicationFlagsRecord } from "@/models/application-flags";
import { ApplicationModel, type ApplicationRecord } from "@/models/application";
import { FunctionalGroupModel } from "@/models/functional-group";

/*
 * Every command is one transaction and idempotent (`api.md` section 4): what is as asked for already stays untouched,
 * raises no revision and leaves no audit event.
 */

/**
 * Sets the approval status of one version, and the blacklist flag of its app when asked to (`api.md` 4.1). The
 * directory is told by a durable element that is written with it (`directory.md` rules P1 to P4).
 *
 * @throws AppError 400 "Unknown application", or when `uuid` is not that of the version; 409 with `data.findings` when head
 *   units would refuse a policy table afterwards for the app's entry, and `force` is false
 */
export function saveApproval(context: WriteContext, body: ActionBody): Promise<void> {
  return inTransaction(context, async (tx) => {
    const version = await requireVersion(tx, body.id);
    const { uuid } = version;
    if (body.uuid !== undefined && body.uuid !== null && body.uuid !== uuid) {
      throw new AppError("invalid", "uuid does not match the application");
    }
    const flags = await ApplicationFlagsModel.findOne({ uuid }, null, { session: tx.session }).lean();
    const before = {
      approval_status: version.approvalStatus,
      denial_message: version.denialMessage ?? null,
      is_blacklisted: flags?.isBlacklisted ?? false,
    };
    const after = {
      approval_status: body.approval_status,
      denial_message: body.denial_message === "" ? null : (body.denial_message ?? null),
      is_blacklisted: body.blacklist ?? before.is_blacklisted,
    };
    if (isEqual(before, after)) {
      tx.keepRevision();
      return;
    }

    if (!body.force) {
      await requireTakenEntry(tx, {
        version,
        isAdministratorApp: flags?.isAdministratorApp ?? false,
        wasBlocked: before.is_blacklisted,
        isBlocked: after.is_blacklisted,
        status: after.approval_status,
      });
    }

    const set = { approvalStatus: after.approval_status, denialMessage: after.denial_message, holds: [] };
    await ApplicationModel.updateOne({ _id: version._id }, { $set: set }, { session: tx.session });
    const isFlagChanged = before.is_blacklisted !== after.is_blacklisted;
    await saveApplicationFlags(tx, uuid, isFlagChanged ? blacklistChanges(tx, after.is_blacklisted) : {});
    await saveFeedback(tx, {
      uuid,
      versionId: version.versionId ?? null,
      approvalStatus: after.approval_status,
      notes: after.denial_message,
      blacklist: after.is_blacklisted,
    });
    tx.record({ action: "applications.action", target: `application:${version._id}`, before, after });
  });
}

function blacklistChanges(tx: Transaction, isBlacklisted: boolean): FlagChanges {
  return isBlacklisted
    ? { isBlacklisted, blacklistedTs: tx.now, blacklistOrigin: "administrator" }
    : { isBlacklisted, blacklistedTs: null, blacklistOrigin: null };
}

/**
 * Turns automatic approval of an app's future versions on or off (`api.md` 4.2).
 *
 * @returns the ids of versions that wait all the same, ascending; none when it is off
 * @throws AppError 400 for an unknown uuid
 */
export async function saveAutoApproval(context: WriteContext, uuid: string, isEnabled: boolean): Promise<number[]> {
  await saveFlag(context, "applications.auto", uuid, "isAutoApprovedEnabled", isEnabled);
  if (!isEnabled) return [];
  const pending = await ApplicationModel.find({ uuid, approvalStatus: "PENDING" }, { _id: 1 }).sort({ _id: 1 }).lean();
  return pending.map(({ _id }) => _id);
}

/** Gives an app the administrator groups or takes them away (`api.md` 4.3). Throws 400 for an unknown uuid. */
export function saveAdministrator(context: WriteContext, uuid: string, isAdministrator: boolean): Promise<void> {
  return saveFlag(context, "applications.administrator", uuid, "isAdministratorApp", isAdministrator);
}

/** Lets an app pass RPCs through that the core does not know, or not (`api.md` 4.4). Throws 400 for an unknown uuid. */
export function savePassthrough(context: WriteContext, uuid: string, isAllowed: boolean): Promise<void> {
  return saveFlag(context, "applications.passthrough", uuid, "allowUnknownRpcPassthrough", isAllowed);
}

/** Says which form of a hybrid app is preferred (`api.md` 4.5). Throws 400 for an unknown uuid. */
export function saveHybridPreference(context: WriteContext, uuid: string, preference: HybridPreference): Promise<void> {
  return saveFlag(context, "applications.hybrid", uuid, "hybridAppPreference", preference);
}

type FlagName = "isAutoApprovedEnabled" | "isAdministratorApp" | "allowUnknownRpcPassthrough" | "hybridAppPreference";

function saveFlag<Name extends FlagName>(
  context: WriteContext,
  action: string,
  uuid: string,
  name: Name,
  value: NonNullable<ApplicationFlagsRecord[Name]>,
): Promise<void> {
  return inTransaction(context, async (tx) => {
    const known = await ApplicationModel.findOne({ uuid }, { _id: 1 }, { session: tx.session }).lean();
    if (known === null) throw unknownApplication();
    const flags = await ApplicationFlagsModel.findOne({ uuid }, null, { session: tx.session }).lean();
    const before = flags?.[name] ?? null;
    if (before === value) {
      tx.keepRevision();
      return;
    }
    await saveApplicationFlags(tx, uuid, { [name]: value });
    tx.record({ action, target: `app:${uuid}`, before: { [name]: before }, after: { [name]: value } });
  });
}

/** Says whether one version must encrypt its RPCs (`api.md` 4.6). Throws 400 for an unknown id. */
export function saveEncryption(context: WriteContext, id: number, isRequired: boolean): Promise<void> {
  return inTransaction(context, async (tx) => {
    const version = await requireVersion(tx, id);
    if (version.encryptionRequired === isRequired) {
      tx.keepRevision();
      return;
    }
    await saveVersion(tx, version, { encryptionRequired: isRequired });
    tx.record({
      action: "applications.encryption",
      target: `application:${id}`,
      before: { encryption_required: version.encryptionRequired },
      after: { encryption_required: isRequired },
    });
  });
}

/**
 * Grants or revokes one permission of one service type for one version (`api.md` 4.7).
 *
 * @throws AppError 400 for an unknown version, an accepted one, or a grant that the service type does not offer
 */
export function saveServicePermission(context: WriteContext, body: ServicePermissionBody): Promise<void> {
  const { id, is_selected: isSelected, service_type_name: name, permission_name: permission } = body;
  return inTransaction(context, async (tx) => {
    const version = await requireVersion(tx, id);
    requireOpen(version, "Service permissions of an accepted version are fixed");
    const service = version.services.find((provided) => provided.name === name);
    if (isSelected && !(service !== undefined && (await isLinkedPermission(name, permission, tx.session)))) {
      throw new AppError("invalid", "Unknown service permission");
    }
    const before = service?.selectedPermissions ?? [];
    const after = withMember(before, permission, isSelected);
    if (after === before) {
      tx.keepRevision();
      return;
    }
    await saveVersion(tx, version, {
      services: version.services.map(({ name: type, displayName, serviceNames, selectedPermissions }) => ({
        name: type,
        displayName,
        serviceNames,
        selectedPermissions: type === name ? after : selectedPermissions,
      })),
    });
    tx.record({
      action: isSelected ? "applications.service.grant" : "applications.service.revoke",
      target: `application:${id}`,
      after: { service: name, permission },
    });
  });
}

/**
 * Grants a functional group to one version by hand, or takes the grant back (`api.md` 5.2). Kept by name, so that it
 * follows later edits of the group.
 *
 * @throws AppError 400 for an unknown version, an accepted one, or a grant of an unknown group
 */
export function saveGroupGrant(context: WriteContext, body: GroupGrantBody): Promise<void> {
  const { app_id: id, is_selected: isSelected, property_name: name } = body;
  return inTransaction(context, async (tx) => {
    const version = await requireVersion(tx, id);
    requireOpen(version, "Group grants of an accepted version are fixed");
    if (isSelected) await requireGroup(tx, name);
    const after = withMember(version.groupGrants, name, isSelected);
    if (after === version.groupGrants) {
      tx.keepRevision();
      return;
    }
    await saveVersion(tx, version, { groupGrants: after });
    tx.record({
      action: isSelected ? "applications.groups.grant" : "applications.groups.revoke",
      target: `application:${id}`,
      after: { group: name },
    });
  });
}

/** A group is in the staging view as soon as a record of its name is stored. */
async function requireGroup(tx: Transaction, name: string): Promise<void> {
  const known = await FunctionalGroupModel.findOne({ name }, { _id: 1 }, { session: tx.session }).lean();
  if (known === null) throw new AppError("invalid", "Unknown functional group");
}

async function requireVersion(tx: Transaction, id: number): Promise<ApplicationRecord> {
  const version = await ApplicationModel.findOne({ _id: id }, null, { session: tx.session }).lean();
  if (version === null) throw unknownApplication();
  return version;
}

function unknownApplication(): AppError {
  return new AppError("invalid", "Unknown application");
}

function requireOpen({ approvalStatus }: ApplicationRecord, sentence: string): void {
  if (approvalStatus === "ACCEPTED") throw new AppError("invalid", sentence);
}

/** What a command may change in a version, besides its status. */
interface VersionChanges {
  readonly encryptionRequired?: boolean;
  readonly groupGrants?: readonly string[];
  readonly services?: readonly {
    readonly name: string;
    readonly displayName: string;
    readonly serviceNames: readonly string[];
    readonly selectedPermissions: readonly string[];
  }[];
}

/** Changes a version and stamps its app, so that compiled policies take it up. */
async function saveVersion(tx: Transaction, { _id, uuid }: ApplicationRecord, set: VersionChanges): Promise<void> {
  await ApplicationModel.updateOne({ _id }, { $set: set }, { session: tx.session });
  await saveApplicationFlags(tx, uuid, {});
}

/** The names with or without one of them, ascending; the same list when nothing changes. */
function withMember(names: readonly string[], name: string, isMember: boolean): readonly string[] {
  if (names.includes(name) === isMember) return names;
  return isMember ? [...names, name].sort(byCodeUnit) : names.filter((one) => one !== name);
}

function isEqual<T extends object>(one: T, other: T): boolean {
  return (Object.keys(one) as (keyof T)[]).every((member) => one[member] === other[member]);
}
