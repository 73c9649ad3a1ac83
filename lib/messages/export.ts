import { nameLanguage } from "@/lib/messages/language-names";
import { type MessageRecord } from "@/lib/messages/rules";
import { toMessageBody } from "@/lib/messages/wire";
import { describeState, type ExportForm } from "@/lib/records/export";

/** Messages as files: a table with one line for each language, or the body that `POST messages` takes. */
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
