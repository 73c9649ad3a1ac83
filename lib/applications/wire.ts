import { byCodeUnit } from "@/lib/words/order";
import {
  type ApprovalStatus,
  type HmiTextLevel,
  type HybridPreference,
  type PermissionType,
} from "@/lib/words/vocabulary";
import { type ApplicationFlagsRecord } from "@/models/application-flags";
import { type ApplicationRecord } from "@/models/application";

/** What the stored lists say about names that a version mentions. */
export interface ApplicationReference {
  readonly permissions: ReadonlyMap<string, ReferencePermission>;
  readonly serviceTypes: ReadonlyMap<string, { readonly displayName: string; readonly permissions: readonly string[] }>;
  /** Display names by category id. */
  readonly categories: ReadonlyMap<number, string | null>;
}
export interface ReferencePermission {
  readonly type: PermissionType;
  readonly functionId: number | null;
  readonly displayName: string | null;
}

/** The stored members that the wire form is made of; the others are not read. */
export type StoredApplication = Omit<
  ApplicationRecord,
  "isLatest" | "nameKey" | "searchText" | "uuidKey" | "shortKey" | "locales" | "groupGrants" | "storedAt"
>;
export type StoredFlags = Pick<
  ApplicationFlagsRecord,
  | "isAutoApprovedEnabled"
  | "isBlacklisted"
  | "blacklistedTs"
  | "isAdministratorApp"
  | "allowUnknownRpcPassthrough"
  | "hybridAppPreference"
>;

/** An application record as the API shows it (`api.md` 3.2). */
export interface ApplicationJson {
  id: number;
  uuid: string;
  short_uuid: string;
  name: string;
  platform: string;
  platform_app_id: string | null;
  status: string;
  approval_status: ApprovalStatus;
  denial_message: string | null;
  version_id: number | null;
  created_ts: string;
  updated_ts: string;
  can_background_alert: boolean;
  can_steal_focus: boolean;
  can_manage_widgets: boolean;
  default_hmi_level: HmiTextLevel;
  icon_url: string | null;
  cloud_endpoint: string | null;
  cloud_transport_type: string | null;
  ca_certificate: string | null;
  tech_email: string | null;
  tech_phone: string | null;
  vendor_name: string;
  vendor_email: string;
  category_id: number | null;
  category: { id: number | null; display_name: string | null };
  categories: { id: number; display_name: string }[];
  countries: { iso: string; name: string }[];
  display_names: string[];
  permissions: { key: string; hmi_level: HmiTextLevel | null; type: PermissionType | null }[];
  services: ApplicationServiceJson[];
  encryption_required: boolean;
  min_rpc_version: string | null;
  min_protocol_version: string | null;
  developer_version: string | null;
  transport_type: string | null;
  package_url: string | null;
  size_compressed_bytes: number | null;
  size_decompressed_bytes: number | null;
  entrypoint_path: string | null;
  icon_path: string | null;
  description: string | null;
  is_auto_approved_enabled: boolean;
  is_blacklisted: boolean;
  blacklisted_ts: string | null;
  is_administrator_app: boolean;
  allow_unknown_rpc_passthrough: boolean;
  hybrid_app_preference: HybridPreference;
  /** Only in the answer for one app with a stored bundle (`api.md` 3.1). */
  certificate?: string;
  /** Only together with `certificate`. */
  private_key?: string;
}

/** A service type a version provides (`api.md` 3.3). */
export interface ApplicationServiceJson {
  name: string;
  display_name: string;
  service_names: string[];
  permissions: {
    app_id: number;
    function_id: number | null;
    name: string;
    display_name: string | null;
    is_selected: boolean;
  }[];
}

/**
 * Builds the wire form of a version: every member of `api.md` 3.2, lists in the order given there.
 *
 * @param flags null for an app nobody has decided anything about
 */
export function buildApplicationJson(
  version: StoredApplication,
  flags: StoredFlags | null,
  reference: ApplicationReference,
): ApplicationJson {
  return {
    id: version._id,
    uuid: version.uuid,
    short_uuid: version.shortUuid,
    name: version.name,
    platform: version.platform,
    platform_app_id: version.platformAppId ?? null,
    status: version.status,
    approval_status: version.approvalStatus,
    denial_message: version.denialMessage ?? null,
    version_id: version.versionId ?? null,
    created_ts: version.createdAt.toISOString(),
    updated_ts: version.updatedAt.toISOString(),
    can_background_alert: version.canBackgroundAlert,
    can_steal_focus: version.canStealFocus,
    can_manage_widgets: version.canManageWidgets,
    default_hmi_level: version.defaultHmiLevel,
    icon_url: version.iconUrl ?? null,
    cloud_endpoint: version.cloudEndpoint ?? null,
    cloud_transport_type: version.cloudTransportType ?? null,
    ca_certificate: version.caCertificate ?? null,
    tech_email: version.techEmail ?? null,
    tech_phone: version.techPhone ?? null,
    vendor_name: version.vendorName,
    vendor_email: version.vendorEmail,
    category_id: version.categoryId ?? null,
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
    encryption_required: version.encryptionRequired,
    min_rpc_version: version.minRpcVersion ?? null,
    min_protocol_version: version.minProtocolVersion ?? null,
    developer_version: version.developerVersion ?? null,
    transport_type: version.transportType ?? null,
    package_url: version.packageUrl ?? null,
    size_compressed_bytes: version.sizeCompressedBytes ?? null,
    size_decompressed_bytes: version.sizeDecompressedBytes ?? null,
    entrypoint_path: version.entrypointPath ?? null,
    icon_path: version.iconPath ?? null,
    description: version.description ?? null,
    is_auto_approved_enabled: flags?.isAutoApprovedEnabled ?? false,
    is_blacklisted: flags?.isBlacklisted ?? false,
    blacklisted_ts: flags?.blacklistedTs?.toISOString() ?? null,
    is_administrator_app: flags?.isAdministratorApp ?? false,
    allow_unknown_rpc_passthrough: flags?.allowUnknownRpcPassthrough ?? false,
    hybrid_app_preference: flags?.hybridAppPreference ?? "BOTH",
  };
}

/** The directory's lists know a category's present name; the version keeps the one it came with. */
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
