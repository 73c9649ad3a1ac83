/** Input of the audit routes. Safe in the browser. */
import { z } from "zod";
import { namesOf, recordOf } from "@/lib/vocabulary/members";
import { environments } from "@/lib/vocabulary/terms";
import { filledText, queryInteger, queryLimit, queryWord } from "@/lib/platform/zod/query";
import { queryTime } from "@/lib/platform/zod/query-time";
import { itemFamilies, releaseItems } from "@/lib/vocabulary/release-items";
import { nullableText, timestamp } from "@/lib/platform/http/answer-schema";

export const auditFamilies = {
  ...recordOf(itemFamilies, (family): readonly string[] => releaseItems[family].targets),
  release: ["release", "releases", "scheduled", "approval", "production"],
  access: ["login", "token"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type AuditFamily = keyof typeof auditFamilies;

const families: readonly AuditFamily[] = namesOf(auditFamilies);

const filters = {
  target: filledText(),
  person: filledText().describe("The name of who did it, or what it was done as, e.g. directory"),
  family: queryWord("family", families),
  item: filledText().describe("A part of what it was done to, or of an app's name"),
  action: filledText().describe("A verb, e.g. groups.promote, or all of an area, e.g. groups"),
  environment: filledText().pipe(
    z.enum(environments, { error: `environment must be one of ${environments.join(", ")}` }).optional(),
  ),
  release: queryInteger().describe("Number of the release that it is part of"),
  from: queryTime("from").describe("A time, or a date, which begins at midnight UTC"),
  to: queryTime("to", true).describe("The time before which it was, or the last day in UTC"),
};
export const auditQuery = z.object({
  ...filters,
  cursor: queryInteger(),
  limit: queryLimit(100),
});
export type AuditQuery = z.output<typeof auditQuery>;

export const auditExportQuery = z.object({
  ...filters,
  format: z.enum(["csv", "ndjson"], { error: "format must be csv or ndjson" }).default("csv"),
});
export type AuditExportQuery = z.output<typeof auditExportQuery>;

export const verifyQuery = z.object({
  head: filledText()
    .pipe(
      z
        .string()
        .regex(/^[0-9a-f]{64}$/, "head must be the hash of an event, 64 hexadecimal digits")
        .optional(),
    )
    .describe("The hash of an event that somebody has kept: without it the trail is not whole"),
});

export type AuditFilter = Omit<AuditExportQuery, "format">;

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
    description: "Who changed what; never contains a secret",
  });
export type AuditEventJson = z.infer<typeof auditEvent>;

export const auditAnswer = z.object({ events: z.array(auditEvent), next_cursor: z.int().nullable() });

export const auditFileEvent = auditEvent
  .extend({
    previous_hash: nullableText,
    hash: nullableText,
    summary: z
      .object({ first: z.int(), hashes: z.array(z.string()), seal: z.string() })
      .nullish()
      .describe(
        "Of a summary of failed sign-ins that follow one another: the id of the first, the hashes of all but the last",
      ),
  })
  .meta({ id: "AuditFileEvent", description: "An event with the hashes that chain it to the one before" });
export type AuditFileEvent = z.infer<typeof auditFileEvent>;

export const auditFileAnswer = auditFileEvent;

export const verdictAnswer = z.object({
  is_whole: z.boolean(),
  event_count: z.int().describe("Events that were looked at"),
  broken_at: z
    .int()
    .nullable()
    .describe("Id of the first event that was changed, or that is missing or follows a missing one; null: none"),
  head: nullableText.describe("Hash of the last event; keep it elsewhere to check later that the trail still has it"),
  has_head: z.boolean().optional().describe("Whether the trail contains the event with the requested hash"),
});
