import type { ActiveFilter } from "@/app/_components/list/filter-chips";
import type { FilterChoice } from "@/app/_components/list/filter-menu";
import type { MessagesPageQuery } from "@/lib/messages/console-schema";
import type { NamedLanguage } from "@/lib/messages/language-names";

export const useChoices: readonly FilterChoice[] = [
  { value: "used", label: "Consent prompt of a group" },
  { value: "unused", label: "Used by no group" },
];

/** The filters that are on, in words. */
export function listFilters(
  { q, missing, use }: MessagesPageQuery,
  languages: readonly NamedLanguage[],
  change: (changes: Readonly<Record<string, null>>) => string,
): ActiveFilter[] {
  const labelOf = (choices: readonly FilterChoice[], value: string) =>
    choices.find((choice) => choice.value === value)?.label ?? value;
  const nameOf = (id: string) => languages.find((language) => language.id === id)?.name ?? id;
  return [
    ...(q === undefined ? [] : [{ label: "Text", value: q, href: change({ q: null }) }]),
    ...(missing === undefined
      ? []
      : [{ label: "Missing in", value: nameOf(missing), href: change({ missing: null }) }]),
    ...(use === undefined ? [] : [{ label: "Use", value: labelOf(useChoices, use), href: change({ use: null }) }]),
  ];
}
