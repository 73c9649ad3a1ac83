/** Vocabulary of `releases.md` L15. Safe in the browser. */

export const grantCauses = [
  "default group",
  "pre-consent",
  "device",
  "requested permission",
  "app service provider",
  "background alert",
  "administrator",
  "widget",
  "proprietary grant",
] as const;
export type GrantCause = (typeof grantCauses)[number];

/**
 * `prompt missing`: the table omits the group (F3). `not granted`: its groups require more than a request. `unusable`:
 * stored without effect (F5). `head unit`: another group prevents it. `condition`: another part of the car rejects it
 * (C16 to C22). `unknown`: no such permission.
 */
export const withheldKinds = [
  "no level",
  "prompt missing",
  "not granted",
  "unusable",
  "head unit",
  "condition",
  "other levels",
  "no group",
  "unknown",
] as const;
export type WithheldKind = (typeof withheldKinds)[number];

const maxNamed = 5;

/** "A", "A and B", "A, B and C"; a long list names five and counts the rest. */
export function listWords(words: readonly string[]): string {
  const more = words.length - maxNamed;
  const named = more > 1 ? [...words.slice(0, maxNamed), `${more} more`] : words;
  return named.length < 2 ? named.join("") : `${named.slice(0, -1).join(", ")} and ${named.at(-1) ?? ""}`;
}
