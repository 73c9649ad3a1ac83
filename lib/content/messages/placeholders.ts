import type { MessageTexts } from "@/lib/policy/table/snapshot";
import type { MessageTextField } from "@/lib/labels/vocabulary";

const pattern = /%[A-Za-z][A-Za-z0-9_]*%/g;
/** The two lines form one sentence, so a translation may break it at another place. */
const parts: readonly (readonly MessageTextField[])[] = [["tts"], ["line1", "line2"], ["textBody"], ["label"]];

export interface PlaceholderProblem {
  readonly field: MessageTextField;
  readonly message: string;
}

/** The placeholders of a text, such as `%appName%`, without duplicates. */
export function listPlaceholders(text: string | null): string[] {
  return [...new Set(text?.match(pattern) ?? [])];
}

/**
 * Compares the placeholders of a translation with those of the English text. Head units replace the placeholders they
 * know and show all others as they are. Empty texts are skipped because they are still to be written.
 */
export function findPlaceholderProblems(texts: MessageTexts, english: MessageTexts): PlaceholderProblem[] {
  const all = new Set(Object.values(english).flatMap((text) => listPlaceholders(text)));
  return parts.flatMap((fields) => {
    const filled = fields.filter((field) => texts[field]);
    const [first] = filled;
    if (first === undefined) return [];
    const used = new Set(filled.flatMap((field) => listPlaceholders(texts[field])));
    const wanted = new Set(fields.flatMap((field) => listPlaceholders(english[field])));
    const missing = [...wanted].filter((name) => !used.has(name));
    const strange = filled.flatMap((field) =>
      listPlaceholders(texts[field])
        .filter((name) => !all.has(name))
        .map((name) => ({ field, message: describeStrange(name, missing, all) })),
    );
    const misspelt = new Set(strange.map(({ field }) => field));
    // A misspelled placeholder explains the missing one.
    if (misspelt.size > 0 || missing.length === 0) return strange;
    return [{ field: first, message: describeMissing(missing) }];
  });
}

function describeStrange(name: string, missing: readonly string[], all: ReadonlySet<string>): string {
  const likely = missing.find((one) => one.toLowerCase() === name.toLowerCase()) ?? missing[0];
  if (likely !== undefined) return `${name} is not in the English text; it says ${likely}`;
  const known = [...all];
  return known.length === 0
    ? `${name} is not in the English text, which has no placeholders`
    : `${name} is not in the English text, which has ${known.join(", ")}`;
}

function describeMissing(missing: readonly string[]): string {
  return missing.length === 1
    ? `The placeholder ${missing[0]} of the English text is missing`
    : `The placeholders ${missing.join(" and ")} of the English text are missing`;
}
