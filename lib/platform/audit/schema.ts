/** Input of the audit routes. Safe in the browser. */
import { z } from "zod";
import { type AuditFamily, auditFamilies } from "@/lib/platform/audit/vocabulary";
import { namesOf } from "@/lib/labels/members";
import { environments } from "@/lib/labels/vocabulary";
import { filledText, queryInteger, queryLimit, queryWord } from "@/lib/platform/zod/query";

const families: readonly AuditFamily[] = namesOf(auditFamilies);

const time = (name: string) =>
  filledText()
    .pipe(
      z.iso
        .datetime({ offset: true, error: `${name} must be a time with its zone, e.g. 2026-03-01T06:00:00Z` })
        .optional(),
    )
    .transform((text) => (text === undefined ? undefined : new Date(text)));

/** What events are asked for (`people.md` P13). */
const filters = {
  /** What was changed, e.g. `application:41` or `group:Base-4`; undefined: everything. */
  target: filledText(),
  person: filledText().describe("The name of who did it, or what it was done as, e.g. directory"),
  family: queryWord("family", families),
  item: filledText().describe("A part of what it was done to"),
  action: filledText().describe("A verb, e.g. groups.promote, or all of an area, e.g. groups"),
  environment: filledText().pipe(
    z.enum(environments, { error: `environment must be one of ${environments.join(", ")}` }).optional(),
  ),
  release: queryInteger().describe("Number of the release that it is part of"),
  from: time("from"),
  to: time("to"),
};
export const auditQuery = z.object({
  ...filters,
  /** `next_cursor` of the page before: the id below which to go on. */
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
