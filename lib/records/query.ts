/** Query parameters and body members that the routes of versioned records share. Safe in the browser. */
import { z } from "zod";
import { environments, type Environment } from "@/lib/policy/vocabulary";

/** `environment` in any case; anything else means the default of the route family (`api.md` 0.3). */
export const environmentParameter = (fallback: Environment) =>
  z
    .string()
    .optional()
    .transform((text) => environments.find((known) => known === text?.toLowerCase()) ?? fallback);

/** `true` and `1` in any case are true, all else is false (`api.md` 0.3). */
export const booleanParameter = z
  .string()
  .optional()
  .transform((text) => text === "1" || text?.toLowerCase() === "true");

/** A safe integer in decimal digits (`api.md` 0.3); optional. */
export const integerParameter = (name: string) =>
  z
    .string()
    .regex(/^-?\d+$/, `${name} must be an integer`)
    .transform(Number)
    .refine(Number.isSafeInteger, `${name} must be an integer`)
    .optional();

const greatestLimit = 1000;

/** Orders of a list; `name` is the key of its items. */
export const listSorts = ["name", "-name", "id", "-id"] as const;
export type ListSort = (typeof listSorts)[number];

const limitSentence = `limit must be an integer from 1 to ${greatestLimit}`;

/** `limit`, `cursor`, `search` and `sort` of a list; none of them given means the whole list. */
export const pagingParameters = {
  limit: z
    .string()
    .regex(/^\d{1,9}$/, limitSentence)
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= greatestLimit, limitSentence)
    .optional(),
  cursor: z.string().optional(),
  search: z.string().optional(),
  sort: z.enum(listSorts, `sort must be one of ${listSorts.join(", ")}`).default("name"),
} as const;

/** An id of a record in a body: an integer, or its decimal digits (`api.md` 0.8). */
export const idMember = (sentence: string) =>
  z.union(
    [
      z.int(),
      z
        .string()
        .regex(/^\d+$/)
        .transform(Number)
        .refine((id) => Number.isSafeInteger(id)),
    ],
    sentence,
  );

const promotionSentence = "id must be an integer or a list of integers";

/** Body of the promote routes: one id or many, and whether to publish what head units would refuse. */
export const promoteBody = z.object({
  id: z
    .union([idMember(promotionSentence), z.array(idMember(promotionSentence))], promotionSentence)
    .transform((id) => (Array.isArray(id) ? id : [id])),
  force: z.boolean("force must be true or false").optional(),
});
export type PromoteBody = z.infer<typeof promoteBody>;

/** The record an edit started from; 0 for none. Null and absent: do not compare. */
export const baseIdMember = idMember("base_id must be an integer")
  .nullish()
  .transform((id) => id ?? null);

/** Length in bytes of UTF-8, in which the limits of texts are given. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
