import { jsonText, objectText } from "@/lib/policy/table/json-text";
import { byCodeUnit } from "@/lib/labels/order";
import type { MessageTexts, PolicySnapshot, SnapshotMessage } from "@/lib/policy/table/snapshot";
import type { Report } from "@/lib/policy/table/vehicle-data";
import { messageTextFields, type Environment } from "@/lib/labels/vocabulary";

const largestVersion = 999_999_999;

/**
 * Builds the JSON text of the `consumer_friendly_messages` section (rules C1 to C5).
 *
 * @throws RangeError if the greatest message id no longer fits the version's nine digits (rule C1)
 */
export function buildConsumerMessages(snapshot: PolicySnapshot, environment: Environment, report: Report): string {
  const view = snapshot.messages[environment];
  return objectText([
    ["version", jsonText(messagesVersion(view.reduce((greatest, { id }) => Math.max(greatest, id), 0)))],
    ["messages", buildMessagesText(listShownMessages(view, report))],
  ]);
}

/** The messages of a view that are in its table, in order (rule C3). */
export function listShownMessages(view: readonly SnapshotMessage[], report: Report): SnapshotMessage[] {
  return view.filter((message) => isShown(message, report)).sort((a, b) => byCodeUnit(a.category, b.category));
}

/** The JSON text of the member `messages` with these messages in this order (rules C4 and C5). */
export function buildMessagesText(messages: readonly SnapshotMessage[]): string {
  return objectText(messages.map((message) => [message.category, buildMessage(message)]));
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
  if (message.languages.some(({ languageId }) => languageId === "en-us")) return true;
  report({ record: `message ${message.category}`, reason: "it has no en-us text, which every head unit demands" });
  return false;
}

function buildMessage({ languages }: SnapshotMessage): string {
  const sorted = languages.toSorted((a, b) => byCodeUnit(a.languageId, b.languageId));
  return objectText([["languages", objectText(sorted.map((texts) => [texts.languageId, buildTexts(texts)]))]]);
}

function buildTexts(texts: MessageTexts): string {
  const present = messageTextFields.filter((field) => texts[field] !== null && texts[field] !== "");
  return objectText(present.map((field) => [field, jsonText(texts[field])]));
}
