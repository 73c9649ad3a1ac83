/** Safe in the browser. */
import { z } from "zod";
import { itemFamilies, releaseKinds } from "@/lib/vocabulary/release-items";
import {
  bodyId,
  digits,
  filledText,
  pathNumber,
  queryInteger,
  queryLimit,
  queryWord,
  taking,
} from "@/lib/platform/zod/query";
import { passIssuesOn, visibleText } from "@/lib/platform/zod/refusing";
import { environments } from "@/lib/vocabulary/terms";
import { baseIdMember, exportFormat } from "@/lib/records/store/query";

export const releasesQuery = z.object({
  limit: queryLimit(100),
  cursor: queryInteger().describe("next_cursor of the page before"),
  kind: queryWord("kind", releaseKinds),
});
export type ReleasesQuery = z.output<typeof releasesQuery>;

export const releaseParams = z.object({
  n: pathNumber("n must be the number of a release"),
});

export type CompareWith = number | (typeof environments)[number];

const compareSentence = "to must be the number of a release, production or staging";
export const releaseDiffQuery = z.object({
  to: filledText()
    .transform((text, context): CompareWith | undefined => {
      const environment = environments.find((name) => name === text);
      if (text === undefined || environment !== undefined) return environment;
      if (digits.test(text)) return Number(text);
      context.addIssue({ code: "custom", message: compareSentence });
      return z.NEVER;
    })
    .describe("The number of a release, production or staging; absent: the release before"),
});

export const releaseDiffExportQuery = releaseDiffQuery.extend({ format: exportFormat });

export const zonedTime = (name: string) =>
  taking(
    z.iso
      .datetime({ offset: true, error: `${name} must be a time with its zone, e.g. 2026-03-01T06:00:00Z` })
      .transform((text) => new Date(text)),
    z.iso.datetime({ offset: true }),
  );

const freezeReason = z
  .string({ error: "reason must be a text, or null to lift the freeze" })
  .trim()
  .min(1, { error: "reason must say why nothing is published" })
  .max(500, { error: "reason must have at most 500 characters" })
  .superRefine(visibleText("reason", true));

const freezeWindow = z
  .object({ from: zonedTime("from"), to: zonedTime("to"), reason: freezeReason })
  .refine(({ from, to }) => from < to, { error: "to must be later than from", path: ["to"] });
const lifting = z.object({ reason: z.null() }).transform(() => null);

export const freezeBody = taking(
  z.looseObject({ reason: z.unknown().optional() }).transform((body, context): z.output<typeof freezeWindow> | null => {
    if (lifting.safeParse(body).success) return null;
    const read = freezeWindow.safeParse(body);
    if (read.success) return read.data;
    passIssuesOn(read.error, context);
    return z.NEVER;
  }),
  z.object({
    from: z.iso.datetime({ offset: true }).optional(),
    to: z.iso.datetime({ offset: true }).optional(),
    reason: z.string().max(500).nullable().describe("Null lifts the freeze"),
  }),
);

export const approvalParams = z.object({
  id: pathNumber("id must be that of a change that waits for approval"),
});

export const rejectBody = z.object({
  reason: z
    .string({ error: "reason must be a text" })
    .trim()
    .min(1, { error: "reason must say why you reject the request" })
    .max(2_000, { error: "reason must have at most 2,000 characters" })
    .superRefine(visibleText("reason", true)),
});

export const scheduledParams = z.object({
  id: pathNumber("id must be that of a scheduled release"),
});
export const moveBody = z.object({ at: zonedTime("at") });

/** In page URLs, invalid values count as absent. */
const pageNumber = z.coerce.number().int().min(1).max(999_999_999).optional().catch(undefined);

export const releasesPageQuery = z.object({
  kind: z.enum(releaseKinds).optional().catch(undefined),
  cursor: pageNumber,
});

/** `to` is the version to compare with, by default the previous release; `after` items precede the page. */
export const releasePageQuery = z.object({
  after: queryInteger()
    .transform((after) => Math.max(0, after ?? 0))
    .catch(0),
  to: z
    .union([z.enum(["production", "staging"]), pageNumber])
    .optional()
    .catch(undefined),
});

/** The item in a path. There is only one module config, so its key is ignored. */
export const itemParams = z
  .object({
    family: z.enum(itemFamilies, { error: `family must be one of ${itemFamilies.join(", ")}` }),
    key: z.string().describe("Name, category or uuid; of the module config anything, e.g. -"),
  })
  .transform(({ family, key }) => ({ family, key: family === "module_config" ? "" : key }));

export const historyQuery = z.object({
  limit: queryLimit(50),
  cursor: queryInteger().describe("next_cursor of the page before"),
});
export type HistoryQuery = z.output<typeof historyQuery>;

const versionId = (name: string) => queryInteger().pipe(z.int({ error: `${name} must be the id of a version` }));
export const historyDiffQuery = z.object({ from: versionId("from"), to: versionId("to") });

export const restoreBody = z.object({ id: bodyId, base_id: baseIdMember });
export type RestoreBody = z.output<typeof restoreBody>;
