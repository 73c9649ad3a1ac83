/** What audit events say in a sentence, and where what they are about is shown. */
import { memberOf } from "@/lib/policy/head-unit/values";
import { itemFamilies, releaseItems } from "@/lib/labels/release-items";
import { type Change, sentenceOf } from "./event-kinds";

/** What is known of an event; old ones, and those that others tell of, may lack what changed. */
export interface ToldEvent extends Partial<Change> {
  readonly action: string;
  readonly target: string;
}

/** A sentence without who did it: what stands before, for and after what it was done to. */
export interface EventSentence {
  readonly head: string;
  /** Empty: the verb says everything. */
  readonly name: string;
  readonly tail: string;
}

/** What a target is that is no item of a family, before its key or name. */
const nouns: Readonly<Record<string, string>> = {
  release: "release ",
  scheduled: "scheduled release ",
  approval: "the request for approval ",
  token: "the token ",
};

/**
 * "blocked Pigeonpost v3.9.0: privacy complaint"
 *
 * @param names what is there now, by target
 */
export function tellEvent(
  { action, target, before = null, after = null }: ToldEvent,
  names: ReadonlyMap<string, string> = new Map(),
): EventSentence {
  const sentence = sentenceOf(action, { before, after }) ?? `${action} {}`;
  const at = sentence.indexOf("{}");
  if (at < 0) return { head: sentence, name: "", tail: "" };
  const version = memberOf(after, "application");
  const known = typeof version === "number" ? names.get(`application:${version}`) : undefined;
  const { noun, name } = nameTarget(target, known ?? names.get(target) ?? storedName(before, after));
  return { head: sentence.slice(0, at) + noun, name, tail: sentence.slice(at + "{}".length) };
}

/** The same as one text. */
export function describeEvent(event: ToldEvent, names?: ReadonlyMap<string, string>): string {
  const { head, name, tail } = tellEvent(event, names);
  return `${head}${name}${tail}`;
}

/** The name that the event itself keeps, of what may be gone by now. */
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

/** The page of what an event is about; null: it has none. */
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

/** The same where it leads to what is there: items only if they have a name by now. */
export function pathOfEvent(target: string, names: ReadonlyMap<string, string>): string | null {
  const isItem = familyOf(splitTarget(target).kind) !== undefined;
  return isItem && !names.has(target) ? null : pathOfTarget(target);
}

function splitTarget(target: string) {
  const at = target.indexOf(":");
  return at < 0 ? { kind: target, key: "" } : { kind: target.slice(0, at), key: target.slice(at + 1) };
}
