import { formatMoment } from "@/app/_components/ui/moment";
import { memberOf } from "@/lib/policy/head-unit/values";
import { itemFamilies, releaseItems } from "@/lib/vocabulary/release-items";
import { verbOf } from "./event-kinds";

/** The change may be missing: in old events, and where a caller does not have it. */
export interface ToldEvent {
  readonly action: string;
  readonly target: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

interface EventWords {
  readonly verb: string;
  /** "the functional group " */
  readonly noun: string;
  /** Empty if the verb says everything. */
  readonly name: string;
  /** "status pending → approved"; empty if the event does not tell. */
  readonly change: string;
}

const nouns: Readonly<Record<string, string>> = {
  release: "release ",
  scheduled: "scheduled release ",
  rollout: "the rollout of release ",
  approval: "the request for approval ",
  token: "the token ",
};

/** `names`: current names, by target. */
export function tellEvent(
  { action, target, before = null, after = null }: ToldEvent,
  names: ReadonlyMap<string, string> = new Map(),
): EventWords {
  const version = memberOf(after, "application");
  const known = typeof version === "number" ? names.get(`application:${version}`) : undefined;
  const named = nameTarget(target, known ?? names.get(target) ?? storedName(before, after));
  const verb = (action === "applications.action" && decisionVerb(before, after)) || verbOf(action);
  return { verb, ...named, change: describeChange(before, after, named.name) };
}

/** Undefined: the event does not tell. */
function decisionVerb(before: unknown, after: unknown): string | undefined {
  const [was, is] = [memberOf(before, "is_blacklisted"), memberOf(after, "is_blacklisted")];
  if (was !== is && typeof is === "boolean") return is ? "blocked" : "unblocked";
  const status = memberOf(after, "approval_status");
  if (status === "STAGING" && memberOf(before, "approval_status") === "ACCEPTED") return "moved back";
  return typeof status === "string" ? statusVerbs.get(status) : undefined;
}
const statusVerbs: ReadonlyMap<string, string> = new Map([
  ["STAGING", "approved"],
  ["ACCEPTED", "approved"],
  ["LIMITED", "limited"],
]);

/** "blocked Pigeonpost v3.9.0: privacy complaint, blocked no → yes" */
export function describeEvent(event: ToldEvent, names?: ReadonlyMap<string, string>): string {
  const { verb, noun, name, change } = tellEvent(event, names);
  return `${verb} ${noun}${name}`.trim() + (change === "" ? "" : `: ${change}`);
}

/** The verb and the item already tell these. */
const silentMembers: ReadonlySet<string> = new Set(["application", "id", "kind", "replaced_by"]);
const plainMembers: ReadonlySet<string> = new Set([
  ...[
    "title",
    "name",
    "reason",
    "denial_message",
    "text",
    "said",
    "subject",
    "address",
    "file",
    "group",
    "permission",
    "steps",
  ],
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

/** Record ids say nothing to people. */
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

/** Empty for none, and for what takes more than a few words. */
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

export function pathOfTarget(target: string): string | null {
  const { kind, key } = splitTarget(target);
  const family = familyOf(kind);
  if (family !== undefined) return family.pathOf(key, "staging");
  switch (kind) {
    case "release":
    case "rollout":
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

/** Null also for items that no longer exist. */
export function pathOfEvent(target: string, names: ReadonlyMap<string, string>): string | null {
  const isItem = familyOf(splitTarget(target).kind) !== undefined;
  return isItem && !names.has(target) ? null : pathOfTarget(target);
}

function splitTarget(target: string) {
  const at = target.indexOf(":");
  return at < 0 ? { kind: target, key: "" } : { kind: target.slice(0, at), key: target.slice(at + 1) };
}
