import { rateCompleteness, type MessageRecord } from "@/lib/records/messages/rules";
import type { MessageFilters } from "@/lib/records/messages/console-schema";
import type { ListedRecord } from "@/lib/records/store/listing";
import type { MessageTexts } from "@/lib/policy/table/snapshot";
import { mainLanguage } from "@/lib/vocabulary/terms";

export interface PromptUse {
  readonly category: string;
  readonly name: string;
  /** The group's newest record in staging; null if it does not use this message there. */
  readonly stagingId: number | null;
  readonly productionId: number | null;
  readonly isWaiting: boolean;
}

export interface FoundText {
  readonly languageId: string;
  readonly text: string;
}

export interface MessageRow extends Omit<ListedRecord, "name"> {
  readonly category: string;
  /** The text in the chosen language, shortened; null if there is none. */
  readonly preview: string | null;
  readonly found: FoundText | null;
  readonly languageCount: number;
  /** Number of languages that lack a field which the English text has. */
  readonly partialCount: number;
  readonly uses: readonly PromptUse[];
}

const longestPreview = 180;

export function passesMessageFilter(
  record: MessageRecord,
  uses: readonly PromptUse[],
  { q, missing, use }: Pick<MessageFilters, "q" | "missing" | "use">,
): boolean {
  if (missing !== undefined && rateCompleteness(findTexts(record, missing), null) !== "missing") return false;
  if (use !== undefined && uses.length > 0 !== (use === "used")) return false;
  return q === undefined || includes(record.category, q) || findText(record, q) !== null;
}

/** The orders of the list besides that by name. */
export const messageNumbers = {
  changed: ({ updatedAt }: MessageRecord) => updatedAt.getTime(),
  complete: (record: MessageRecord) => {
    const { languageCount, partialCount } = countLanguages(record);
    return languageCount - partialCount;
  },
} as const;

export function buildMessageRow(
  record: MessageRecord,
  {
    query: { q, lang = mainLanguage },
    ...facts
  }: Pick<MessageRow, "isNew" | "uses"> & { readonly query: Pick<MessageFilters, "q" | "lang"> },
): MessageRow {
  const { id, category, status, isDeleted, updatedAt } = record;
  const shown = findTexts(record, lang);
  const preview = shown && choosePreview(shown);
  const found = q === undefined ? null : findText(record, q);
  return {
    ...{ id, category, status, isDeleted, ...facts, ...countLanguages(record) },
    changedAt: updatedAt.toISOString(),
    preview: preview && cut(preview),
    // A match that the preview already shows is not repeated.
    found: found !== null && q !== undefined && !includes(cut(preview ?? ""), q) ? found : null,
  };
}

const findTexts = ({ languages }: MessageRecord, languageId: string) =>
  languages.find((texts) => texts.languageId === languageId) ?? null;

function countLanguages(record: MessageRecord) {
  const english = findTexts(record, mainLanguage);
  const states = record.languages.map((texts) => rateCompleteness(texts, english));
  return {
    languageCount: states.filter((state) => state !== "missing").length,
    partialCount: states.filter((state) => state === "partial").length,
  };
}

/** The text a driver notices first: speech, body, lines, then label. */
export function choosePreview({ tts, textBody, line1, line2, label }: MessageTexts): string | null {
  const lines = [line1, line2].filter(Boolean).join(" ");
  return [tts, textBody, lines, label].find((text) => text !== null && text !== "") ?? null;
}

const includes = (text: string | null, part: string) => text?.toLowerCase().includes(part.toLowerCase()) === true;
const cut = (text: string) => (text.length > longestPreview ? `${text.slice(0, longestPreview).trimEnd()}…` : text);

function findText({ languages }: MessageRecord, part: string): FoundText | null {
  for (const { languageId, tts, line1, line2, textBody, label } of languages) {
    const text = [tts, textBody, line1, line2, label].find((one) => includes(one, part)) ?? null;
    if (text === null) continue;
    const from = Math.max(0, text.toLowerCase().indexOf(part.toLowerCase()) - 40);
    return { languageId, text: (from > 0 ? "…" : "") + cut(text.slice(from)) };
  }
  return null;
}
