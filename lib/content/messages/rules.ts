import { byCodeUnit } from "@/lib/labels/order";
import type { MessageTexts } from "@/lib/policy/table/snapshot";
import type { MessageTextField, RecordStatus } from "@/lib/labels/vocabulary";

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

/** What a save decides. */
export interface MessageContent {
  readonly category: string;
  readonly isDeleted: boolean;
  readonly languages: readonly LanguageTexts[];
}

/** A stored consumer message. */
export interface MessageRecord extends MessageContent {
  readonly id: number;
  readonly status: RecordStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A message as lists show it. */
export interface MessageSummary extends Omit<MessageRecord, "languages"> {
  /** What is spoken, in English if there is English. */
  readonly text: string | null;
  readonly languageCount: number;
}

/** One language of a message: its texts, or null where it has none. */
export interface LanguageChoice {
  readonly languageId: string;
  readonly texts: LanguageTexts | null;
}

/** A message with all languages it could have; the template has no groups, status and times. */
export interface MessageDetail extends Omit<MessageRecord, "languages" | "status" | "createdAt" | "updatedAt"> {
  readonly status: RecordStatus | "";
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
  /** Groups of the staging view that ask with this message. */
  readonly groupNames: readonly string[] | null;
  readonly languages: readonly LanguageChoice[];
}

/** What a list needs to know of the texts of one language. */
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

/** Every known language and those that have a text all the same, by code (`api.md` 12.1). */
export function buildLanguageChoices(
  stored: readonly LanguageTexts[],
  knownLanguages: readonly string[],
): LanguageChoice[] {
  const byLanguage = new Map(stored.map((texts) => [texts.languageId, texts]));
  const ids = new Set([...knownLanguages, ...byLanguage.keys()]);
  return [...ids].sort(byCodeUnit).map((languageId) => ({ languageId, texts: byLanguage.get(languageId) ?? null }));
}
