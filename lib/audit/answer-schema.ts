import { z } from "zod";
import { nullableText, timestamp } from "@/lib/http/answer-schema";

const auditEvent = z
  .object({
    id: z.int(),
    created_ts: timestamp,
    revision: z.int(),
    actor: z.string(),
    display_name: nullableText.meta({
      description:
        "Unless it is verified self-declared: what the caller gave as X-Display-Name, which nothing proves; null: none",
    }),
    display_name_verified: z.boolean().meta({
      description: "Whether the name is that of a user whom the proxy in front has authenticated (AUTH_USER_HEADER)",
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
  });
export type AuditEventJson = z.infer<typeof auditEvent>;

/** One page of the trail. */
export const auditAnswer = z.object({ events: z.array(auditEvent), next_cursor: z.int().nullable() });

/** The file of the events: as NDJSON one of these a line. */
export const auditFileAnswer = auditEvent;

/** Whether the trail is as it was written. */
export const verdictAnswer = z.object({
  is_whole: z.boolean(),
  event_count: z.int().describe("Events that were looked at; those of earlier versions carry no hash"),
  broken_at: z
    .int()
    .nullable()
    .describe("Id of the first event that was changed, or that is missing or follows a missing one; null: none"),
});
