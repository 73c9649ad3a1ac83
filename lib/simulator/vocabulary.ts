/** The words of the simulator (`releases.md` L15). Safe in the browser. */

/** Why a table gives a group to an app, or to one of the entries that every table has. */
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
 * Why something is asked for and not granted. `no level`: the request names none. `prompt missing`: the group is left out of
 * the table (F3). `not granted`: only groups that need more than a request. `unusable`: stored, but it does not count (F5).
 * `head unit`: a group allows it, and cars do not for the sake of another one. `other levels`: granted, but not at this one. `no group`: no group holds it. `unknown`: nobody knows the permission.
 */
export const withheldKinds = [
  "no level",
  "prompt missing",
  "not granted",
  "unusable",
  "head unit",
  "other levels",
  "no group",
  "unknown",
] as const;
export type WithheldKind = (typeof withheldKinds)[number];

const maxNamed = 5;

/** A list in words: "A", "A and B", "A, B and C"; of long ones the first five and how many more there are. */
export function listWords(words: readonly string[]): string {
  const more = words.length - maxNamed;
  const named = more > 1 ? [...words.slice(0, maxNamed), `${more} more`] : words;
  return named.length < 2 ? named.join("") : `${named.slice(0, -1).join(", ")} and ${named.at(-1) ?? ""}`;
}
