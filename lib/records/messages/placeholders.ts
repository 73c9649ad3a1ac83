import type { MessageTexts } from "@/lib/policy/table/snapshot";
import { type MessageTextField, messageTextFields } from "@/lib/vocabulary/terms";

const pattern = /%[A-Za-z][A-Za-z0-9_]*%/g;
/** The two lines form one sentence, so a translation may break it at another place. */
const parts: readonly (readonly MessageTextField[])[] = [["tts"], ["line1", "line2"], ["textBody"], ["label"]];

export interface PlaceholderProblem {
  readonly field: MessageTextField;
  readonly message: string;
}

export function listPlaceholders(text: string | null): string[] {
  return [...new Set(text?.match(pattern) ?? [])];
}

/** What head units replace (`policy-table.md` appendix A). */
const known = ["%appName%", "%functionalGroupLabels%", "%vehicleMake%"];

const listAll = (texts: MessageTexts) => Object.values(texts).flatMap((text) => listPlaceholders(text));

/** Compares the placeholders of a translation with the English ones. Empty texts are still to be written. */
export function findPlaceholderProblems(texts: MessageTexts, english: MessageTexts): PlaceholderProblem[] {
  const all = new Set(listAll(english));
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

/** Finds placeholders that head units show as they are. `stored` texts may have placeholders of a maker's own. */
export function findUnknownPlaceholders(texts: MessageTexts, stored: MessageTexts): PlaceholderProblem[] {
  const allowed = new Set([...known, ...listAll(stored).filter((name) => findMeant(name) === null)]);
  return messageTextFields.flatMap((field) => {
    const names = [...listPlaceholders(texts[field]), ...listHalf(texts[field])];
    return names
      .filter((name) => !allowed.has(name))
      .map((name) => {
        const meant = findMeant(name);
        const advice = meant === null ? `They replace ${known.join(", ")}` : `Use ${meant}`;
        return { field, message: `Head units show ${name} as it is. ${advice}` };
      });
  });
}

/** Known placeholders that lack one of their percent signs. */
function listHalf(text: string | null): string[] {
  const names = known.map((name) => name.slice(1, -1)).join("|");
  const half = new RegExp(`%(?:${names})(?![\\w%])|(?<![\\w%])(?:${names})%`, "g");
  return text?.match(half) ?? [];
}

function findMeant(name: string): string | null {
  const plain = (one: string) => one.replaceAll(/[%_]/g, "").toLowerCase();
  return known.find((one) => one !== name && isNear(plain(name), plain(one))) ?? null;
}

/** Whether two words differ by at most two letters more, fewer or other. */
function isNear(one: string, other: string, left = 2): boolean {
  if (left < 0) return false;
  if (one === "" || other === "") return one.length + other.length <= left;
  const [a, b] = [one.slice(1), other.slice(1)];
  if (one[0] === other[0]) return isNear(a, b, left);
  return isNear(a, b, left - 1) || isNear(a, other, left - 1) || isNear(one, b, left - 1);
}

function describeStrange(name: string, missing: readonly string[], all: ReadonlySet<string>): string {
  const likely = missing.find((one) => one.toLowerCase() === name.toLowerCase()) ?? missing[0];
  if (likely !== undefined) return `${name} is not in the English text; it says ${likely}`;
  const names = [...all];
  return names.length === 0
    ? `${name} is not in the English text, which has no placeholders`
    : `${name} is not in the English text, which has ${names.join(", ")}`;
}

function describeMissing(missing: readonly string[]): string {
  return missing.length === 1
    ? `The placeholder ${missing[0]} of the English text is missing`
    : `The placeholders ${missing.join(" and ")} of the English text are missing`;
}
