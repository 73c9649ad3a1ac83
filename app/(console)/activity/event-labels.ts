/** What audit events say, and links to their targets. */
import { formatMoment } from "@/app/_components/ui/moment";
import { memberOf } from "@/lib/policy/head-unit/values";
import { itemFamilies, releaseItems } from "@/lib/labels/release-items";
import { verbOf } from "./event-kinds";

/** An event. The change may be missing: in old events, and where a caller does not have it. */
export interface ToldEvent {
  readonly action: string;
  readonly target: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** What an event says after its actor. */
interface EventWords {
  readonly verb: string;
  /** Before the name: "the functional group ". */
  readonly noun: string;
  /** Of the item; empty if the verb says everything. */
  readonly name: string;
  /** "status pending → approved, privacy complaint"; empty if the event does not tell. */
  readonly change: string;
}

/** Nouns for targets that are not items of a family, placed before the key or name. */
const nouns: Readonly<Record<string, string>> = {
  release: "release ",
  scheduled: "scheduled release ",
  approval: "the request for approval ",
  token: "the token ",
};

/** @param names current names, by target */
export function tellEvent(
  { action, target, before = null, after = null }: ToldEvent,
  names: ReadonlyMap<string, string> = new Map(),
): EventWords {
  const version = memberOf(after, "application");
  const known = typeof version === "number" ? names.get(`application:${version}`) : undefined;
  const named = nameTarget(target, known ?? names.get(target) ?? storedName(before, after));
  return { verb: verbOf(action), ...named, change: describeChange(before, after, named.name) };
}

/** The same as plain text: "decided about Pigeonpost v3.9.0: privacy complaint, blocked no → yes" */
export function describeEvent(event: ToldEvent, names?: ReadonlyMap<string, string>): string {
  const { verb, noun, name, change } = tellEvent(event, names);
  return `${verb} ${noun}${name}`.trim() + (change === "" ? "" : `: ${change}`);
}

/** Members that the verb and the item already tell. */
const silentMembers: ReadonlySet<string> = new Set(["application", "id", "kind", "replaced_by"]);
/** Members whose values need no name. */
const plainMembers: ReadonlySet<string> = new Set([
  ...["title", "name", "reason", "denial_message", "text", "said", "subject", "address", "file", "group", "permission"],
]);
const memberWords: ReadonlyMap<string, string> = new Map([
  ["approval_status", "status"],
  ["is_blacklisted", "blocked"],
]);
const valueWords: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ["PENDING", "pending"],
  ["STAGING", "in staging"],
  ["ACCEPTED", "approved"],
  ["LIMITED", "limited"],
  [true, "yes"],
  [false, "no"],
]);

/** The members that differ, each with its values before and after. Record ids say nothing to people. */
function describeChange(before: unknown, after: unknown, itemName: string): string {
  const [was, is] = [membersOf(before), membersOf(after)];
  const parts = [...new Set([...was.keys(), ...is.keys()])].flatMap((member) => {
    const [old, now] = [show(was.get(member)), show(is.get(member))];
    const next = old !== "" && is.get(member) === null ? "none" : now;
    const value = [old, next].filter((text) => text !== "").join(" → ");
    if (old === now || value === itemName || silentMembers.has(member)) return [];
    return plainMembers.has(member) ? value : `${wordsOf(member)} ${value}`;
  });
  return parts.join(", ");
}

function membersOf(value: unknown): ReadonlyMap<string, unknown> {
  if (typeof value === "string") return new Map([["text", value]]);
  return new Map(typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : []);
}

/** A value in a few words; empty for none, and for what takes more than that. */
function show(value: unknown): string {
  if (Array.isArray(value)) return String(value.length);
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value)) return formatMoment(value, "utc");
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return "";
  return valueWords.get(value) ?? String(value);
}

function wordsOf(member: string): string {
  const words = member
    .replaceAll("_", " ")
    .replaceAll(/(?=[A-Z])/g, " ")
    .toLowerCase()
    .replace(/^is /, "");
  return memberWords.get(member) ?? words;
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
  if (key === "") return family ? { noun: "the ", name: family.noun } : { noun: "", name: "" };
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
