/** Answers of the application routes (`api.md` sections 3 and 5). */
import { z } from "zod";
import { type ApplicationGroupJson } from "@/lib/applications/group-queries";
import { type ApplicationJson, type ApplicationServiceJson } from "@/lib/applications/wire";
import { flagMembers } from "@/lib/groups/answer-schema";
import { nextCursor, nullableText, recordStatus, timestamp } from "@/lib/http/answer-schema";
import { approvalStatuses, hmiTextLevels, hybridPreferences, permissionTypes } from "@/lib/words/vocabulary";

const servicePermission = z.object({
  app_id: z.int(),
  function_id: z.int().nullable(),
  name: z.string(),
  display_name: nullableText,
  is_selected: z.boolean().describe("Granted to this version"),
});
const service = z
  .object({
    name: z.string(),
    display_name: z.string(),
    service_names: z.array(z.string()),
    permissions: z.array(servicePermission),
  })
  .meta({ id: "ApplicationService" }) satisfies z.ZodType<ApplicationServiceJson>;

const permission = z.object({
  key: z.string(),
  hmi_level: z.enum(hmiTextLevels).nullable(),
  type: z.enum(permissionTypes).nullable(),
});

/** One version of an app (`api.md` 3.2). */
export const applicationAnswer = z
  .object({
    id: z.int(),
    uuid: z.string(),
    short_uuid: z.string(),
    name: z.string(),
    platform: z.string(),
    platform_app_id: nullableText,
    status: z.string(),
    approval_status: z.enum(approvalStatuses),
    denial_message: nullableText,
    version_id: z.int().nullable(),
    created_ts: timestamp,
    updated_ts: timestamp,
    can_background_alert: z.boolean(),
    can_steal_focus: z.boolean(),
    can_manage_widgets: z.boolean(),
    default_hmi_level: z.enum(hmiTextLevels),
    icon_url: nullableText,
    cloud_endpoint: nullableText,
    cloud_transport_type: nullableText,
    ca_certificate: nullableText,
    tech_email: nullableText,
    tech_phone: nullableText,
    vendor_name: z.string(),
    vendor_email: z.string(),
    category_id: z.int().nullable(),
    category: z.object({ id: z.int().nullable(), display_name: nullableText }),
    categories: z.array(z.object({ id: z.int(), display_name: z.string() })),
    countries: z.array(z.object({ iso: z.string(), name: z.string() })),
    display_names: z.array(z.string()),
    permissions: z.array(permission),
    services: z.array(service),
    encryption_required: z.boolean(),
    min_rpc_version: nullableText,
    min_protocol_version: nullableText,
    developer_version: nullableText,
    transport_type: nullableText,
    package_url: nullableText,
    size_compressed_bytes: z.int().nullable(),
    size_decompressed_bytes: z.int().nullable(),
    entrypoint_path: nullableText,
    icon_path: nullableText,
    description: nullableText,
    is_auto_approved_enabled: z.boolean(),
    is_blacklisted: z.boolean(),
    blacklisted_ts: timestamp.nullable(),
    is_administrator_app: z.boolean(),
    allow_unknown_rpc_passthrough: z.boolean(),
    hybrid_app_preference: z.enum(hybridPreferences),
    certificate: z.string().optional().describe("PEM; only when one app with a stored bundle is asked for"),
    private_key: z.string().optional().describe("PEM; only together with certificate"),
  })
  .meta({ id: "Application", description: "One version of an app" });

export const applicationsAnswer = z.object({ applications: z.array(applicationAnswer), next_cursor: nextCursor });

// Both sides state the record; the compiler compares them.
applicationAnswer satisfies z.ZodType<Absentable<ApplicationJson, "certificate" | "private_key">>;
type Absentable<T, Name extends keyof T> = Omit<T, Name> & { readonly [N in Name]?: T[N] | undefined };

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
    is_selected: z.boolean().describe("Granted by hand to the version"),
    has_access: z.boolean().describe("Granted to the version by whatever rule"),
  })
  .meta({ id: "ApplicationGroup" }) satisfies z.ZodType<ApplicationGroupJson>;

export const applicationGroupsAnswer = z.object({ groups: z.array(applicationGroup) });

/** `POST applications/auto`: which versions wait although automatic approval is on; nothing when there are none. */
export const autoAnswer = z
  .object({
    message: z.string(),
    pending_ids: z.array(z.int()).describe("Versions that automatic approval does not decide about, ascending"),
  })
  .partial();
export type AutoAnswer = z.infer<typeof autoAnswer>;

/** `GET ui/applications/choices`; each list by name. */
export const filterChoicesAnswer = z.object({
  permissions: z.array(z.object({ name: z.string(), type: z.enum(permissionTypes) })),
  services: z.array(z.object({ name: z.string(), display_name: z.string() })),
  countries: z.array(z.object({ iso: z.string(), name: z.string() })).describe("Countries of any newest version"),
});
export type FilterChoicesAnswer = z.infer<typeof filterChoicesAnswer>;
