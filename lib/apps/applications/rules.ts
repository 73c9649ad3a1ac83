import { deriveShortUuid } from "@/lib/vocabulary/short-uuid";
import type { DirectoryApplication } from "@/lib/apps/directory/answers/schema";
import { limitEntryTexts } from "@/lib/policy/head-unit/entry-limits";
import type { ApprovalStatus } from "@/lib/vocabulary/terms";

export interface ApprovalDefaults {
  readonly isBlacklisted: boolean;
  readonly isAutoApprovedEnabled: boolean;
  readonly autoApproveAllApps: boolean;
  readonly encryptionRequired: boolean;
}

/** Approval status of a new version (rule D7). */
export function decideApproval(defaults: ApprovalDefaults): ApprovalStatus {
  if (defaults.isBlacklisted) return "LIMITED";
  return defaults.autoApproveAllApps || defaults.isAutoApprovedEnabled ? "ACCEPTED" : "PENDING";
}

interface Undecided {
  readonly denialMessage: string | null;
  /** Why automatic approval held the version back, in sentences. */
  readonly holds: readonly string[];
  /** Manual grants belong to a version and start empty (rule D11). */
  readonly groupGrants: readonly string[];
  /** Known once a bundle has been handled. */
  readonly sizeCompressedBytes: number | null;
  readonly sizeDecompressedBytes: number | null;
}
const nothingDecided: Undecided = {
  denialMessage: null,
  holds: [],
  groupGrants: [],
  sizeCompressedBytes: null,
  sizeDecompressedBytes: null,
};

export interface ServiceType {
  readonly name: string;
  readonly displayName: string;
  readonly permissions: readonly string[];
}

/**
 * Rules D4, D6 to D11, D16 of `directory.md`. Ignores the record's own approval members, which are no decisions of this
 * server. Unknown service types get their key as name; `now` replaces times that the record lacks.
 */
export function buildApplicationVersion(
  record: DirectoryApplication,
  { defaults, serviceTypes, now }: { defaults: ApprovalDefaults; serviceTypes: readonly ServiceType[]; now: Date },
) {
  const approvalStatus = decideApproval(defaults);
  const shortUuid = record.short_uuid ?? deriveShortUuid(record.uuid);
  const createdAt = record.created_ts ?? now;
  const { texts, cuts } = limitEntryTexts(readEntryTexts(record, serviceTypes));
  return {
    uuid: record.uuid,
    shortUuid,
    uuidKey: record.uuid.toLowerCase(),
    shortKey: shortUuid.toLowerCase(),
    versionId: record.version_id,
    name: record.name,
    platform: record.platform,
    platformAppId: record.platform_app_id,
    status: record.status,
    approvalStatus,
    ...nothingDecided,
    encryptionRequired: approvalStatus === "ACCEPTED" && defaults.encryptionRequired,
    canBackgroundAlert: record.can_background_alert,
    canStealFocus: record.can_steal_focus,
    canManageWidgets: record.can_manage_widgets,
    defaultHmiLevel: record.default_hmi_level,
    ...texts,
    cuts,
    techEmail: record.tech_email,
    techPhone: record.tech_phone,
    vendorName: record.vendor.name,
    vendorEmail: record.vendor.email,
    categoryId: record.category?.id ?? null,
    countries: record.countries,
    permissions: record.permissions.map(({ key, hmi_level }) => ({ key, hmiLevel: hmi_level })),
    locales: record.locales.map(({ locale, name, vr_names, tts_chunks }) => ({
      code: locale.code,
      name,
      vrNames: vr_names,
      ttsChunks: tts_chunks.map(({ chunk_type, chunk_text }) => ({ type: chunk_type, text: chunk_text })),
    })),
    minRpcVersion: record.min_rpc_version,
    minProtocolVersion: record.min_protocol_version,
    developerVersion: record.developer_version,
    transportType: record.transport_type,
    packageUrl: record.package_url,
    entrypointPath: record.entrypoint_path,
    iconPath: record.icon_path,
    description: record.description,
    createdAt,
    updatedAt: record.updated_ts ?? now,
    storedAt: now,
  };
}
function readEntryTexts(record: DirectoryApplication, serviceTypes: readonly ServiceType[]) {
  return {
    displayNames: record.display_names,
    iconUrl: record.icon_url,
    cloudEndpoint: record.cloud_endpoint,
    cloudTransportType: record.cloud_transport_type,
    caCertificate: record.ca_certificate,
    categories: buildCategories(record),
    services: record.services.map(({ name, service_names }) => {
      const type = serviceTypes.find((known) => known.name === name);
      return {
        name,
        displayName: type?.displayName ?? name,
        serviceNames: service_names,
        selectedPermissions: [...(type?.permissions ?? [])],
      };
    }),
  };
}

export type NewApplicationVersion = ReturnType<typeof buildApplicationVersion>;

/** All categories of the record, including the primary one even if the list lacks it. */
function buildCategories({ category, categories }: DirectoryApplication) {
  const all =
    category === null || category === undefined || categories.some(({ id }) => id === category.id)
      ? categories
      : [category, ...categories];
  return all.map(({ id, name, display_name }) => ({ id, name, displayName: display_name }));
}
