import { pickMembers, recordOf, snakeName, toSnakeMembers } from "@/lib/vocabulary/members";
import { byCodeUnit, distinct } from "@/lib/vocabulary/order";
import { messageTextFields } from "@/lib/vocabulary/terms";
import {
  apiTextFields,
  type LanguageTexts,
  type MessageContent,
  type MessageRecord,
  type MessageSummary,
} from "@/lib/records/messages/rules";
import type { SaveMessageBody } from "@/lib/records/messages/schema";
import { z } from "zod";
import { nextCursor, nullableText, recordStatus, timestamp } from "@/lib/platform/http/answer-schema";

export function toMessageListJson(message: MessageSummary) {
  return {
    id: message.id,
    message_category: message.category,
    status: message.status,
    created_ts: message.createdAt.toISOString(),
    updated_ts: message.updatedAt.toISOString(),
    is_deleted: message.isDeleted,
    languages: [],
    text: message.text,
    language_count: message.languageCount,
  };
}

export type UnsavedMessage = MessageContent & Partial<Omit<MessageRecord, keyof MessageContent>>;

/** The detail form (`api.md` 12.1) with all stored and known languages. `groupNames`: undefined for the template. */
export function toMessageJson(
  { id = 0, status, createdAt, updatedAt, ...message }: UnsavedMessage,
  knownLanguages: readonly string[],
  groupNames?: readonly string[],
) {
  const byLanguage = new Map(message.languages.map((texts) => [texts.languageId, texts]));
  const languages = distinct([...knownLanguages, ...byLanguage.keys()]).sort(byCodeUnit);
  return {
    id,
    message_category: message.category,
    status: status ?? ("" as const),
    is_deleted: message.isDeleted,
    created_ts: createdAt?.toISOString() ?? 0,
    updated_ts: updatedAt?.toISOString() ?? 0,
    ...(groupNames && { functional_group_names: groupNames }),
    languages: languages.map((languageId) => toLanguageJson(languageId, byLanguage.get(languageId), id)),
  };
}
export type MessageJson = ReturnType<typeof toMessageJson>;

export function toMessageBody({ category, isDeleted, languages }: MessageContent) {
  return {
    message_category: category,
    is_deleted: isDeleted,
    languages: languages.map((texts) => ({
      language_id: texts.languageId,
      selected: true,
      ...toSnakeMembers(pickMembers(texts, messageTextFields)),
    })),
  };
}

/** Stored texts may be null. A language without texts has empty ones. */
function toLanguageJson(languageId: string, texts: LanguageTexts | undefined, messageId: number) {
  return {
    id: texts?.id ?? 0,
    language_id: languageId,
    selected: texts !== undefined,
    message_category_id: texts === undefined ? 0 : messageId,
    ...toSnakeMembers(recordOf(apiTextFields, (field) => (texts === undefined ? "" : texts[field]))),
  };
}

/** The content to store for an entry of a `POST messages` body: only the selected languages (`api.md` 12.3). */
export function toMessageContent(body: SaveMessageBody): MessageContent {
  return {
    category: body.message_category,
    isDeleted: body.is_deleted,
    languages: body.languages
      .filter(({ selected }) => selected)
      .map((texts) => ({
        id: 0,
        languageId: texts.language_id,
        ...recordOf(messageTextFields, (field) => texts[snakeName(field)]),
      })),
  };
}

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
    ...toSnakeMembers(recordOf(apiTextFields, () => nullableText)),
  })
  .meta({ id: "MessageLanguage" });

/** The template has no times. */
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

export const exportMessagesAnswer = z.object({
  messages: z.array(z.looseObject({ message_category: z.string(), languages: z.array(z.unknown()) })),
});

// The compiler checks that schema and builder describe the same object.
messageSummary satisfies z.ZodType<Listed>;
messageDetail satisfies z.ZodType<Detailed>;
type Listed = Omit<ReturnType<typeof toMessageListJson>, "languages">;
type Detailed = Omit<MessageJson, "created_ts" | "updated_ts" | "functional_group_names">;
