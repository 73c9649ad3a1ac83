/** Texts in addresses of lists. Safe in the browser. */
import { queryText } from "@/lib/zod/query";

/**
 * A text that a list is narrowed by. What comes from an address is never an error: an empty or overlong text, or one
 * that no one can have typed, counts as absent.
 *
 * @param longest in UTF-16 code units
 */
export function filterText(longest = 100) {
  return queryText()
    .transform((text) => text?.trim())
    .transform((text) => (text && text.length <= longest && isTypeable(text) ? text : undefined))
    .catch(undefined);
}

function isTypeable(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text);
}
