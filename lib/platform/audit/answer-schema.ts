import { z } from "zod";
import { nullableText, timestamp } from "@/lib/platform/http/answer-schema";

const auditEvent = z
  .object({
    id: z.int(),
    created_ts: timestamp,
    revision: z.int(),
    actor: z.string(),
    person_id: nullableText.describe("Who it was, for a token who has made it, e.g. oidc|issuer|subject; null: nobody"),
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

export const auditAnswer = z.object({ events: z.array(auditEvent), next_cursor: z.int().nullable() });

/** An event with what verifies it. */
export const auditFileEvent = auditEvent
  .extend({ previous_hash: nullableText, hash: nullableText })
  .meta({ id: "AuditFileEvent", description: "An event with the hashes that chain it to the one before" });
export type AuditFileEvent = z.infer<typeof auditFileEvent>;

/** The file of the events: as NDJSON one of these a line. */
export const auditFileAnswer = auditFileEvent;

/** Whether the trail is as it was written. */
export const verdictAnswer = z.object({
  is_whole: z.boolean(),
  event_count: z.int().describe("Events that were looked at"),
  broken_at: z
    .int()
    .nullable()
    .describe("Id of the first event that was changed, or that is missing or follows a missing one; null: none"),
  head: nullableText.describe("Hash of the last event; kept elsewhere it can be asked for later"),
  has_head: z.boolean().optional().describe("Whether the trail holds the event with the hash that was asked for"),
});
