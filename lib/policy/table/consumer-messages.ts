"one per process";

import { oncePer } from "@/lib/platform/once-per";
import { jsonText, objectText } from "@/lib/policy/table/json-text";
import { byCodeUnit, distinct } from "@/lib/vocabulary/order";
import type { MessageTexts, SnapshotMessage } from "@/lib/policy/table/snapshot";
import { partsText, TablePart } from "@/lib/policy/table/table-part";
import type { Report } from "@/lib/policy/table/vehicle-data";
import { hasText, mainLanguage, messageTextFields } from "@/lib/vocabulary/terms";

const largestVersion = 999_999_999;

/** RangeError if the greatest message id no longer fits the version's nine digits (rule C1). */
export function consumerMessagesVersion(view: readonly SnapshotMessage[]): string {
  return messagesVersion(view.reduce((greatest, { id }) => Math.max(greatest, id), 0));
}

/** Rules C3 to C5. */
export function buildMessageParts(view: readonly SnapshotMessage[], report: Report): readonly TablePart[] {
  return listShownMessages(view, report).map(messagePart);
}

/** The messages of a view that are in its table, with the languages that are, both in order (rules C3 and C4). */
export function listShownMessages(view: readonly SnapshotMessage[], report: Report): SnapshotMessage[] {
  return view
    .filter((message) => isShown(message, report))
    .sort((a, b) => byCodeUnit(a.category, b.category))
    .map(asShown);
}

const asShown = oncePer((message: SnapshotMessage): SnapshotMessage => ({
  ...message,
  languages: message.languages
    .filter((texts) => texts.languageId === mainLanguage || hasText(texts))
    .sort((a, b) => byCodeUnit(a.languageId, b.languageId)),
}));

export function listUsedLanguages(view: readonly SnapshotMessage[]): string[] {
  const shown = listShownMessages(view, () => undefined).flatMap(({ languages }) => languages);
  return distinct(shown.filter(hasText).map(({ languageId }) => languageId));
}

/** The JSON text of the member `messages` with these messages and languages in this order (rule C5). */
export function buildMessagesText(messages: readonly SnapshotMessage[]): string {
  return partsText(messages.map(messagePart));
}

/** Rule C1: 1234 becomes "000.001.234", regardless of the host's locale. */
export function messagesVersion(greatestId: number): string {
  if (greatestId > largestVersion)
    throw new RangeError(`message id ${greatestId} does not fit the version of a policy table`);
  const digits = String(greatestId).padStart(9, "0");
  return `${digits.slice(0, 3)}.${digits.slice(3, 6)}.${digits.slice(6)}`;
}

function isShown(message: SnapshotMessage, report: Report): boolean {
  if (message.isDeleted) return false;
  if (message.languages.some(({ languageId }) => languageId === mainLanguage)) return true;
  report({ record: `message ${message.category}`, reason: "it has no en-us text, which every head unit demands" });
  return false;
}

const messagePart = oncePer(({ category, languages }: SnapshotMessage) => {
  const texts = languages.map((one) => [one.languageId, buildTexts(one)] as const);
  return new TablePart(category, objectText([["languages", objectText(texts)]]));
});

function buildTexts(texts: MessageTexts): string {
  const present = messageTextFields.filter((field) => texts[field] !== null && texts[field] !== "");
  return objectText(present.map((field) => [field, jsonText(texts[field])]));
}
