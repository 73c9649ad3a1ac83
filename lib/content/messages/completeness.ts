import type { MessageTexts } from "@/lib/policy/table/snapshot";
import { messageTextFields } from "@/lib/labels/vocabulary";

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
