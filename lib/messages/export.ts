import "server-only";
import { type z } from "zod";
import { buildCsvLine, csvStart } from "@/lib/http/csv";
import { FileAnswer } from "@/lib/http/file-answer";
import { StreamedData } from "@/lib/http/streamed-data";
import { loadListedMessages } from "@/lib/messages/console-queries";
import { type exportMessagesQuery } from "@/lib/messages/console-schema";
import { nameLanguage } from "@/lib/messages/language-names";
import { type MessageRecord } from "@/lib/messages/rules";
import { toMessageBody } from "@/lib/messages/wire";

const types = { csv: "text/csv; charset=utf-8", json: "application/json; charset=utf-8" } as const;

/**
 * Exports every message that the console's list shows under these filters, in its order: as a table with one line for
 * each language, or as the body that `POST messages` takes.
 *
 * @param now for the name of the file
 * @throws DatabaseUnavailable
 */
export async function exportMessages(query: z.output<typeof exportMessagesQuery>, now: Date): Promise<FileAnswer> {
  const messages = await loadListedMessages(query);
  const pieces = query.format === "csv" ? streamCsv(messages) : streamJson(messages);
  return new FileAnswer(await StreamedData.start(pieces), {
    type: types[query.format],
    name: `consumer-messages-${query.environment}-${now.toISOString().slice(0, 10)}.${query.format}`,
  });
}

async function* streamJson(messages: readonly MessageRecord[]): AsyncGenerator<string> {
  yield await Promise.resolve('{"messages":[');
  for (const [index, message] of messages.entries())
    yield `${index === 0 ? "" : ","}\n${JSON.stringify(toMessageBody(message))}`;
  yield "\n]}\n";
}

const columns = [
  "message_category",
  "status",
  "language_id",
  "language",
  "tts",
  "line1",
  "line2",
  "text_body",
  "label",
];

async function* streamCsv(messages: readonly MessageRecord[]): AsyncGenerator<string> {
  yield await Promise.resolve(csvStart + buildCsvLine(columns));
  for (const { category, status, isDeleted, languages } of messages) {
    const state = isDeleted ? "deletion pending" : status.toLowerCase();
    const lines = languages.map(({ languageId, tts, line1, line2, textBody, label }) => {
      const { name } = nameLanguage(languageId);
      return buildCsvLine([category, state, languageId, name, tts, line1, line2, textBody, label]);
    });
    yield lines.join("");
  }
}
