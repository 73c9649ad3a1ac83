import type { MessageTexts } from "@/lib/policy/table/snapshot";
import {
  hasText,
  mainLanguage,
  type MessageTextField,
  messageTextFields,
  type RecordStatus,
} from "@/lib/vocabulary/terms";

/** The text fields in the order of the API, which differs from that of a policy table (`api.md` 12.1). */
export const apiTextFields = [
  "line1",
  "line2",
  "tts",
  "textBody",
  "label",
] as const satisfies readonly MessageTextField[];

/** The texts of a message in one language, with the id of these texts; 0 if not stored yet. */
export interface LanguageTexts extends MessageTexts {
  readonly id: number;
  readonly languageId: string;
}

export interface MessageContent {
  readonly category: string;
  readonly isDeleted: boolean;
  readonly languages: readonly LanguageTexts[];
}

export interface MessageRecord extends MessageContent {
  readonly id: number;
  readonly status: RecordStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface MessageSummary extends Omit<MessageRecord, "languages"> {
  /** The spoken text, in English if available. */
  readonly text: string | null;
  readonly languageCount: number;
}

type SpokenText = Pick<LanguageTexts, "languageId" | "tts">;

/** The English spoken text, otherwise that of the last stored language; null if empty (`api.md` 12.1). */
export function chooseSpokenText(languages: readonly SpokenText[]): string | null {
  const chosen = languages.find(({ languageId }) => languageId === mainLanguage) ?? languages.at(-1);
  return chosen?.tts ? chosen.tts : null;
}

export function buildMessageSummary({
  languages,
  ...record
}: Omit<MessageRecord, "languages"> & { readonly languages: readonly SpokenText[] }): MessageSummary {
  return { ...record, text: chooseSpokenText(languages), languageCount: languages.length };
}

/** How complete a translation is: `partial` lacks fields that the English text has. */
export type Completeness = "missing" | "partial" | "complete";

export function listLackingFields(texts: MessageTexts, english: MessageTexts | null) {
  return messageTextFields.filter((field) => !texts[field] && Boolean(english?.[field]));
}

export function rateCompleteness(texts: MessageTexts | null, english: MessageTexts | null): Completeness {
  if (texts === null || !hasText(texts)) return "missing";
  return listLackingFields(texts, english).length > 0 ? "partial" : "complete";
}
