import "server-only";
import type { ApplicationGroupJson } from "@/lib/apps/applications/answer-schema";
import type { ApplicationGroupsQuery } from "@/lib/apps/applications/schema";
import { rawCollection, requireDatabase } from "@/lib/platform/db/connection/connect";
import { findHeadIds } from "@/lib/platform/db/heads";
import { findPrompts } from "@/lib/records/groups/queries";
import { toFlagsJson } from "@/lib/records/groups/wire";
import { appGroupFinder } from "@/lib/policy/table/app-groups";
import {
  appVersionProjection,
  groupDocument,
  permissionDocument,
  readAppVersion,
} from "@/lib/policy/documents/documents";
import { Interner } from "@/lib/policy/documents/interner";
import { byLowerCase } from "@/lib/vocabulary/order";
import type { SnapshotGroup } from "@/lib/policy/table/snapshot";
import type { Environment } from "@/lib/vocabulary/terms";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";
import { FunctionalGroupModel, type FunctionalGroupRecord } from "@/models/functional-group";
import { PermissionModel } from "@/models/permission";

interface Access {
  readonly granted: ReadonlySet<string>;
  /** Names granted by any rule, regardless of the version's status. */
  readonly found: ReadonlySet<string>;
}
const noAccess: Access = { granted: new Set(), found: new Set() };

/** `api.md` 5.1. Leaves out deleted groups; an unknown version has none. */
export async function listApplicationGroups(query: ApplicationGroupsQuery): Promise<ApplicationGroupJson[]> {
  await requireDatabase();
  const ids = await findHeadIds("group", query.environment);
  const groups = await FunctionalGroupModel.find({ _id: { $in: ids }, isDeleted: false }).lean();
  const access = query.app_id === undefined ? noAccess : await findAccess(query.app_id, groups, query.environment);
  const isProprietary = query.is_proprietary_group;
  return groups
    .filter((group) => isProprietary === undefined || group.isProprietaryGroup === isProprietary)
    .sort((a, b) => byLowerCase(a.name, b.name))
    .map((group) => toGroupJson(group, access));
}

function toGroupJson(group: FunctionalGroupRecord & Times, { granted, found }: Access): ApplicationGroupJson {
  return {
    id: group._id,
    property_name: group.name,
    description: group.description ?? null,
    status: group.status,
    user_consent_prompt: group.userConsentPrompt ?? null,
    ...toFlagsJson(group),
    created_ts: group.createdAt.toISOString(),
    updated_ts: group.updatedAt.toISOString(),
    is_selected: granted.has(group.name),
    has_access: found.has(group.name),
  };
}
interface Times {
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

async function findAccess(
  id: number,
  stored: readonly FunctionalGroupRecord[],
  environment: Environment,
): Promise<Access> {
  const projection = { ...appVersionProjection, uuid: 1 };
  const document = await rawCollection(ApplicationModel).findOne({ _id: id }, { projection });
  const version = readAppVersion(document, new Interner());
  if (document === null || version === null) return noAccess;
  const uuid = String(document.uuid);
  const flags = await ApplicationFlagsModel.findOne({ uuid }, { isAdministratorApp: 1 }).lean();
  const groups = stored.flatMap((group): SnapshotGroup[] => {
    const parsed = groupDocument.safeParse(group);
    return parsed.success ? [parsed.data] : [];
  });
  const permissions = (await PermissionModel.find().sort({ name: 1 }).lean()).flatMap((permission) => {
    const parsed = permissionDocument.safeParse(permission);
    return parsed.success ? [parsed.data] : [];
  });
  const categories = groups.flatMap(({ userConsentPrompt }) => userConsentPrompt ?? []);
  const prompts = await findPrompts(categories, environment);
  const messages = [...prompts.keys()].map((category) => ({ category, isDeleted: false }));
  // The finder uses only the requested view.
  const bothViews = <T>(records: readonly T[]) => ({ staging: records, production: records });
  const sources = { groups: bothViews(groups), messages: bothViews(messages), permissions };
  const findGroups = appGroupFinder(sources, environment);
  const app = { isAdministratorApp: flags?.isAdministratorApp ?? false };
  return {
    granted: new Set(version.groupGrants),
    found: new Set(findGroups(app, version)),
  };
}
