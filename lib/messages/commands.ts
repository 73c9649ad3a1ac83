import "server-only";
import { findHeads } from "@/lib/db/heads";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { findAskingGroups } from "@/lib/messages/prompt-uses";
import { buildMessageDetail, findMessage, listLanguages, loadMessageRecords } from "@/lib/messages/queries";
import { type MessageContent } from "@/lib/messages/rules";
import { type SaveMessagesBody } from "@/lib/messages/schema";
import { toMessageContent, toMessageJson } from "@/lib/messages/wire";
import { distinct } from "@/lib/policy/order";
import { type HeadUnitFinding } from "@/lib/policy/head-unit-check";
import { findNewFaults, requireNoNewFaults } from "@/lib/policy/promotion-check";
import { type RecordStatus } from "@/lib/policy/vocabulary";
import { type PromoteBody } from "@/lib/records/query";
import { selectPromotable } from "@/lib/records/views";
import { ConsumerMessageModel } from "@/models/consumer-message";

interface Edit {
  readonly content: MessageContent;
  readonly baseId: number | null;
}

/**
 * Saves messages as new STAGING records, all or none; edits, deletes and restores alike (`api.md` 12.3).
 *
 * @returns the faults that they bring to the staging table
 * @throws AppError 400 when a language is not known; 409 with `data.current` and `data.submitted` of the first message
 *   whose `base_id` is not the newest record of its category
 */
export async function saveMessages(body: SaveMessagesBody, writer: WriteContext): Promise<readonly HeadUnitFinding[]> {
  const edits = body.messages.map((message) => ({ content: toMessageContent(message), baseId: message.base_id }));
  if (edits.length === 0) return [];
  return inTransaction(writer, async (tx) => {
    await requireLanguages(tx, edits);
    const keys = distinct(edits.map(({ content }) => content.category));
    const heads = await findHeads("messages", "staging", { keys, session: tx.session });
    const newest = new Map(heads.map(({ key, id }) => [key, id]));
    await requireFresh(tx, edits, newest);
    const contents = edits.map(({ content }) => content);
    const { findings } = await findNewFaults(tx, "staging", async () => {
      const ids = await insertMessages(tx, contents, "STAGING");
      for (const [index, { category }] of contents.entries()) {
        const id = ids[index];
        const before = newest.get(category) ?? null;
        tx.record({ action: "messages.save", target: targetOf(category), before, after: id ?? null });
        if (id !== undefined) newest.set(category, id);
      }
    });
    return findings;
  });
}

/**
 * Publishes staged messages with every stored text, all or none (`api.md` 12.4). Ids with nothing to publish are skipped.
 *
 * @throws AppError 400 for the deletion of a message that a group in production asks with; 409 with `data.findings` when
 *   the production table would have new faults afterwards and `force` is false
 */
export async function promoteMessages({ id: ids, force }: PromoteBody, writer: WriteContext): Promise<void> {
  if (ids.length === 0) return;
  await inTransaction(writer, async (tx) => {
    const wanted = new Set(ids);
    const heads = await findHeads("messages", "staging", { session: tx.session });
    const newest = heads.map(({ id }) => id).filter((id) => wanted.has(id));
    const records = selectPromotable(ids, await loadMessageRecords(newest, tx.session)).sort((a, b) => a.id - b.id);
    if (records.length === 0) {
      tx.keepRevision();
      return;
    }
    await requireUnused(tx, records);
    await requireNoNewFaults(tx, force, async () => {
      const copies = await insertMessages(tx, records, "PRODUCTION");
      for (const [index, { id, category }] of records.entries()) {
        const after = copies[index] ?? null;
        tx.record({ action: "messages.promote", target: targetOf(category), before: id, after });
      }
    });
  });
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

function targetOf(category: string): string {
  return `message:${category}`;
}

async function requireLanguages(tx: Transaction, edits: readonly Edit[]): Promise<void> {
  const known = new Set(await listLanguages(tx.session));
  const wanted = edits.flatMap(({ content }) => content.languages.map(({ languageId }) => languageId));
  const unknown = distinct(wanted).filter((languageId) => !known.has(languageId));
  if (unknown.length > 0) throw new AppError("invalid", `Unknown language: ${unknown.join(", ")}`);
}

async function requireFresh(tx: Transaction, edits: readonly Edit[], newest: ReadonlyMap<string, number>) {
  for (const { content, baseId } of edits) {
    const newestId = newest.get(content.category) ?? 0;
    if (baseId === null || baseId === newestId) continue;
    const current = await findMessage(newestId, tx.session);
    const submitted = await buildMessageDetail({ ...content, id: 0, status: "STAGING" }, tx.session);
    const message = `The message ${content.category} was changed meanwhile; base_id is not its newest record`;
    throw new AppError("conflict", message, {
      data: { current: current && toMessageJson(current), submitted: toMessageJson(submitted) },
    });
  }
}

/** Every text of a new record has an id of its own. */
async function insertMessages(
  tx: Transaction,
  messages: readonly MessageContent[],
  status: RecordStatus,
): Promise<readonly number[]> {
  const ids = await tx.nextIds("consumer_messages", messages.length);
  const textCount = messages.reduce((sum, { languages }) => sum + languages.length, 0);
  const textIds = (await tx.nextIds("message_texts", textCount)).values();
  const documents = messages.map(({ category, isDeleted, languages }, index) => ({
    _id: ids[index],
    category,
    status,
    isDeleted,
    languages: languages.map((texts) => ({ ...texts, id: textIds.next().value })),
    createdAt: tx.now,
    updatedAt: tx.now,
  }));
  await ConsumerMessageModel.insertMany(documents, { session: tx.session, timestamps: false });
  return ids;
}
