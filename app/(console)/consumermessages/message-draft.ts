import type { RecordFamily } from "@/app/_records/family";
import { recordKinds } from "@/app/_records/kinds";
import type { Draft } from "@/app/_components/form/use-draft";
import { type Completeness, rateCompleteness, listLackingFields } from "@/lib/records/messages/rules";
import { findPlaceholderProblems, findUnknownPlaceholders } from "@/lib/records/messages/placeholders";
import type { toMessageBody } from "@/lib/records/messages/wire";
import { snakeName } from "@/lib/vocabulary/members";
import type { MessageTexts } from "@/lib/policy/table/snapshot";
import { mainLanguage, type MessageTextField, messageTextFields } from "@/lib/vocabulary/terms";
import type { NamedLanguage } from "@/lib/vocabulary/language-names";
import type { MessageOfPage, TakenName } from "@/lib/records/messages/console-queries";

/**
 * Texts (`de-de.line1`) and languages (`de-de`) are members, so that changes are counted, shown and merged one by one.
 */
export type MessageDraft = Readonly<Record<string, string | boolean>>;

export const fieldNames = {
  tts: "Spoken text",
  line1: "Line 1",
  line2: "Line 2",
  textBody: "Text body",
  label: "Label",
} as const satisfies Record<MessageTextField, string>;

export const memberOf = (languageId: string, field: MessageTextField) => `${languageId}.${field}`;

/** A body, or the answer of the API. */
export type DraftSource = Pick<ReturnType<typeof toMessageBody>, "message_category" | "languages">;

export function toDraft({ message_category, languages }: DraftSource) {
  const draft: Record<string, string | boolean> = { category: message_category };
  for (const language of languages) {
    const id = language.language_id;
    draft[id] = language.selected || id === mainLanguage;
    for (const field of messageTextFields) draft[memberOf(id, field)] = language[snakeName(field)] ?? "";
  }
  // Messages of another server may lack it, and none can be saved without it.
  draft[mainLanguage] ??= true;
  return draft;
}

export const hasLanguage = (draft: MessageDraft, languageId: string) => draft[languageId] === true;

export function readText(draft: MessageDraft, languageId: string, field: MessageTextField): string {
  const text = draft[memberOf(languageId, field)];
  return typeof text === "string" ? text : "";
}

/** Null if the message does not have the language. */
export function readTexts(draft: MessageDraft, languageId: string): MessageTexts | null {
  if (!hasLanguage(draft, languageId)) return null;
  return Object.fromEntries(
    messageTextFields.map((field) => [field, readText(draft, languageId, field) || null]),
  ) as MessageTexts;
}

export function changeTexts(languageId: string, texts: MessageTexts | null): MessageDraft {
  return {
    [languageId]: texts !== null || languageId === mainLanguage,
    ...Object.fromEntries(messageTextFields.map((field) => [memberOf(languageId, field), texts?.[field] ?? ""])),
  };
}

export const emptyTexts: MessageTexts = { tts: null, line1: null, line2: null, textBody: null, label: null };

/** Body of a save (`api.md` 12.3). */
export function toBody(draft: MessageDraft, baseId: number | null, isDeleted: boolean) {
  const languages = Object.keys(draft)
    .filter((id) => hasLanguage(draft, id))
    .map((id) => ({
      language_id: id,
      selected: true,
      ...Object.fromEntries(messageTextFields.map((field) => [snakeName(field), readText(draft, id, field) || null])),
    }));
  return {
    messages: [{ message_category: String(draft["category"]), is_deleted: isDeleted, base_id: baseId, languages }],
  };
}

/** Placeholders that head units or the English text do not know, by member. */
export function findTextProblems(
  draft: MessageDraft,
  base: MessageDraft,
  languageIds: readonly string[],
): Record<string, string> {
  const english = readTexts(draft, mainLanguage) ?? emptyTexts;
  const stored = readTexts(base, mainLanguage) ?? emptyTexts;
  const problems: Record<string, string> = {};
  for (const id of languageIds) {
    const texts = readTexts(draft, id) ?? emptyTexts;
    const found =
      id === mainLanguage ? findUnknownPlaceholders(texts, stored) : findPlaceholderProblems(texts, english);
    for (const { field, message } of found) problems[memberOf(id, field)] ??= message;
  }
  return problems;
}

export function rateLanguage(
  draft: MessageDraft,
  languageId: string,
): { readonly state: Completeness; readonly lacking: readonly MessageTextField[] } {
  const english = readTexts(draft, mainLanguage);
  const texts = readTexts(draft, languageId);
  return {
    state: rateCompleteness(texts, english),
    lacking: texts === null ? [] : listLackingFields(texts, english),
  };
}

export function isLanguageChanged(changed: readonly string[], languageId: string): boolean {
  return changed.some((member) => member === languageId || member.startsWith(`${languageId}.`));
}

export function changeText(
  draft: MessageDraft,
  base: MessageDraft,
  { languageId, field, text }: { languageId: string; field: MessageTextField; text: string },
): MessageDraft {
  const isFilled =
    text !== "" || messageTextFields.some((one) => one !== field && readText(draft, languageId, one) !== "");
  return { [memberOf(languageId, field)]: text, [languageId]: isFilled || hasLanguage(base, languageId) };
}

export function listFilledLanguages<Language extends { readonly id: string }>(
  draft: MessageDraft,
  languages: readonly Language[],
): Language[] {
  return languages.filter(({ id }) => {
    const texts = readTexts(draft, id);
    return texts !== null && Object.values(texts).some(Boolean);
  });
}

export interface LanguagePart {
  readonly language: NamedLanguage;
  readonly order: readonly NamedLanguage[];
  readonly draft: Draft<MessageDraft>;
  readonly problems: Readonly<Record<string, string>>;
  readonly isReadOnly: boolean;
  readonly onChange: (members: MessageDraft) => void;
  readonly onChoose: (languageId: string) => void;
}

export interface EditedMessage extends MessageOfPage {
  readonly languages: readonly NamedLanguage[];
}

/** Ignores letter case, because people would confuse such names. */
export function findTaken(name: string, takenNames: readonly TakenName[]): TakenName | null {
  const wanted = name.trim().toLowerCase();
  return takenNames.find((taken) => taken.isVisible && taken.name.toLowerCase() === wanted) ?? null;
}

export const messageFamily: RecordFamily<MessageDraft> = {
  ...recordKinds.messages,
  api: "/api/v1/messages",
  draftPrefix: "message",
  nameOf: (draft) => String(draft["category"]).trim(),
  toBody,
  toForm: (body) => toDraft(body as DraftSource),
};
