import { z } from "zod";
import { recordStatuses } from "@/lib/vocabulary/terms";

/* Parts of responses (`api.md` 0.4, 0.8), for the API's description and its tests. Not checked when sent. */

export const timestamp = z.iso.datetime({ precision: 3 });
export const recordStatus = z.enum(recordStatuses);
export const nullableText = z.string().nullable();

export const nextCursor = nullableText.optional().describe("Only with limit; null on the last page");

const metaAnswer = z
  .object({
    request_id: z.uuidv4(),
    code: z.int().describe("Equal to the HTTP status"),
    message: nullableText.describe("A sentence for people; always present after a failure"),
  })
  .meta({ id: "Meta" });

export function envelopeAnswer<T extends z.ZodType>(data: T) {
  return z.object({ meta: metaAnswer, data });
}

export const emptyAnswer = z.strictObject({});

export const errorAnswer = z
  .object({
    error: z.string().optional().describe("The message again; only in the policy routes"),
    meta: metaAnswer,
    data: z.unknown().describe("Empty, or details about the failure"),
  })
  .meta({ id: "Error" });
