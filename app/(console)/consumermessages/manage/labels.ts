import type { NamedLanguage } from "@/lib/labels/language-names";
import { messageTextFields } from "@/lib/labels/vocabulary";
import { fieldNames, memberOf } from "../message-draft";

/** Names of the members of a draft, for summaries of changes and errors. */
export function buildLabels(languages: readonly NamedLanguage[]): Readonly<Record<string, string>> {
  return {
    category: "Category",
    ...Object.fromEntries(
      languages.flatMap(({ id, name }) => [
        [id, `Has ${name}`] as const,
        ...messageTextFields.map((field) => [memberOf(id, field), `${name} · ${fieldNames[field]}`] as const),
      ]),
    ),
  };
}
