/** Safe in the browser. Invalid values fall back to the defaults. */
import { z } from "zod";
import {
  exportFormat,
  filterText,
  listMembers,
  oneOf,
  pageSizeParameter,
  placeParameter,
  recordEnvironment,
} from "@/lib/records/store/query";
import { queryText } from "@/lib/platform/zod/query";

/** Sort orders of the list; `-` is descending. `complete` starts with the least complete. */
export const messageSorts = ["name", "-name", "complete", "-complete", "changed", "-changed"] as const;
export const messageUses = ["used", "unused"] as const;

const languageId = queryText()
  .transform((value) => value?.toLowerCase())
  .transform((value) => (value !== undefined && /^[a-z]{2}-[a-z]{2}$/.test(value) ? value : undefined))
  .catch(undefined);

const knownLanguage = (known: readonly string[]) =>
  languageId.transform((value) => (value !== undefined && known.includes(value) ? value : undefined));

const filterMembers = {
  ...listMembers,
  /** Part of the name or of any text in any language. */
  q: filterText(),
  lang: languageId,
  missing: languageId,
  use: oneOf(messageUses),
  sort: queryText().pipe(z.enum(messageSorts)).catch("name"),
};

export const messagesPageQuery = z.object({
  ...filterMembers,
  size: pageSizeParameter,
  cursor: placeParameter,
});
export type MessagesPageQuery = z.output<typeof messagesPageQuery>;
export function buildMessagesPageQuery(languageIds: readonly string[]) {
  const language = knownLanguage(languageIds);
  return messagesPageQuery.extend({ lang: language, missing: language });
}

/** Query of the page of one message. Without `id` and `category` it is a new one. */
export function buildMessagePageQuery(languageIds: readonly string[]) {
  return z.object({
    id: queryText(),
    category: queryText(),
    environment: recordEnvironment,
    lang: knownLanguage(languageIds),
  });
}
export type MessagePageQuery = z.output<ReturnType<typeof buildMessagePageQuery>>;

export type MessageFilters = Omit<MessagesPageQuery, "size" | "cursor">;

export const exportMessagesQuery = z.object({
  ...filterMembers,
  format: exportFormat,
});
