import { type PriorityMap, priorityMapNames } from "@/lib/vocabulary/rpc-priorities";
import { pickMembers, recordOf, toSnakeMembers } from "@/lib/vocabulary/members";
import type { ModuleConfigContent, ModuleConfigRecord } from "@/lib/records/module-config/rules";
import { type RecordStatus, storedEndpoints, notificationPriorities, refreshCounts } from "@/lib/vocabulary/terms";
import { z } from "zod";
import { nullableText, recordStatus, timestamp } from "@/lib/platform/http/answer-schema";
import { saveAnswer } from "@/lib/policy/answer/answer-schema";

export type WireModuleConfig = { readonly id: number | null; readonly status: RecordStatus } & WireContent;
type WireContent = ReturnType<typeof buildWireContent>;

export interface WireModuleCertificate {
  readonly certificate: string | null;
  readonly private_key: string | null;
}

/** Builds the object of 13.2 without `certificate` and `private_key`, safe to show anywhere. */
export function buildWireModuleConfig(config: ModuleConfigContent & Partial<ModuleConfigRecord>): WireModuleConfig {
  return { id: config.id ?? null, status: config.status ?? "STAGING", ...buildWireContent(config) };
}

/** Builds the object of 13.2 with the certificate. Only for administrators, and only while generation is enabled. */
export function buildWireModuleConfigWithKey(config: ModuleConfigRecord): WireModuleConfig & WireModuleCertificate {
  return { ...buildWireModuleConfig(config), certificate: config.certificate, private_key: config.privateKey };
}

export function buildWireContent(config: ModuleConfigContent) {
  return {
    ...toSnakeMembers(pickMembers(config, refreshCounts)),
    seconds_between_retries: config.secondsBetweenRetries,
    endpoints: config.endpoints,
    endpoint_properties: buildProperties(config),
    lock_screen_dismissal_enabled: config.lockScreenDismissalEnabled,
    notifications_per_minute_by_priority: config.notificationsPerMinute,
    subtle_notifications_per_minute_by_priority: config.subtleNotificationsPerMinute,
    ...(config.rpcPriorityTable && { rpc_priority_table: buildPriorities(config.rpcPriorityTable) }),
    expiration_ts: config.expirationTs?.toISOString() ?? null,
  };
}

/** Maps without a priority are absent, as in policy tables. */
function buildPriorities(table: NonNullable<ModuleConfigContent["rpcPriorityTable"]>) {
  const maps: Partial<Record<PriorityMap, Readonly<Record<string, number>>>> = {};
  for (const map of priorityMapNames) {
    const own = table.filter((one) => one.map === map);
    if (own.length > 0) maps[map] = Object.fromEntries(own.map(({ name, priority }) => [name, priority]));
  }
  return maps;
}

/** Includes all endpoints, even those without properties. */
function buildProperties({
  endpointProperties,
}: ModuleConfigContent): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return Object.fromEntries(
    storedEndpoints.map((endpoint) => {
      const own = endpointProperties.filter((property) => property.endpoint === endpoint);
      return [endpoint, Object.fromEntries(own.map(({ name, value }) => [name, value]))];
    }),
  );
}

const notifications = z.record(z.enum(notificationPriorities), z.int());

export const moduleConfigAnswer = z
  .object({
    id: z.int(),
    status: recordStatus,
    ...toSnakeMembers(recordOf(refreshCounts, () => z.int())),
    seconds_between_retries: z.array(z.int()),
    endpoints: z.record(z.enum(storedEndpoints), z.string()),
    endpoint_properties: z.record(z.enum(storedEndpoints), z.record(z.string(), z.string())),
    lock_screen_dismissal_enabled: z.boolean(),
    notifications_per_minute_by_priority: notifications,
    subtle_notifications_per_minute_by_priority: notifications,
    rpc_priority_table: z.partialRecord(z.enum(priorityMapNames), z.record(z.string(), z.int())).exactOptional(),
    expiration_ts: timestamp.nullable(),
    certificate: nullableText.optional().describe("PEM; only while certificate generation is enabled"),
    private_key: nullableText.optional().describe("PEM; only while certificate generation is enabled"),
  })
  .meta({ id: "ModuleConfig", description: "A record of the module config" }) satisfies z.ZodType<
  Omit<WireModuleConfig, "id">
>;

export const moduleConfigsAnswer = z.object({ module_configs: z.array(moduleConfigAnswer).max(1) });

export const moduleSaveAnswer = saveAnswer.extend({
  notes: z
    .array(z.string())
    .optional()
    .describe("What to know of the address that vehicles are told; absent where there is nothing"),
});
