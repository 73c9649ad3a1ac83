/** Sentences for audit events, and links to their targets. */
import { memberOf } from "@/lib/policy/head-unit/values";
import { itemFamilies, releaseItems } from "@/lib/labels/release-items";
import { around, it } from "./around";
import { type Change, sentenceOf } from "./event-kinds";

/** An event. The change may be missing: in old events, and where a caller does not have it. */
export interface ToldEvent extends Partial<Change> {
  readonly action: string;
  readonly target: string;
}

/** A sentence without its actor: the text before the target, the target, and the text after it. */
export interface EventSentence {
  readonly head: string;
  /** Empty if the verb says everything. */
  readonly name: string;
  readonly tail: string;
}

/** Nouns for targets that are not items of a family, placed before the key or name. */
const nouns: Readonly<Record<string, string>> = {
  release: "release ",
  scheduled: "scheduled release ",
  approval: "the request for approval ",
  token: "the token ",
};

/**
 * "blocked Pigeonpost v3.9.0: privacy complaint"
 *
 * @param names current names, by target
 */
export function tellEvent(
  { action, target, before = null, after = null }: ToldEvent,
  names: ReadonlyMap<string, string> = new Map(),
): EventSentence {
  const sentence = sentenceOf(action, { before, after }) ?? around`${action} ${it}`;
  if (typeof sentence === "string") return { head: sentence, name: "", tail: "" };
  const version = memberOf(after, "application");
  const known = typeof version === "number" ? names.get(`application:${version}`) : undefined;
  const { noun, name } = nameTarget(target, known ?? names.get(target) ?? storedName(before, after));
  return { head: sentence.head + noun, name, tail: sentence.tail };
}

/** The same as plain text. */
export function describeEvent(event: ToldEvent, names?: ReadonlyMap<string, string>): string {
  const { head, name, tail } = tellEvent(event, names);
  return `${head}${name}${tail}`;
}

/** The name stored in the event; the item itself may be gone. */
function storedName(before: unknown, after: unknown): string | undefined {
  const name = memberOf(after, "name") ?? memberOf(before, "name");
  return typeof name === "string" && name !== "" ? name : undefined;
}

function nameTarget(target: string, known: string | undefined) {
  const { kind, key } = splitTarget(target);
  const family = familyOf(kind);
  if (family === releaseItems.app) {
    if (known !== undefined) return { noun: "", name: known };
    return kind === "app" ? { noun: "the app ", name: key } : { noun: "a version of an app, record ", name: key };
  }
  if (key === "")
    return family ? { noun: "the ", name: family.noun } : { noun: "", name: kind.replaceAll(/[_-]/g, " ") };
  const noun = nouns[kind] ?? (family === undefined ? `${kind} ` : `the ${family.noun} `);
  return { noun, name: known ?? key };
}

const familyOf = (kind: string) =>
  itemFamilies.map((family) => releaseItems[family]).find(({ targets }) => targets.some((target) => target === kind));

/** The page of an event's target; null if it has none. */
export function pathOfTarget(target: string): string | null {
  const { kind, key } = splitTarget(target);
  const family = familyOf(kind);
  if (family !== undefined) return family.pathOf(key, "staging");
  switch (kind) {
    case "release":
      return `/releases/${encodeURIComponent(key)}`;
    case "releases":
    case "scheduled":
      return "/releases";
    case "approval":
      return "/changes";
    default:
      return null;
  }
}

/** Like `pathOfTarget`, but null for items that no longer exist. */
export function pathOfEvent(target: string, names: ReadonlyMap<string, string>): string | null {
  const isItem = familyOf(splitTarget(target).kind) !== undefined;
  return isItem && !names.has(target) ? null : pathOfTarget(target);
}

function splitTarget(target: string) {
  const at = target.indexOf(":");
  return at < 0 ? { kind: target, key: "" } : { kind: target.slice(0, at), key: target.slice(at + 1) };
}
