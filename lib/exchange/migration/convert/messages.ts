/** `exchange.md` X7. Pure. */
import { greatestCategoryBytes, greatestTextBytes } from "@/lib/records/messages/schema";
import { findExcess, type Lose, losesOf } from "@/lib/exchange/migration/convert/limits";
import { nameMessages, requireName, stampsOf, whyRenamed } from "@/lib/exchange/migration/convert/names";
import type { ConversionReport, SdlData, SdlRow } from "@/lib/exchange/migration/convert/tables";
import { groupBy } from "@/lib/vocabulary/order";
import { byteLength } from "@/lib/vocabulary/byte-length";
import { recordOf } from "@/lib/vocabulary/members";
import { messageTextFields } from "@/lib/vocabulary/terms";
import { maxMessages } from "@/lib/policy/head-unit/consumer-messages";
import { cutText } from "@/lib/policy/head-unit/entry-limits";

function findExcessMessages(data: SdlData, nameOf: (name: string) => string): ReadonlySet<string> {
  const english = new Set(
    data.message_text.flatMap(({ language_id, message_group_id: id }) =>
      language_id?.trim().toLowerCase() === "en-us" ? id : [],
    ),
  );
  const prompts = new Set(data.function_group_info.map(({ user_consent_prompt }) => user_consent_prompt));
  return findExcess<SdlRow<"message_group">>(data.message_group, maxMessages, {
    keyOf: ({ message_category }) => nameOf(message_category),
    isShown: ({ id }) => english.has(id),
    isFirst: ({ message_category }) => prompts.has(message_category),
  });
}

/** `languages`: codes that head units know. Throws Error with a sentence if a message has no category. */
export function convertMessages(data: SdlData, languages: ReadonlySet<string>, report: ConversionReport) {
  const textsOf = groupBy(data.message_text, (row) => row.message_group_id);
  const nameOf = nameMessages(data);
  const excess = findExcessMessages(data, nameOf);
  return data.message_group.flatMap((row) => {
    const category = nameOf(row.message_category);
    requireName(category, "message_group", row);
    const what = `message ${row.message_category} (record ${row.id})`;
    const lose = losesOf(report, "message_group", what);
    if (excess.has(category)) {
      lose(`left out: head units take at most ${maxMessages} messages, and it is one of the last that were added`);
      return [];
    }
    if (category !== row.message_category) {
      lose(whyRenamed("prompts", greatestCategoryBytes, category), undefined, { now: `message ${category}` });
    }
    const texts = convertTexts(textsOf(row.id), languages, losesOf(report, "message_text", what));
    return [{ ...stampsOf(row), category, isDeleted: row.is_deleted, languages: texts }];
  });
}

/** If a language occurs twice, the first one counts. */
function convertTexts(rows: readonly SdlRow<"message_text">[], languages: ReadonlySet<string>, lose: Lose) {
  const seen = new Set<string>();
  return rows.flatMap(({ id, language_id, tts, line1, line2, text_body: textBody, label }) => {
    const languageId = language_id?.trim().toLowerCase() ?? "";
    const at = `languages.${languageId}`;
    const isKnown = languages.has(languageId);
    if (!isKnown) lose(`no head unit knows the language ${languageId || "without a code"}`, at, { isUnused: true });
    else if (seen.has(languageId)) lose(`the language ${languageId} is there twice`, at, { isUnused: false });
    if (!isKnown || seen.has(languageId)) return [];
    seen.add(languageId);
    const texts = { tts, line1, line2, textBody, label };
    const limited = recordOf(messageTextFields, (field) => {
      const text = texts[field];
      if (text === null || byteLength(text) <= greatestTextBytes) return text;
      lose(`head units take texts of at most ${greatestTextBytes} bytes: ${field} is cut`, `${at}.${field}`);
      return cutText(text, greatestTextBytes);
    });
    return [{ id, languageId, ...limited }];
  });
}
