import type { MessageTexts } from "@/lib/policy/table/snapshot";
import { type MessageTextField, messageTextFields, type RecordStatus } from "@/lib/labels/vocabulary";

/** The fields of a text in the order of the API, which is not that of a table (`api.md` 12.1). */
export const apiTextFields = [
  "line1",
  "line2",
  "tts",
  "textBody",
  "label",
] as const satisfies readonly MessageTextField[];

/** The texts of a message in one language, with the id of these texts; 0 while they are not stored. */
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
  /** What is spoken, in English if there is English. */
  readonly text: string | null;
  readonly languageCount: number;
}

type SpokenText = Pick<LanguageTexts, "languageId" | "tts">;

/** Rule of `api.md` 12.1: the English speech, else that of the last stored language; null when it is empty. */
export function chooseSpokenText(languages: readonly SpokenText[]): string | null {
  const chosen = languages.find(({ languageId }) => languageId === "en-us") ?? languages.at(-1);
  return chosen?.tts ? chosen.tts : null;
}

/** Everything that lists say about a message. */
export function buildMessageSummary({
  languages,
  ...record
}: Omit<MessageRecord, "languages"> & { readonly languages: readonly SpokenText[] }): MessageSummary {
  return { ...record, text: chooseSpokenText(languages), languageCount: languages.length };
}

/** The language that every message has; head units fall back to it. */
export const mainLanguage = "en-us";

/** How far a message is translated into a language: `partial` lacks fields that the English text has. */
export type Completeness = "missing" | "partial" | "complete";

/** The fields that the English text has and this one lacks. */
export function listLackingFields(texts: MessageTexts, english: MessageTexts | null) {
  return messageTextFields.filter((field) => !texts[field] && Boolean(english?.[field]));
}

export function judgeCompleteness(texts: MessageTexts | null, english: MessageTexts | null): Completeness {
  if (texts === null || !messageTextFields.some((field) => texts[field])) return "missing";
  return listLackingFields(texts, english).length > 0 ? "partial" : "complete";
}
