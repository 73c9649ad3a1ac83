import { z } from "zod";
import type { MessageRecord } from "@/lib/records/messages/rules";
import { toMessageBody } from "@/lib/records/messages/wire";
import {
  canonical,
  describeState,
  type ExportForm,
  type FileForm,
  itemName,
  listOf,
  membersOf,
  strict,
} from "@/lib/records/store/file-form";
import { nameLanguage } from "@/lib/vocabulary/language-names";
import { recordOf, snakeName } from "@/lib/vocabulary/members";
import { messageTextFields } from "@/lib/vocabulary/terms";

const texts = strict(recordOf(messageTextFields.map(snakeName), () => z.string().optional()));
export const messageItem = strict({
  message_category: itemName,
  languages: z.record(z.string().regex(/^[a-z]{2}-[a-z]{2}$/), texts),
}).meta({ id: "ExchangeMessage" });
export type MessageItem = z.output<typeof messageItem>;

export const messageFile = {
  member: "messages",
  place: "messages",
  schema: messageItem,
  keyOf: ({ message_category }) => message_category,
  itemOf: (body) => {
    const { message_category, languages } = membersOf(body);
    const byLanguage = listOf(languages).map(({ language_id, selected: _, ...own }) => [String(language_id), own]);
    return canonical({ message_category, languages: Object.fromEntries(byLanguage) as unknown });
  },
  bodyOf: ({ message_category, languages }) => {
    const list = Object.entries(languages).map(([language_id, own]) => ({ language_id, selected: true, ...own }));
    return { message_category, is_deleted: false, languages: list };
  },
} as const satisfies FileForm<MessageItem>;

export const messageFiles: ExportForm<MessageRecord> = {
  name: "consumer-messages",
  member: "messages",
  toBody: toMessageBody,
  columns: ["message_category", "status", "language_id", "language", "tts", "line1", "line2", "text_body", "label"],
  lines: (record) =>
    record.languages.map(({ languageId, tts, line1, line2, textBody, label }) => {
      const { name } = nameLanguage(languageId);
      return [record.category, describeState(record), languageId, name, tts, line1, line2, textBody, label];
    }),
};
