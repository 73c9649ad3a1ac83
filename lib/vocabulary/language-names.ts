/** "German (Germany)" */
export interface NamedLanguage {
  readonly id: string;
  readonly name: string;
}

const names = new Intl.DisplayNames("en", { type: "language", languageDisplay: "standard", fallback: "none" });

/** On the server only, because browsers use other names. Unknown: the code. */
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
