import { z } from "zod";
import { flagMembers } from "@/lib/records/groups/wire";
import { nextCursor, nullableText, recordStatus, timestamp } from "@/lib/platform/http/answer-schema";
import { toSnakeMembers } from "@/lib/vocabulary/members";
import {
  appPriorities,
  approvalStatuses,
  hmiTextLevels,
  hybridPreferences,
  permissionTypes,
} from "@/lib/vocabulary/terms";

const service = z
  .object({
    name: z.string(),
    display_name: z.string(),
    service_names: z.array(z.string()),
    permissions: z.array(
      z.object({
        app_id: z.int(),
        function_id: z.int().nullable(),
        name: z.string(),
        display_name: nullableText,
        is_selected: z.boolean().describe("Granted to this version"),
      }),
    ),
  })
  .meta({ id: "ApplicationService" });
/** A service type of a version (`api.md` 3.3). */
export type ApplicationServiceJson = z.infer<typeof service>;

const permission = z.object({
  key: z.string(),
  hmi_level: z.enum(hmiTextLevels).nullable(),
  type: z.enum(permissionTypes).nullable(),
});

/* Stored members that responses contain unchanged, in their order. */
export const identityMembers = {
  uuid: z.string(),
  shortUuid: z.string(),
  name: z.string(),
  platform: z.string(),
  platformAppId: nullableText,
  status: z.string(),
  approvalStatus: z.enum(approvalStatuses),
  denialMessage: nullableText,
  versionId: z.int().nullable(),
};
export const behaviourMembers = {
  canBackgroundAlert: z.boolean(),
  canStealFocus: z.boolean(),
  canManageWidgets: z.boolean(),
  defaultHmiLevel: z.enum(hmiTextLevels),
  iconUrl: nullableText,
  cloudEndpoint: nullableText,
  cloudTransportType: nullableText,
  caCertificate: nullableText,
  techEmail: nullableText,
  techPhone: nullableText,
  vendorName: z.string(),
  vendorEmail: z.string(),
  categoryId: z.int().nullable(),
};
export const packageMembers = {
  encryptionRequired: z.boolean(),
  minRpcVersion: nullableText,
  minProtocolVersion: nullableText,
  developerVersion: nullableText,
  transportType: nullableText,
  packageUrl: nullableText,
  sizeCompressedBytes: z.int().nullable(),
  sizeDecompressedBytes: z.int().nullable(),
  entrypointPath: nullableText,
  iconPath: nullableText,
  description: nullableText,
};

/** One version of an app (`api.md` 3.2). */
export const applicationAnswer = z
  .object({
    id: z.int(),
    ...toSnakeMembers(identityMembers),
    created_ts: timestamp,
    updated_ts: timestamp,
    ...toSnakeMembers(behaviourMembers),
    category: z.object({ id: z.int().nullable(), display_name: nullableText }),
    categories: z.array(z.object({ id: z.int(), display_name: z.string() })),
    countries: z.array(z.object({ iso: z.string(), name: z.string() })),
    display_names: z.array(z.string()),
    permissions: z.array(permission),
    services: z.array(service),
    ...toSnakeMembers(packageMembers),
    is_auto_approved_enabled: z.boolean(),
    is_blacklisted: z.boolean(),
    blacklisted_ts: timestamp.nullable(),
    is_administrator_app: z.boolean(),
    allow_unknown_rpc_passthrough: z.boolean(),
    hybrid_app_preference: z.enum(hybridPreferences),
    priority: z.enum(appPriorities),
    certificate: z.string().optional().describe("PEM; only if the request names one app with a stored bundle"),
    private_key: z.string().optional().describe("PEM; only together with certificate"),
  })
  .meta({ id: "Application", description: "One version of an app" });
export type ApplicationJson = z.infer<typeof applicationAnswer>;

export const applicationsAnswer = z.object({ applications: z.array(applicationAnswer), next_cursor: nextCursor });

const applicationGroup = z
  .object({
    id: z.int(),
    property_name: z.string(),
    description: nullableText,
    status: recordStatus,
    user_consent_prompt: nullableText,
    ...flagMembers,
    created_ts: timestamp,
    updated_ts: timestamp,
    is_selected: z.boolean().describe("Granted manually to the version"),
    has_access: z.boolean().describe("Granted to the version by any rule"),
  })
  .meta({ id: "ApplicationGroup" });
export type ApplicationGroupJson = z.infer<typeof applicationGroup>;

export const applicationGroupsAnswer = z.object({ groups: z.array(applicationGroup) });

/** `POST applications/auto`: the versions that still wait although automatic approval is on; empty if there are none. */
export const autoAnswer = z
  .object({
    message: z.string(),
    pending_ids: z.array(z.int()).describe("Versions that still need a decision, ascending"),
  })
  .partial();

export const filterChoicesAnswer = z.object({
  permissions: z.array(z.object({ name: z.string(), type: z.enum(permissionTypes) })),
  services: z.array(z.object({ name: z.string(), display_name: z.string() })),
  countries: z.array(z.object({ iso: z.string(), name: z.string() })).describe("Countries of the latest versions"),
});
export type FilterChoicesAnswer = z.infer<typeof filterChoicesAnswer>;
