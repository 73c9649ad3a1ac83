import { z } from "zod";
import { directoryApplication } from "@/lib/apps/directory/answers/schema";
import { groupFlags } from "@/lib/vocabulary/group-flags";
import { recordOf, toSnakeMembers } from "@/lib/vocabulary/members";
import { appPriorities, approvalStatuses, hmiLevels, hybridPreferences, permissionTypes } from "@/lib/vocabulary/terms";

const text = z.string().optional();
const functionalGroups = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      description: z.string().nullable(),
      user_consent_prompt: z.string().nullable(),
      ...toSnakeMembers(recordOf(groupFlags, () => z.boolean())),
      rpcs: z
        .record(
          z.string(),
          z.object({ hmi_levels: z.array(z.enum(hmiLevels)), parameters: z.array(z.string()).optional() }),
        )
        .nullable(),
    }),
  ),
});

const consumerMessages = z.object({
  categories: z.array(
    z.object({
      name: z.string(),
      languages: z.record(z.string(), z.object({ tts: text, line1: text, line2: text, textBody: text, label: text })),
    }),
  ),
});

const languages = z.object({
  languages: z.array(z.object({ id: z.string() })),
  additional_policy_languages: z.array(z.object({ id: z.string() })),
});

const permissions = z.array(
  z.object({
    key: z.string(),
    type: z.enum(permissionTypes),
    function_id: z.int().nullable(),
    parents: z.array(z.string()),
  }),
);

const appServices = z.object({
  service_types: z.array(
    z.object({ name: z.string(), display_name: z.string(), handled_rpcs: z.array(z.object({ name: z.string() })) }),
  ),
  categories: z.array(z.object({ id: z.int(), name: z.string(), display_name: z.string() })),
});

const notifications = z.record(z.string(), z.int());
const endpoint = z.object({ default: z.tuple([z.url()]) });
const moduleConfig = z.object({
  module_config: z.object({
    exchange_after_x_ignition_cycles: z.int(),
    exchange_after_x_kilometers: z.int(),
    exchange_after_x_days: z.int(),
    timeout_after_x_seconds: z.int(),
    seconds_between_retries: z.array(z.int()),
    lock_screen_dismissal_enabled: z.boolean(),
    endpoints: z.object({ "0x04": endpoint, queryAppsUrl: endpoint, lock_screen_icon_url: endpoint }),
    notifications_per_minute_by_priority: notifications,
    subtle_notifications_per_minute_by_priority: notifications,
  }),
});

const named = z.looseObject({ name: z.string() });
/** Members of types, elements and parameters are read like those of the app directory's specification. */
const rpcSpec = z.looseObject({
  min_version: z.string().nullable(),
  enums: z.array(z.looseObject({ elements: z.array(named) })),
  structs: z.array(z.looseObject({ params: z.array(named) })),
  functions: z.array(z.looseObject({ params: z.array(named).default([]) })),
});

/** An app as the app directory would deliver it, with the decisions of an administrator. */
const exampleApps = z.array(
  z.intersection(
    directoryApplication,
    z.object({
      local: z
        .object({
          approval_status: z.enum(approvalStatuses),
          denial_message: z.string().nullable(),
          encryption_required: z.boolean(),
          group_grants: z.array(z.string()),
          is_auto_approved_enabled: z.boolean(),
          is_blacklisted: z.boolean(),
          is_administrator_app: z.boolean(),
          allow_unknown_rpc_passthrough: z.boolean(),
          hybrid_app_preference: z.enum(hybridPreferences),
          priority: z.enum(appPriorities),
        })
        .partial()
        .optional(),
    }),
  ),
);
export type ExampleApp = z.infer<typeof exampleApps>[number];

export interface SeedFile<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
}
const file = <T>(name: string, schema: z.ZodType<T>): SeedFile<T> => ({ name, schema });

export const seedFiles = {
  functionalGroups: file("functional-groups", functionalGroups),
  consumerMessages: file("consumer-messages", consumerMessages),
  languages: file("languages", languages),
  permissions: file("permissions", permissions),
  appServices: file("app-services", appServices),
  moduleConfig: file("module-config", moduleConfig),
  rpcSpec: file("rpc-spec", rpcSpec),
  exampleApps: file("example-apps", exampleApps),
} as const;
export type Seed<N extends keyof typeof seedFiles> = z.infer<(typeof seedFiles)[N]["schema"]>;
