/** Safe in the browser. */
import { z } from "zod";
import { bodyId, filledText, queryEnvironment, queryInteger, queryText, taking } from "@/lib/platform/zod/query";
import { defaultPageSize, pageSizes, recordSorts, recordStates } from "@/lib/records/store/listing";
import { whyUnfitName } from "@/lib/vocabulary/whole-text";
import { environments } from "@/lib/vocabulary/terms";

const greatestLimit = 1000;
const limitSentence = `limit must be an integer from 1 to ${greatestLimit}`;

export const listSorts = ["name", "-name", "id", "-id"] as const;
export type ListSort = (typeof listSorts)[number];

/** `limit`, `cursor`, `search` and `sort` of a list. Without any of them, the list is complete. */
export const pagingParameters = {
  limit: taking(
    queryInteger().refine((limit) => limit === undefined || (limit >= 1 && limit <= greatestLimit), limitSentence),
    z.int().min(1).max(greatestLimit).optional(),
  ),
  cursor: filledText(),
  search: filledText(),
  sort: filledText().pipe(z.enum(listSorts, `sort must be one of ${listSorts.join(", ")}`).default("name")),
} as const;

const promotionSentence = "id must be an integer or a list of integers";

const oneOrMany = z.unknown().transform((id, context) => {
  const ids = z.array(bodyId).safeParse(Array.isArray(id) ? id : [id]);
  if (ids.success) return ids.data;
  context.addIssue({ code: "custom", message: promotionSentence });
  return z.NEVER;
});
/** Whether to proceed although head units would refuse the policy table. */
export const forceMember = z.boolean("force must be true or false").default(false);

export const promoteBody = z.object({
  id: taking(oneOrMany, z.union([bodyId, z.array(bodyId)])),
  force: forceMember,
});

/** Body of the promote routes that publish a whole family. It is optional, and anything but `true` means no force. */
export const promoteAllBody = z.object({ force: anyFlag() });

export function anyFlag() {
  const flag = z
    .unknown()
    .optional()
    .transform((value) => value === true);
  return taking(flag, z.boolean().default(false));
}

/** Id of the record that an edit is based on; 0 for none. Null or absent skips the comparison. */
export const baseIdMember = bodyId.nullish().transform((id) => id ?? null);

/** Whether a body deletes an item. It names a stored one, which may be older than the rules for names. */
interface NamedBody {
  readonly is_deleted: boolean;
}

/** Trims the name of an item, for `overwrite` of the schema of its body (`exchange.md` X1b). */
export const trimName =
  <Name extends string>(member: Name) =>
  <Body extends NamedBody & Readonly<Record<Name, string>>>(body: Body): Body =>
    body.is_deleted ? body : { ...body, [member]: body[member].trim() };

export const checkName =
  <Name extends string>(member: Name) =>
  (body: NamedBody & Readonly<Record<Name, string>>, context: z.RefinementCtx): void => {
    const why = body.is_deleted ? null : whyUnfitName(body[member]);
    if (why !== null) context.addIssue({ code: "custom", path: [member], message: `${member} ${why}` });
  };

const exportFormats = ["csv", "json"] as const;

export const exportFormat = queryText().pipe(
  z.enum(exportFormats, { error: "format must be csv or json" }).default("csv"),
);

/** At most `longest` UTF-16 code units. Never an error: an empty, too long or impossible text counts as absent. */
export function filterText(longest = 100) {
  return queryText()
    .transform((text) => text?.trim())
    .transform((text) => (text && text.length <= longest && isTypeable(text) ? text : undefined))
    .catch(undefined);
}

function isTypeable(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text);
}

/** One of the given words in a URL; anything else counts as absent. */
export function oneOf<T extends readonly string[]>(words: T) {
  return queryText().pipe(z.enum(words).optional()).optional().catch(undefined);
}

export const pageSizeParameter = queryInteger()
  .transform((size) => pageSizes.find((one) => one === size) ?? defaultPageSize)
  .catch(defaultPageSize);

/** The environment in the URL of one record; if absent, the record decides. */
export const recordEnvironment = queryText()
  .transform((value) => environments.find((name) => name === value?.toLowerCase()))
  .catch(undefined);

/** Of the console's lists and their exports. Invalid values count as absent. */
export const listMembers = {
  environment: queryEnvironment("staging"),
  state: queryText().pipe(z.enum(recordStates)).catch("all"),
  q: filterText(255),
  sort: queryText().pipe(z.enum(recordSorts)).catch("name"),
} as const;

/** The number of records before the page. */
export const placeParameter = queryInteger()
  .transform((after) => Math.max(0, after ?? 0))
  .catch(0);
