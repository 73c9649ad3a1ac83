import "server-only";
import type { ClientSession } from "mongoose";
import { recordFamilies } from "@/lib/platform/db/heads";
import { type MessageJson, toMessageJson, type UnsavedMessage } from "@/lib/records/messages/wire";
import {
  buildMessageSummary,
  chooseSpokenText,
  type MessageRecord,
  type MessageSummary,
} from "@/lib/records/messages/rules";
import { byLowerCase } from "@/lib/vocabulary/order";
import { recordOf } from "@/lib/vocabulary/members";
import { type Environment, messageTextFields } from "@/lib/vocabulary/terms";
import { loadGroupsWithPrompt } from "@/lib/records/messages/prompt-uses";
import type { RecordSource } from "@/lib/records/store/family";
import type { Page, Paging } from "@/lib/records/store/page";
import { listRecords } from "@/lib/records/store/queries";
import { isVisible } from "@/lib/records/store/views";
import { ConsumerMessageModel, type ConsumerMessageRecord } from "@/models/consumer-message";
import { LanguageModel } from "@/models/language";

export const messageSource: RecordSource<MessageRecord> = {
  ...recordFamilies.message,
  load: loadMessageRecords,
  keyOf: ({ category }) => category,
  compareKeys: byLowerCase,
  searchTexts: ({ category, languages }) => [category, chooseSpokenText(languages)],
};

/** Lists the messages of a view, by lower-case category unless the query sorts otherwise (`api.md` 12.1). */
export async function listMessages(
  query: { readonly environment: Environment; readonly hideDeleted?: boolean } & Paging,
): Promise<Page<MessageSummary>> {
  const summaries: RecordSource<MessageSummary> = {
    ...messageSource,
    load: loadSummaries,
    keyOf: ({ category }) => category,
    searchTexts: ({ category, text }) => [category, text],
  };
  return listRecords(summaries, query);
}

export async function findMessage(id: number, session?: ClientSession): Promise<MessageJson | null> {
  const [record] = await loadMessageRecords([id], session);
  return record === undefined ? null : loadMessageJson(record, session);
}

export async function loadMessageJson(message: UnsavedMessage, session?: ClientSession): Promise<MessageJson> {
  const groupNames = await listAskingGroups(message.category, session);
  return toMessageJson(message, await listLanguages(session), groupNames);
}

export async function loadMessageTemplate(): Promise<MessageJson> {
  return toMessageJson({ category: "", isDeleted: false, languages: [] }, await listLanguages());
}

export async function listLanguages(session?: ClientSession): Promise<string[]> {
  const languages = await LanguageModel.find({}, { languageId: 1 })
    .sort({ languageId: 1 })
    .session(session ?? null)
    .lean();
  return languages.map(({ languageId }) => languageId);
}

/** Reads records by id, unordered. */
export async function loadMessageRecords(ids: readonly number[], session?: ClientSession): Promise<MessageRecord[]> {
  const documents = await ConsumerMessageModel.find({ _id: { $in: ids } })
    .session(session ?? null)
    .lean();
  return documents.map((document) => ({ ...toRecordHead(document), languages: document.languages.map(toTexts) }));
}

/** Lists need only the spoken text of each language. */
async function loadSummaries(ids: readonly number[]): Promise<MessageSummary[]> {
  const documents = await ConsumerMessageModel.find({ _id: { $in: ids } })
    .select("category status isDeleted createdAt updatedAt languages.languageId languages.tts")
    .lean();
  return documents.map((document) =>
    buildMessageSummary({
      ...toRecordHead(document),
      languages: document.languages.map(({ languageId, tts }) => ({ languageId, tts: tts ?? null })),
    }),
  );
}

async function listAskingGroups(category: string, session?: ClientSession): Promise<string[]> {
  const groups = await loadGroupsWithPrompt("staging", { categories: [category], session });
  return groups.filter((group) => isVisible(group, "staging")).map(({ name }) => name);
}

function toRecordHead({ _id, category, status, isDeleted, createdAt, updatedAt }: ConsumerMessageRecord) {
  return { id: _id, category, status, isDeleted, createdAt, updatedAt };
}

function toTexts({ id, languageId, ...texts }: ConsumerMessageRecord["languages"][number]) {
  return { id, languageId, ...recordOf(messageTextFields, (field) => texts[field] ?? null) };
}
