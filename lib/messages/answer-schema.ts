/** Answers of the message routes (`api.md` section 12). */
import { z } from "zod";
import { nextCursor, nullableText, recordStatus, timestamp } from "@/lib/http/answer-schema";
import { type toMessageJson, type toMessageListJson } from "@/lib/messages/wire";

const summary = {
  id: z.int(),
  message_category: z.string(),
  is_deleted: z.boolean(),
};

const messageSummary = z
  .object({
    ...summary,
    status: recordStatus,
    created_ts: timestamp,
    updated_ts: timestamp,
    languages: z.tuple([]).describe("Empty in lists"),
    text: nullableText.describe("Spoken text, in English if there is one"),
    language_count: z.int(),
  })
  .meta({ id: "MessageSummary" });

const language = z
  .object({
    id: z.int(),
    language_id: z.string(),
    selected: z.boolean(),
    message_category_id: z.int(),
    line1: nullableText,
    line2: nullableText,
    tts: nullableText,
    text_body: nullableText,
    label: nullableText,
  })
  .meta({ id: "MessageLanguage" });

/** Of the template, which is no record. */
const noTime = z.literal(0);
const messageDetail = z
  .object({
    ...summary,
    status: z.union([recordStatus, z.literal("").describe("of the template")]),
    created_ts: z.union([timestamp, noTime]),
    updated_ts: z.union([timestamp, noTime]),
    functional_group_names: z.array(z.string()).optional().describe("Groups whose consent prompt this is"),
    languages: z.array(language),
  })
  .meta({ id: "Message", description: "A record of a consumer message" });

export const messagesAnswer = z.object({
  messages: z.union([z.array(messageSummary), z.array(messageDetail)]),
  next_cursor: nextCursor,
});

/** `GET ui/messages/export` as JSON: what `POST messages` takes. */
export const exportMessagesAnswer = z.object({
  messages: z.array(z.looseObject({ message_category: z.string(), languages: z.array(z.unknown()) })),
});

// Both sides state the record; the compiler compares them.
messageSummary satisfies z.ZodType<Listed>;
messageDetail satisfies z.ZodType<Detailed>;
type Listed = Omit<ReturnType<typeof toMessageListJson>, "languages">;
type Detailed = Omit<ReturnType<typeof toMessageJson>, "created_ts" | "updated_ts" | "functional_group_names">;
