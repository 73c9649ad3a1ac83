/** Answers about the server itself (`api.md` section 2). */
import { z } from "zod";
import { nullableText } from "@/lib/http/answer-schema";

const email = z.object({ enabled: z.boolean(), frequency: z.enum(["DISABLED", "REALTIME"]), to_count: z.int() });

/** The running configuration (`api.md` 2.4). */
export const aboutAnswer = z
  .object({
    current_version: z.string(),
    latest_version: z.string(),
    is_update_available: z.boolean(),
    update_type: nullableText,
    ssl_port: z.int().nullable(),
    cache_module: z.null(),
    auth_type: z.literal("basic").nullable(),
    auto_approve_all_apps: z.boolean(),
    encryption_required: z.boolean(),
    base_url: z.string(),
    webhook_url: z.string(),
    notification: z.object({ appsPendingReview: z.object({ email }) }),
    certificate_authority: z.boolean(),
    is_authority_valid: z.boolean().optional().describe("Only while certificate generation is enabled"),
    database: z.enum(["embedded", "mongodb"]),
    directory: z.string(),
  })
  .meta({ id: "About" });

export const readyAnswer = z.object({
  state: z.enum(["starting", "ready", "degraded"]),
  revision: z.int().nullable(),
  policy_age_seconds: z.int().nullable(),
});
