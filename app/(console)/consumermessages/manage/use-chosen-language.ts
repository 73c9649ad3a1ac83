import { useCallback, useMemo, useState } from "react";
import { useListener } from "@/app/_components/hooks/use-listener";
import type { FieldErrors } from "@/app/_components/form/field-errors";
import { mainLanguage } from "@/lib/content/messages/completeness";
import type { NamedLanguage } from "@/lib/labels/language-names";
import { judgeLanguage, type MessageDraft } from "../message-draft";

const rank = { missing: 0, partial: 1, complete: 2 } as const;

/**
 * Which language is edited, and the order of the languages: English first, then those with the most to do. The order is
 * that of the page's beginning; it would be no help if it changed under the hands. The choice stands in the address.
 */
export function useChosenLanguage({
  languages,
  initial,
  firstLanguage,
  errors,
}: Readonly<{
  languages: readonly NamedLanguage[];
  initial: MessageDraft;
  firstLanguage: string | null;
  errors: FieldErrors;
}>) {
  const [firstValue] = useState(initial);
  const [languageId, setLanguageId] = useState(firstLanguage ?? mainLanguage);
  const order = useMemo(() => {
    const rankOf = ({ id }: NamedLanguage) => (id === mainLanguage ? -1 : rank[judgeLanguage(firstValue, id).state]);
    return languages.toSorted((one, other) => rankOf(one) - rankOf(other) || one.name.localeCompare(other.name, "en"));
  }, [languages, firstValue]);

  const choose = useCallback((id: string) => {
    setLanguageId(id);
    const address = new URL(window.location.href);
    address.searchParams.set("lang", id);
    // Shows the same page differently: nothing to load.
    window.history.replaceState(null, "", address);
  }, []);

  // A refused save leads to the first language with an error.
  const [seen, setSeen] = useState(errors);
  if (seen !== errors) {
    setSeen(errors);
    const wrong = Object.keys(errors).map((path) => path.split(".")[0]);
    const first = languages.find(({ id }) => wrong.includes(id));
    if (first && !wrong.includes(languageId)) setLanguageId(first.id);
  }

  // Links of the summary lead to fields of languages that are not shown yet.
  useListener("hashchange", () => {
    const match = /^#field-([a-z]{2}-[a-z]{2})_/.exec(window.location.hash);
    if (match?.[1] !== undefined) choose(match[1]);
  });

  return { order, languageId, choose };
}
