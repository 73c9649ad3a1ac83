"one per process";

import { buildMessagesText, listShownMessages } from "@/lib/policy/table/consumer-messages";
import { Fragment } from "@/lib/policy/gzip/fragment";
import { byCodeUnit } from "@/lib/vocabulary/order";
import type { SnapshotMessage } from "@/lib/policy/table/snapshot";
import { byteLength } from "@/lib/vocabulary/byte-length";

/** Size of messages in every vehicle's table, in bytes. */
export interface TextSize {
  readonly plain: number;
  /** Approximate download size for vehicles that accept gzip, within a few per cent. */
  readonly gzip: number;
}

export interface LanguageSize extends TextSize {
  readonly languageId: string;
  readonly messageCount: number;
}

export interface LanguageSizes extends TextSize {
  readonly messageCount: number;
  readonly languages: readonly LanguageSize[];
}

/**
 * Measures what each language adds by building the table with and without it. Compressed sizes do not add up: languages
 * share words. Another thread compresses once per language, so that requests are answered in between.
 */
export async function measureLanguages(messages: readonly SnapshotMessage[]): Promise<LanguageSizes> {
  const shown = listShownMessages(messages, () => undefined);
  const whole = await measure(shown);
  const counts = new Map<string, number>();
  for (const { languageId } of shown.flatMap((message) => message.languages))
    counts.set(languageId, (counts.get(languageId) ?? 0) + 1);
  const languages: LanguageSize[] = [];
  for (const [languageId, messageCount] of [...counts].sort(([a], [b]) => byCodeUnit(a, b))) {
    const rest = await measure(shown.map((message) => withoutLanguage(message, languageId)));
    languages.push({ languageId, messageCount, plain: whole.plain - rest.plain, gzip: whole.gzip - rest.gzip });
  }
  return { messageCount: shown.length, ...whole, languages };
}

function withoutLanguage(message: SnapshotMessage, languageId: string): SnapshotMessage {
  return { ...message, languages: message.languages.filter((texts) => texts.languageId !== languageId) };
}

async function measure(messages: readonly SnapshotMessage[]): Promise<TextSize> {
  const text = buildMessagesText(messages);
  const { deflated } = await new Fragment(text).deflateAhead();
  return { plain: byteLength(text), gzip: deflated.length };
}

/** Staging and production, which are usually the same. */
const max = 2;

const kept = new Map<string, Promise<LanguageSizes>>();

/** What each language adds to every vehicle's table. Cached until the texts change. */
export function loadLanguageSizes(messages: readonly SnapshotMessage[]): Promise<LanguageSizes> {
  const text = buildMessagesText(listShownMessages(messages, () => undefined));
  const sizes = kept.get(text) ?? measureLanguages(messages);
  kept.delete(text);
  kept.set(text, sizes);
  for (const oldest of kept.keys()) if (kept.size > max) kept.delete(oldest);
  sizes.catch(() => kept.delete(text));
  return sizes;
}
