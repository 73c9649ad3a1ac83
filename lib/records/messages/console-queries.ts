import "server-only";
import { findHeads } from "@/lib/platform/db/heads";
import type { MessageFilters, MessagesPageQuery } from "@/lib/records/messages/console-schema";
import { loadLanguageSizes, type LanguageSizes } from "@/lib/records/messages/language-sizes";
import { nameLanguage, type NamedLanguage } from "@/lib/vocabulary/language-names";
import {
  buildMessageRow,
  messageNumbers,
  type MessageRow,
  passesMessageFilter,
  type PromptUse,
} from "@/lib/records/messages/overview";
import { listPromptUses } from "@/lib/records/messages/prompt-uses";
import { findMessage, listLanguages, messageSource } from "@/lib/records/messages/queries";
import type { MessageRecord } from "@/lib/records/messages/rules";
import type { MessageJson } from "@/lib/records/messages/wire";
import type { Environment } from "@/lib/vocabulary/terms";
import { countByState, type RecordList } from "@/lib/records/store/listing";
import { buildList, findLiving, findStates, selectRecords } from "@/lib/records/store/queries";
import { isVisible } from "@/lib/records/store/views";
import { policySnapshot } from "@/lib/policy/status";
import { listUsedLanguages } from "@/lib/policy/table/consumer-messages";
import { ConsumerMessageModel } from "@/models/consumer-message";

export interface MessageOverview extends RecordList<MessageRow> {
  /** Those not in production that match the filters. */
  readonly matching: readonly number[];
  readonly languages: readonly NamedLanguage[];
  readonly sizes: LanguageSizes;
}

/** Loads the list of messages. A view has few records, so they are all read, but not their history. */
export async function loadMessageOverview(query: MessagesPageQuery): Promise<MessageOverview> {
  const [messages, languages] = await Promise.all([selectMessages(query), listLanguages()]);
  const { visible, listed, isNew, usesOf } = messages;
  const list = await buildList(messages, { size: query.size, after: query.cursor }, (page) =>
    page.map((record) => buildMessageRow(record, { isNew: isNew(record), uses: usesOf(record), query })),
  );
  return {
    ...list,
    counts: countByState(visible, isNew),
    matching: listed.filter(({ status }) => status === "STAGING").map(({ id }) => id),
    languages: languages.map(nameLanguage),
    sizes: await loadLanguageSizes(visible),
  };
}

export async function loadListedMessages(query: MessageFilters): Promise<readonly MessageRecord[]> {
  return (await selectMessages(query)).listed;
}

async function selectMessages(query: MessageFilters) {
  const uses = await listPromptUses();
  const usesOf = ({ category }: MessageRecord) => uses.filter((use) => use.category === category);
  const filter = (messages: readonly MessageRecord[]) =>
    messages.filter((message) => passesMessageFilter(message, usesOf(message), query));
  return { ...(await selectRecords(messageSource, query, filter, messageNumbers)), usesOf };
}

export interface MessageOfPage {
  readonly environment: Environment;
  readonly message: MessageJson;
  readonly isInProduction: boolean;
  readonly uses: readonly PromptUse[];
  /** Languages in which any message of this environment has a text in the policy in service. */
  readonly usedLanguages: readonly string[];
}

/** Finds a message by its name or any of its ids: old links must work. `environment`: by default that of the record. */
export async function findMessageOfPage(
  wanted: { readonly id: number } | { readonly category: string },
  environment: Environment | undefined,
): Promise<MessageOfPage | null> {
  const record =
    "id" in wanted
      ? await ConsumerMessageModel.findById(wanted.id, { category: 1, status: 1 }).lean()
      : { category: wanted.category, status: "STAGING" as const };
  if (record === null) return null;
  const { category, status } = record;
  const place = environment ?? (status === "STAGING" ? "staging" : "production");
  const [[head], inProduction] = await Promise.all([
    findHeads("message", place, { keys: [category] }),
    findLiving("message", "production", { keys: [category] }),
  ]);
  if (head === undefined) return null;
  const [message, uses] = await Promise.all([findMessage(head.id), listPromptUses(category)]);
  if (message === null || (place === "production" && message.is_deleted)) return null;
  const usedLanguages = listUsedLanguages(policySnapshot()?.messages[place] ?? []);
  return { environment: place, message, isInProduction: inProduction.has(category), uses, usedLanguages };
}

/** `isVisible` is false if the message has been removed. */
export interface TakenName {
  readonly name: string;
  readonly id: number;
  readonly isVisible: boolean;
}

/** The newest record of every message that ever existed, by name. New messages must not overwrite another. */
export async function listTakenNames(): Promise<TakenName[]> {
  const states = await findStates("message", "staging");
  return states.map((state) => ({ name: state.key, id: state.id, isVisible: isVisible(state, "staging") }));
}
