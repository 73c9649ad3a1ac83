import "server-only";
import { findHeads } from "@/lib/platform/db/heads";
import type { MessageFilters, MessagesPageQuery } from "@/lib/records/messages/console-schema";
import { loadLanguageSizes, type LanguageSizes } from "@/lib/records/messages/language-sizes";
import { nameLanguage, type NamedLanguage } from "@/lib/vocabulary/language-names";
import {
  buildOverview,
  countMessageStates,
  type MessageRow,
  type OverviewSource,
  type PromptUse,
} from "@/lib/records/messages/overview";
import { listPromptUses } from "@/lib/records/messages/prompt-uses";
import { findMessage, listLanguages, messageSource } from "@/lib/records/messages/queries";
import type { MessageRecord } from "@/lib/records/messages/rules";
import type { MessageJson } from "@/lib/records/messages/wire";
import type { Environment } from "@/lib/vocabulary/terms";
import { cutPage, type StateCounts } from "@/lib/records/store/listing";
import { findLiving, findStates, loadVisible } from "@/lib/records/store/queries";
import { isVisible } from "@/lib/records/store/views";
import { policySnapshot } from "@/lib/policy/status";
import { listUsedLanguages } from "@/lib/policy/table/consumer-messages";
import { ConsumerMessageModel } from "@/models/consumer-message";

export interface MessageOverview {
  readonly rows: readonly MessageRow[];
  readonly total: number;
  readonly first: number;
  readonly count: number;
  readonly counts: StateCounts;
  readonly waiting: readonly number[];
  readonly matching: readonly number[];
  readonly languages: readonly NamedLanguage[];
  readonly sizes: LanguageSizes;
}

/** Loads the list of messages. A view has few records, so they are all read, but not their history. */
export async function loadMessageOverview(query: MessagesPageQuery): Promise<MessageOverview> {
  const { environment, size, cursor = 0 } = query;
  const [source, languages] = await Promise.all([loadSource(environment), listLanguages()]);
  const { records } = source;
  const rows = buildOverview(source, query);
  const { page, total, after } = cutPage(rows, { size, after: cursor });
  const listed = new Set(rows.map(({ id }) => id));
  const staged = environment === "production" ? [] : records.filter(({ status }) => status === "STAGING");
  const waiting = staged.map(({ id }) => id);
  return {
    rows: page,
    total,
    first: after,
    count: records.length,
    counts: countMessageStates(source),
    waiting,
    matching: waiting.filter((id) => listed.has(id)),
    languages: languages.map(nameLanguage),
    sizes: await loadLanguageSizes(records),
  };
}

export async function loadListedMessages(query: MessageFilters): Promise<MessageRecord[]> {
  const source = await loadSource(query.environment);
  const byId = new Map(source.records.map((record) => [record.id, record]));
  return buildOverview(source, query).flatMap(({ id }) => byId.get(id) ?? []);
}

async function loadSource(environment: Environment): Promise<OverviewSource> {
  const [records, inProduction, uses] = await Promise.all([
    loadVisible(messageSource, environment),
    findLiving("message", "production"),
    listPromptUses(),
  ]);
  return { records, inProduction, uses };
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

/** The newest record of every message that ever existed, by name. New messages must not overwrite another. */
export async function listTakenNames(): Promise<{ name: string; id: number; isVisible: boolean }[]> {
  const states = await findStates("message", "staging");
  return states.map((state) => ({ name: state.key, id: state.id, isVisible: isVisible(state, "staging") }));
}
