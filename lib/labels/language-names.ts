/** A language and what it is called in English: "German (Germany)". */
export interface NamedLanguage {
  readonly id: string;
  readonly name: string;
}

const names = new Intl.DisplayNames("en", { type: "language", languageDisplay: "standard", fallback: "none" });

/**
 * Names languages. Only for the server: browsers know other names than it does, and the two must agree.
 *
 * @param id a code such as `de-de`; one that nobody knows is its own name
 */
export function nameLanguage(id: string): NamedLanguage {
  return { id, name: findName(id) ?? id };
}

function findName(id: string): string | undefined {
  try {
    return names.of(id);
  } catch {
    return undefined;
  }
}
