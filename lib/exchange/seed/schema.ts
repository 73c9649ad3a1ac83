import { z } from "zod";
import { directoryApplication } from "@/lib/apps/directory/answers/schema";
import { groupFlags } from "@/lib/labels/group-flags";
import { recordOf, toSnakeMembers } from "@/lib/labels/members";
import { approvalStatuses, hmiLevels, hybridPreferences, permissionTypes } from "@/lib/labels/vocabulary";

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

const history = { since: text, until: text, deprecated: z.boolean().optional(), removed: z.boolean().optional() };
const limit = z.number().optional();
const params = z.array(
  z.object({
    name: z.string(),
    type: z.string(),
    ...history,
    mandatory: z.boolean().optional(),
    minlength: limit,
    maxlength: limit,
    minsize: limit,
    maxsize: limit,
    minvalue: limit,
    maxvalue: limit,
    array: z.boolean().optional(),
    platform: text,
    defvalue: z.union([z.string(), z.number(), z.boolean()]).transform(String).optional(),
  }),
);
const element = z.object({
  name: z.string(),
  ...history,
  rootscreen: z.boolean().optional(),
  value: limit,
  hexvalue: text,
  internal_name: text,
});
const rpcSpec = z.object({
  version: z.string(),
  min_version: z.string().nullable(),
  date: z.string().nullable(),
  enums: z.array(
    z.object({ name: z.string(), ...history, internal_scope: text, platform: text, elements: z.array(element) }),
  ),
  structs: z.array(z.object({ name: z.string(), ...history, params })),
  functions: z.array(
    z.object({ name: z.string(), functionID: text, messagetype: z.string(), ...history, params: params.default([]) }),
  ),
});

/** An app as the directory would deliver it, and what an administrator is supposed to have decided about it. */
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
        })
        .partial()
        .optional(),
    }),
  ),
);
export type ExampleApp = z.infer<typeof exampleApps>[number];

/** A file of the folder `seed`. */
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
/** The parsed content of a seed file. */
export type Seed<N extends keyof typeof seedFiles> = z.infer<(typeof seedFiles)[N]["schema"]>;
