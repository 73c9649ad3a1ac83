/** Answers of the module config routes (`api.md` section 13). */
import { z } from "zod";
import { nullableText, recordStatus, timestamp } from "@/lib/http/answer-schema";
import { type WireModuleConfig } from "@/lib/module-config/wire";
import { notificationPriorities, storedEndpoints } from "@/lib/words/vocabulary";

const notifications = z.record(z.enum(notificationPriorities), z.int());

/** A module config (`api.md` 13.2). */
export const moduleConfigAnswer = z
  .object({
    id: z.int(),
    status: recordStatus,
    exchange_after_x_ignition_cycles: z.int(),
    exchange_after_x_kilometers: z.int(),
    exchange_after_x_days: z.int(),
    timeout_after_x_seconds: z.int(),
    seconds_between_retries: z.array(z.int()),
    endpoints: z.record(z.enum(storedEndpoints), z.string()),
    endpoint_properties: z.record(z.enum(storedEndpoints), z.record(z.string(), z.string())),
    lock_screen_dismissal_enabled: z.boolean(),
    notifications_per_minute_by_priority: notifications,
    subtle_notifications_per_minute_by_priority: notifications,
    expiration_ts: timestamp.nullable(),
    certificate: nullableText.optional().describe("PEM; only while certificate generation is enabled"),
    private_key: nullableText.optional().describe("PEM; only while certificate generation is enabled"),
  })
  .meta({ id: "ModuleConfig", description: "A record of the module config" }) satisfies z.ZodType<
  Omit<WireModuleConfig, "id">
>;

export const moduleConfigsAnswer = z.object({ module_configs: z.array(moduleConfigAnswer).max(1) });
