import {
  type LanguageChoice,
  type MessageContent,
  type MessageDetail,
  type MessageSummary,
} from "@/lib/messages/rules";
import { type SaveMessageBody } from "@/lib/messages/schema";

/** An element of the list of messages (`api.md` 12.1). */
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

/** The detail form of a message (`api.md` 12.1). */
export function toMessageJson(message: MessageDetail) {
  return {
    id: message.id,
    message_category: message.category,
    status: message.status,
    is_deleted: message.isDeleted,
    created_ts: message.createdAt?.toISOString() ?? 0,
    updated_ts: message.updatedAt?.toISOString() ?? 0,
    ...(message.groupNames === null ? {} : { functional_group_names: message.groupNames }),
    languages: message.languages.map((language) => toLanguageJson(language, message.id)),
  };
}

/** What `POST messages` takes to store these texts again. */
export function toMessageBody({ category, isDeleted, languages }: MessageContent) {
  return {
    message_category: category,
    is_deleted: isDeleted,
    languages: languages.map(({ languageId, tts, line1, line2, textBody, label }) => ({
      language_id: languageId,
      selected: true,
      tts,
      line1,
      line2,
      text_body: textBody,
      label,
    })),
  };
}

/** Stored texts may be null; a language without texts has empty ones. */
function toLanguageJson({ languageId, texts }: LanguageChoice, messageId: number) {
  const text = (value: string | null | undefined) => (texts === null ? "" : (value ?? null));
  return {
    id: texts?.id ?? 0,
    language_id: languageId,
    selected: texts !== null,
    message_category_id: texts === null ? 0 : messageId,
    line1: text(texts?.line1),
    line2: text(texts?.line2),
    tts: text(texts?.tts),
    text_body: text(texts?.textBody),
    label: text(texts?.label),
  };
}

/** What an element of a body of `POST messages` wants to be stored: the selected languages (`api.md` 12.3). */
export function toMessageContent(body: SaveMessageBody): MessageContent {
  return {
    category: body.message_category,
    isDeleted: body.is_deleted,
    languages: body.languages
      .filter(({ selected }) => selected)
      .map(({ language_id, line1, line2, tts, text_body, label }) => ({
        id: 0,
        languageId: language_id,
        line1,
        line2,
        tts,
        textBody: text_body,
        label,
      })),
  };
}
