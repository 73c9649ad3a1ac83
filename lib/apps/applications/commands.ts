import "server-only";
import { requireVersion, saveChange, unknownApplication } from "@/lib/apps/applications/approval";
import { isLinkedPermission } from "@/lib/apps/applications/reference";
import type { GroupGrantBody, ServicePermissionBody } from "@/lib/apps/applications/schema";
import { saveApplicationFlags } from "@/lib/apps/applications/store-version";
import { byCodeUnit } from "@/lib/vocabulary/order";
import type { AuditEntry } from "@/lib/platform/db/audit";
import type { Transaction, WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { ApplicationFlagsModel, type ApplicationFlagsRecord } from "@/models/application-flags";
import { ApplicationModel, type ApplicationRecord } from "@/models/application";
import { FunctionalGroupModel } from "@/models/functional-group";

/* Every command is one transaction; if nothing changes, it raises no revision and leaves no audit event. */

/** `api.md` 4.2. Returns the ids of versions that still wait, ascending. Throws AppError 400 for an unknown uuid. */
export async function saveAutoApproval(context: WriteContext, uuid: string, isEnabled: boolean): Promise<number[]> {
  await saveFlag(context, uuid, "isAutoApprovedEnabled", isEnabled);
  if (!isEnabled) return [];
  const pending = await ApplicationModel.find({ uuid, approvalStatus: "PENDING" }, { _id: 1 }).sort({ _id: 1 }).lean();
  return pending.map(({ _id }) => _id);
}

const flagActions = {
  isAutoApprovedEnabled: "applications.auto",
  isAdministratorApp: "applications.administrator",
  allowUnknownRpcPassthrough: "applications.passthrough",
  hybridAppPreference: "applications.hybrid",
  priority: "applications.priority",
} as const;

/** Sets a flag of an app (`api.md` 4.2 to 4.5, 4.8). Throws AppError 400 for an unknown uuid. */
export function saveFlag<Name extends keyof typeof flagActions>(
  context: WriteContext,
  uuid: string,
  name: Name,
  value: NonNullable<ApplicationFlagsRecord[Name]>,
): Promise<void> {
  return saveChange(context, (tx) => changeFlag(tx, uuid, name, value));
}

/** `saveFlag` within a larger transaction; false if nothing changes. */
export async function changeFlag<Name extends keyof typeof flagActions>(
  tx: Transaction,
  uuid: string,
  name: Name,
  value: NonNullable<ApplicationFlagsRecord[Name]>,
): Promise<boolean> {
  const known = await ApplicationModel.findOne({ uuid }, { _id: 1 }, { session: tx.session }).lean();
  if (known === null) throw unknownApplication();
  const flags = await ApplicationFlagsModel.findOne({ uuid }, null, { session: tx.session }).lean();
  const before = flags?.[name] ?? null;
  if (before === value) return false;
  await saveApplicationFlags(tx, uuid, { [name]: value });
  tx.record({
    action: flagActions[name],
    target: `app:${uuid}`,
    before: { [name]: before },
    after: { [name]: value },
  });
  return true;
}

/** Sets whether one version must encrypt its RPCs (`api.md` 4.6). Throws AppError 400 for an unknown id. */
export function saveEncryption(context: WriteContext, id: number, isRequired: boolean): Promise<void> {
  return saveChange(context, (tx) => changeEncryption(tx, id, isRequired));
}

/** `saveEncryption` within a larger transaction; false if nothing changes. */
export function changeEncryption(tx: Transaction, id: number, isRequired: boolean): Promise<boolean> {
  return changeVersionIn(tx, id, ({ encryptionRequired }) => {
    return encryptionRequired === isRequired
      ? null
      : {
          set: { encryptionRequired: isRequired },
          action: "applications.encryption",
          before: { encryption_required: encryptionRequired },
          after: { encryption_required: isRequired },
        };
  });
}

/** `api.md` 4.7. Throws AppError 400 for an unknown or accepted version, or a grant that the type does not offer. */
export function saveServicePermission(context: WriteContext, body: ServicePermissionBody): Promise<void> {
  const { id, is_selected: isSelected, service_type_name: name, permission_name: permission } = body;
  return changeVersion(context, id, async (version, { session }) => {
    requireOpen(version, "Service permissions of an accepted version are fixed");
    const service = version.services.find((provided) => provided.name === name);
    if (isSelected && !(service !== undefined && (await isLinkedPermission(name, permission, session)))) {
      throw new AppError("invalid", "Unknown service permission");
    }
    const before = service?.selectedPermissions ?? [];
    const selectedPermissions = withMember(before, permission, isSelected);
    if (selectedPermissions === before) return null;
    return {
      set: {
        services: version.services.map(({ name: type, displayName, serviceNames, selectedPermissions: own }) => ({
          ...{ name: type, displayName, serviceNames },
          selectedPermissions: type === name ? selectedPermissions : own,
        })),
      },
      action: isSelected ? "applications.service.grant" : "applications.service.revoke",
      after: { service: name, permission },
    };
  });
}

/** Stored by name, so that it follows edits of the group (`api.md` 5.2). Throws AppError 400 if it is not allowed. */
export function saveGroupGrant(context: WriteContext, body: GroupGrantBody): Promise<void> {
  const { app_id: id, is_selected: isSelected, property_name: name } = body;
  return changeVersion(context, id, async (version, tx) => {
    requireOpen(version, "Group grants of an accepted version are fixed");
    if (isSelected) await requireGroup(tx, name);
    const groupGrants = withMember(version.groupGrants, name, isSelected);
    if (groupGrants === version.groupGrants) return null;
    return {
      set: { groupGrants },
      action: isSelected ? "applications.groups.grant" : "applications.groups.revoke",
      after: { group: name },
    };
  });
}

interface VersionChange extends Omit<AuditEntry, "target"> {
  readonly set: {
    readonly encryptionRequired?: boolean;
    readonly groupGrants?: readonly string[];
    readonly services?: readonly {
      readonly name: string;
      readonly displayName: string;
      readonly serviceNames: readonly string[];
      readonly selectedPermissions: readonly string[];
    }[];
  };
}

/** Stamps the app too, so that compiled policies reload it. `plan` returns null if nothing changes. */
function changeVersion(
  context: WriteContext,
  id: number,
  plan: (version: ApplicationRecord, tx: Transaction) => VersionChange | null | Promise<VersionChange | null>,
): Promise<void> {
  return saveChange(context, (tx) => changeVersionIn(tx, id, plan));
}

type PlanChange = Parameters<typeof changeVersion>[2];

async function changeVersionIn(tx: Transaction, id: number, plan: PlanChange): Promise<boolean> {
  const version = await requireVersion(tx, id);
  const change = await plan(version, tx);
  if (change === null) return false;
  const { set, ...event } = change;
  await ApplicationModel.updateOne({ _id: id }, { $set: set }, { session: tx.session });
  await saveApplicationFlags(tx, version.uuid, {});
  tx.record({ ...event, target: `application:${id}` });
  return true;
}

/** A group is in the staging view once any record of its name is stored. */
async function requireGroup(tx: Transaction, name: string): Promise<void> {
  const known = await FunctionalGroupModel.findOne({ name }, { _id: 1 }, { session: tx.session }).lean();
  if (known === null) throw new AppError("invalid", "Unknown functional group");
}

function requireOpen({ approvalStatus }: ApplicationRecord, sentence: string): void {
  if (approvalStatus === "ACCEPTED") throw new AppError("invalid", sentence);
}

/** Returns the same array if nothing changes. */
function withMember(names: readonly string[], name: string, isMember: boolean): readonly string[] {
  if (names.includes(name) === isMember) return names;
  return isMember ? [...names, name].sort(byCodeUnit) : names.filter((one) => one !== name);
}
