import { z } from "zod";
import { type AuditEventJson } from "@/lib/audit/queries";
import { nullableText, timestamp } from "@/lib/http/answer-schema";

const auditEvent = z
  .object({
    id: z.int(),
    created_ts: timestamp,
    revision: z.int(),
    actor: z.string(),
    display_name: nullableText.meta({
      description:
        "Self-declared: what the caller gave as X-Display-Name. Nothing proves it, it is never an identity; null: none",
    }),
    route: z.string(),
    request_id: nullableText,
    action: z.string(),
    target: z.string(),
    before: z.unknown(),
    after: z.unknown(),
  })
  .meta({
    id: "AuditEvent",
    description: "Who changed what; never holds a secret",
  }) satisfies z.ZodType<AuditEventJson>;

/** One page of the trail. */
export const auditAnswer = z.object({ events: z.array(auditEvent), next_cursor: z.int().nullable() });
