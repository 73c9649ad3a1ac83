import { requireText } from "@/lib/content/rpc-specification/attributes";
import { SpecificationRefused } from "@/lib/content/rpc-specification/errors";
import { childrenNamed } from "@/lib/content/rpc-specification/members";
import type { XmlElement } from "@/lib/content/rpc-specification/xml";

/** Tags of languages as policy tables write them, e.g. `en-us`. */
const usable = /^[a-z]{2,8}(-[a-z0-9]{1,8}){0,3}$/;

/** The languages of a specification, lower-cased, each once, and the names that can be none. */
export interface ListedLanguages {
  readonly languages: readonly string[];
  readonly leftOut: readonly string[];
}

/**
 * Lists the elements of the enumeration `Language` (`directory.md` 3.7).
 *
 * @throws SpecificationRefused when there is none, or an element of it has no name
 */
export function listSpecifiedLanguages(root: XmlElement): ListedLanguages {
  const enumeration = childrenNamed(root, "enum").find(({ attributes }) => attributes.name === "Language");
  const elements = enumeration === undefined ? [] : childrenNamed(enumeration, "element");
  const names = elements.map((element) => requireText(element, "name", "an element of enum Language").toLowerCase());
  const languages = names.filter((name) => usable.test(name));
  if (languages.length === 0) throw new SpecificationRefused("The RPC specification names no languages");
  return { languages: [...new Set(languages)], leftOut: names.filter((name) => !usable.test(name)) };
}
