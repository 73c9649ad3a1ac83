import "server-only";
import type { Transaction, WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { loadGroupsWithPrompt } from "@/lib/records/messages/prompt-uses";
import { listLanguages, loadMessageJson, messageSource } from "@/lib/records/messages/queries";
import type { MessageContent, MessageRecord } from "@/lib/records/messages/rules";
import { type SaveMessagesBody, saveMessagesBody } from "@/lib/records/messages/schema";
import { toMessageBody, toMessageContent } from "@/lib/records/messages/wire";
import type { HeadUnitFinding } from "@/lib/policy/head-unit/head-unit-check";
import { saveRecords } from "@/lib/records/store/commands";
import { numberEach, type RecordFamily, takeIds } from "@/lib/records/store/family";
import { distinct } from "@/lib/vocabulary/order";
import { ConsumerMessageModel } from "@/models/consumer-message";

export const messageFamily: RecordFamily<MessageContent, MessageRecord> = {
  ...messageSource,
  model: ConsumerMessageModel,
  item: "message",
  area: "messages",
  targetOf: ({ category }) => `message:${category}`,
  subjectOf: ({ category }) => `The message ${category}`,
  toJson: loadMessageJson,
  toBody: toMessageBody,
  contentOf: (body) => {
    const [message] = saveMessagesBody.parse({ messages: [body] }).messages;
    if (message === undefined) throw new RangeError("one message gives one message");
    return Promise.resolve(toMessageContent(message));
  },
  // Every text of a new record gets its own id.
  number: async (tx, messages) => {
    const numbered = await numberEach(tx, "consumer_messages", messages);
    const textCount = messages.reduce((sum, { languages }) => sum + languages.length, 0);
    const nextTextId = await takeIds(tx, "message_texts", textCount);
    return numbered.map((message) => ({
      ...message,
      languages: message.languages.map((texts) => ({ ...texts, id: nextTextId() })),
    }));
  },
  requireSavable: requireLanguages,
  requirePromotable: requireUnused,
};

/** Saves messages, all or none (`api.md` 12.3), and returns the findings they introduce. Throws like `saveRecords`. */
export async function saveMessages(body: SaveMessagesBody, writer: WriteContext): Promise<readonly HeadUnitFinding[]> {
  if (body.messages.length === 0) return [];
  const edits = body.messages.map((message) => ({ content: toMessageContent(message), baseId: message.base_id }));
  return (await saveRecords(messageFamily, edits, writer)).findings;
}

async function requireLanguages(tx: Transaction, messages: readonly MessageContent[]): Promise<void> {
  const known = new Set(await listLanguages(tx.session));
  const wanted = messages.flatMap(({ languages }) => languages.map(({ languageId }) => languageId));
  const unknown = distinct(wanted).filter((languageId) => !known.has(languageId));
  if (unknown.length > 0) throw new AppError("invalid", `Unknown language: ${unknown.join(", ")}`);
}

/** Policy tables omit groups whose message is missing, so not even `force` deletes a message in use. */
async function requireUnused(tx: Transaction, messages: readonly MessageContent[]): Promise<void> {
  const categories = messages.filter(({ isDeleted }) => isDeleted).map(({ category }) => category);
  if (categories.length === 0) return;
  const asking = await loadGroupsWithPrompt("production", { categories, session: tx.session });
  const groups = asking.filter(({ isDeleted }) => !isDeleted);
  if (groups.length === 0) return;
  const uses = distinct(groups.map(({ userConsentPrompt: prompt }) => prompt)).map(
    (prompt) => `${prompt} (${groups.flatMap((one) => (one.userConsentPrompt === prompt ? one.name : [])).join(", ")})`,
  );
  throw new AppError("invalid", `Functional groups in production ask with this message: ${uses.join("; ")}`);
}
