import {
  type ApplicationJson,
  type ApplicationServiceJson,
  behaviourMembers,
  identityMembers,
  packageMembers,
} from "@/lib/apps/applications/answer-schema";
import { namesOf, snakePicker } from "@/lib/vocabulary/members";
import { byCodeUnit } from "@/lib/vocabulary/order";
import type { PermissionType } from "@/lib/vocabulary/terms";
import type { ApplicationFlagsRecord } from "@/models/application-flags";
import type { ApplicationRecord } from "@/models/application";

export interface ApplicationReference {
  readonly permissions: ReadonlyMap<
    string,
    { readonly type: PermissionType; readonly functionId?: number | null; readonly displayName?: string | null }
  >;
  readonly serviceTypes: ReadonlyMap<string, { readonly displayName: string; readonly permissions: readonly string[] }>;
  /** Display names by category id. */
  readonly categories: ReadonlyMap<number, string | null>;
}

/** Members that no response contains; they are not read. */
export const hiddenMembers = {
  isLatest: 0,
  nameKey: 0,
  searchText: 0,
  uuidKey: 0,
  shortKey: 0,
  locales: 0,
  groupGrants: 0,
  storedAt: 0,
} as const;
export type StoredApplication = Omit<ApplicationRecord, keyof typeof hiddenMembers>;
type StoredFlags = Pick<
  ApplicationFlagsRecord,
  | "isAutoApprovedEnabled"
  | "isBlacklisted"
  | "blacklistedTs"
  | "isAdministratorApp"
  | "allowUnknownRpcPassthrough"
  | "hybridAppPreference"
  | "priority"
>;

const picker = snakePicker<StoredApplication>();
const showIdentity = picker(namesOf(identityMembers));
const showBehaviour = picker(namesOf(behaviourMembers));
const showPackage = picker(namesOf(packageMembers));

/** Every member of `api.md` 3.2. `flags` is null if nobody has decided anything about the app. */
export function buildApplicationJson(
  version: StoredApplication,
  flags: StoredFlags | null,
  reference: ApplicationReference,
): ApplicationJson {
  return {
    id: version._id,
    ...showIdentity(version),
    created_ts: version.createdAt.toISOString(),
    updated_ts: version.updatedAt.toISOString(),
    ...showBehaviour(version),
    ...buildCategories(version, reference),
    countries: version.countries.map(({ iso, name }) => ({ iso, name })).sort((a, b) => byCodeUnit(a.iso, b.iso)),
    display_names: [...version.displayNames],
    permissions: version.permissions
      .map(({ key, hmiLevel }) => ({
        key,
        hmi_level: hmiLevel ?? null,
        type: reference.permissions.get(key)?.type ?? null,
      }))
      .sort((a, b) => byCodeUnit(a.key, b.key)),
    services: buildServices(version, reference),
    ...showPackage(version),
    is_auto_approved_enabled: flags?.isAutoApprovedEnabled ?? false,
    is_blacklisted: flags?.isBlacklisted ?? false,
    blacklisted_ts: flags?.blacklistedTs?.toISOString() ?? null,
    is_administrator_app: flags?.isAdministratorApp ?? false,
    allow_unknown_rpc_passthrough: flags?.allowUnknownRpcPassthrough ?? false,
    hybrid_app_preference: flags?.hybridAppPreference ?? "BOTH",
    priority: flags?.priority ?? "NONE",
  };
}

/** The category list has the current name; the version keeps the name it arrived with. */
function buildCategories(
  { categoryId, categories }: StoredApplication,
  { categories: known }: ApplicationReference,
): Pick<ApplicationJson, "category" | "categories"> {
  const own = new Map(categories.map(({ id, name, displayName }) => [id, displayName ?? name ?? null]));
  const primary = categoryId ?? null;
  const nameOf = (id: number) => known.get(id) ?? own.get(id) ?? null;
  return {
    category: { id: primary, display_name: primary === null ? null : nameOf(primary) },
    categories: [...own.keys()].sort((a, b) => a - b).map((id) => ({ id, display_name: nameOf(id) ?? "" })),
  };
}

function buildServices(version: StoredApplication, reference: ApplicationReference): ApplicationServiceJson[] {
  return version.services
    .map(({ name, displayName, serviceNames, selectedPermissions }) => {
      const type = reference.serviceTypes.get(name);
      const selected = new Set(selectedPermissions);
      return {
        name,
        display_name: type?.displayName ?? displayName,
        service_names: [...serviceNames].sort(byCodeUnit),
        permissions: [...new Set(type?.permissions)].sort(byCodeUnit).map((permission) => ({
          app_id: version._id,
          function_id: reference.permissions.get(permission)?.functionId ?? null,
          name: permission,
          display_name: reference.permissions.get(permission)?.displayName ?? null,
          is_selected: selected.has(permission),
        })),
      };
    })
    .sort((a, b) => byCodeUnit(a.name, b.name));
}
