import "server-only";
import { type Transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { findAskingGroups } from "@/lib/messages/prompt-uses";
import { buildMessageDetail, listLanguages, loadMessageRecords } from "@/lib/messages/queries";
import { type MessageContent, type MessageRecord } from "@/lib/messages/rules";
import { toMessageJson } from "@/lib/messages/wire";
import { distinct } from "@/lib/words/order";
import { type RecordFamily } from "@/lib/records/family";
import { ConsumerMessageModel } from "@/models/consumer-message";

/** Consumer messages as versioned records; the key is the category (`api.md` 12). */
export const messageFamily: RecordFamily<MessageContent, MessageRecord> = {
  name: "messages",
  area: "messages",
  keyOf: ({ category }) => category,
  targetOf: ({ category }) => `message:${category}`,
  subjectOf: ({ category }) => `The message ${category}`,
  load: loadMessageRecords,
  toJson: async (record, session) => toMessageJson(await buildMessageDetail(record, session)),
  // Every text of a new record has an id of its own.
  number: async (tx, messages) => {
    const ids = await tx.nextIds("consumer_messages", messages.length);
    const textCount = messages.reduce((sum, { languages }) => sum + languages.length, 0);
    const textIds = (await tx.nextIds("message_texts", textCount)).values();
    return messages.map((message, index) => ({
      ...message,
      id: ids[index] ?? 0,
      languages: message.languages.map((texts) => ({ ...texts, id: textIds.next().value ?? 0 })),
    }));
  },
  insert: async ({ session }, messages) => {
    const documents = messages.map(({ id, languages, ...members }) => ({
      ...members,
      languages: [...languages],
      _id: id,
    }));
    await ConsumerMessageModel.insertMany(documents, { session, timestamps: false });
  },
  requireSavable: requireLanguages,
  requirePromotable: requireUnused,
};

async function requireLanguages(tx: Transaction, messages: readonly MessageContent[]): Promise<void> {
  const known = new Set(await listLanguages(tx.session));
  const wanted = messages.flatMap(({ languages }) => languages.map(({ languageId }) => languageId));
  const unknown = distinct(wanted).filter((languageId) => !known.has(languageId));
  if (unknown.length > 0) throw new AppError("invalid", `Unknown language: ${unknown.join(", ")}`);
}

/**
 * A group whose question is gone would be left out of every table (rule F3), so nobody can want that: not even `force`
 * deletes a message under a group that asks with it.
 */
async function requireUnused(tx: Transaction, messages: readonly MessageContent[]): Promise<void> {
  const categories = messages.filter(({ isDeleted }) => isDeleted).map(({ category }) => category);
  if (categories.length === 0) return;
  const groups = await findAskingGroups(categories, "production", tx.session);
  if (groups.length === 0) return;
  const uses = distinct(groups.map(({ userConsentPrompt: prompt }) => prompt)).map(
    (prompt) => `${prompt} (${groups.flatMap((one) => (one.userConsentPrompt === prompt ? one.name : [])).join(", ")})`,
  );
  throw new AppError("invalid", `Functional groups in production ask with this message: ${uses.join("; ")}`);
}
