/** Safe in the browser. */
import { z } from "zod";
import { forceMember } from "@/lib/records/store/query";
import { rolloutBody } from "@/lib/releases/rollout/schema";
import { releaseParams, zonedTime } from "@/lib/releases/schema";
import { itemFamilies, readItemText } from "@/lib/vocabulary/release-items";
import { alsoRepeatable, bodyId, queryInteger, queryWord, repeatable, taking } from "@/lib/platform/zod/query";
import { passIssuesOn, visibleText } from "@/lib/platform/zod/refusing";

const itemsSentence = "items must be family:key, e.g. group:Location-1";

/** `items` of the review, in a query or a body; absent: all. */
export const chosenItems = alsoRepeatable(
  taking(
    repeatable().transform((texts, context) => {
      const items = texts?.map(readItemText);
      const known = items?.filter((item) => item !== null);
      if (known?.length === items?.length) return known;
      context.addIssue({ code: "custom", message: itemsSentence });
      return z.NEVER;
    }),
    z.array(z.string().describe("family:key")).optional(),
  ),
);

export const changesQuery = z.object({ items: chosenItems });

const fromSentence = "from must be an integer from 0 to 1,000,000";
const isFrom = (from: number) => from >= 0 && from <= 1_000_000;
export const changedAppsQuery = changesQuery.extend({
  from: taking(
    queryInteger()
      .refine((from) => from === undefined || isFrom(from), fromSentence)
      .transform((from) => from ?? 0),
    z.int().min(0).default(0),
  ),
});
export const changedAppsBody = changesQuery.extend({
  from: z.int(fromSentence).refine(isFrom, fromSentence).default(0),
});
export const changedAppParams = z.object({ uuid: z.string().min(1).max(255) });

export const releaseActs = ["release", "return"] as const;
export type ReleaseAct = (typeof releaseActs)[number];
export const releaseAppQuery = z.object({
  of: queryWord("of", releaseActs)
    .transform((act): ReleaseAct => act ?? "release")
    .describe("release: what it changed (default); return: what rolling back to it would change"),
});
export const releaseAppsQuery = releaseAppQuery.extend(changedAppsQuery.pick({ from: true }).shape);
export const releaseAppParams = releaseParams.extend(changedAppParams.shape);

/** An optional text; blank: none. */
const remark = (name: string, longest: number, hasLines = true) =>
  taking(
    z
      .string({ error: `${name} must be a text` })
      .max(longest, { error: `${name} must have at most ${longest} characters` })
      .superRefine(visibleText(name, hasLines))
      .nullish()
      .transform((text) => (text?.trim() ? text.trim() : null)),
    z.string().max(longest).nullish(),
  );

const remarks = {
  name: remark("name", 200, false),
  note: remark("note", 10_000),
  force: forceMember,
  reason: remark("reason", 2_000),
  dry_run: z.boolean("dry_run must be true or false").default(false),
};

const choiceSentence = 'items must be "all" or a list of {family, key, id}';
const chosenItem = z.object(
  {
    family: z.enum(itemFamilies, { error: `family must be one of ${itemFamilies.join(", ")}` }),
    key: z.string({ error: "key must be a text" }).max(1_000),
    id: bodyId,
  },
  { error: "An item must be {family, key, id}" },
);

const chosenList = z
  .array(chosenItem, { error: choiceSentence })
  .min(1, { error: "items must name at least one item" });
/** Not a union, whose error would not say what is wrong in a list. */
const choice = taking(
  z.unknown().transform((value, context): "all" | z.output<typeof chosenList> => {
    if (value === "all") return value;
    const read = chosenList.safeParse(value);
    if (read.success) return read.data;
    passIssuesOn(read.error, context);
    return z.NEVER;
  }),
  z.union([z.literal("all"), chosenList]),
);

/** The items that a publication would include, and a digest of their content (`gate.md` W10). */
export const releasePlan = z
  .object(
    {
      items: z
        .array(
          z.object({
            family: z.enum(itemFamilies),
            key: z.string().max(1_000),
            from: z.int().nullable().describe("Id of the record or version that production has; null: none"),
            to: z.string().max(64).nullable().describe("SHA-256 of what staging has; null: it is deleted"),
          }),
        )
        .max(100_000),
      digest: z.string().max(64).describe("SHA-256 of the items"),
    },
    { error: "plan must be what a dry run of an import answered" },
  )
  .meta({ id: "ReleasePlan" });
export type ReleasePlan = z.output<typeof releasePlan>;

export const publishBody = z
  .object({
    items: choice.optional().describe("What was reviewed: an item whose head has another id by now refuses all"),
    plan: releasePlan.optional().describe("In place of items: exactly this, or nothing"),
    ...remarks,
    rollout: rolloutBody.nullish().describe("To some vehicles first. Default: to all at once"),
    at: zonedTime("at").nullish().describe("Publishes at this time, at most 90 days in advance. Default: now"),
  })
  .refine(({ items, plan }) => (items === undefined) !== (plan === undefined), {
    error: `Give items or plan: ${choiceSentence}`,
    path: ["items"],
  });

export const returnBody = z.object(remarks);
export type ReturnBody = z.output<typeof returnBody>;
