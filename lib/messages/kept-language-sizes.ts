import { sharedState } from "@/lib/shared-state";
import { type LanguageSizes, measureLanguages } from "@/lib/messages/language-sizes";
import { buildMessagesText, listShownMessages } from "@/lib/policy/table/consumer-messages";
import type { SnapshotMessage } from "@/lib/policy/table/snapshot";

/** Staging and production, as a rule the same. */
const most = 2;

/** Sizes by the text that was measured, the last asked for at the end. */
const kept = sharedState("language-sizes", () => new Map<string, Promise<LanguageSizes>>());

/**
 * What each language adds to every vehicle's table. Compressing once for each language costs too much for every visit
 * of a page, so what was measured is kept as long as the texts are the same.
 *
 * @param messages the records of a view
 */
export function loadLanguageSizes(messages: readonly SnapshotMessage[]): Promise<LanguageSizes> {
  const text = buildMessagesText(listShownMessages(messages, () => undefined));
  const sizes = kept.get(text) ?? measureLanguages(messages);
  kept.delete(text);
  kept.set(text, sizes);
  for (const oldest of kept.keys()) if (kept.size > most) kept.delete(oldest);
  sizes.catch(() => kept.delete(text));
  return sizes;
}
