import { createHash } from "node:crypto";
import { compareEntitlements, entitlementKey, isSame, isWider, readEntitlement } from "@/lib/policy/effect/entitlement";
import type { JsonObject } from "@/lib/policy/head-unit/values";
import { carSettings } from "@/lib/policy/permits/conditions";
import { listApps } from "@/lib/policy/snapshot/app-index";
import { fixedEntryNames, fixedGroups } from "@/lib/policy/table/app-policies";
import type { PolicySnapshot, SnapshotApp } from "@/lib/policy/table/snapshot";
import { entryText, productionSide } from "@/lib/releases/review/app-comparison";
import { type Digest, partLength } from "@/lib/records/publishing/second-person";
import { type ItemFamily, nameItem, type ReviewedItem } from "@/lib/vocabulary/release-items";
import type { CarBuild } from "@/lib/vocabulary/head-units";
import { byCodeUnit } from "@/lib/vocabulary/order";
import { notificationPriorities } from "@/lib/vocabulary/terms";

/** The direction of a change of production (`gate.md` W4). A change in both directions is wider. */
export type Direction = "wider" | "narrower" | "other";

export async function directionOf(
  before: PolicySnapshot,
  after: PolicySnapshot,
  builds: readonly CarBuild[],
  pace: () => Promise<void>,
): Promise<Direction> {
  if (raisesLimits(before, after)) return "wider";
  const judge = judgeOf(before, after, builds);
  let isNarrower = false;
  for (const name of fixedEntryNames) {
    const found = judge(fixedGroups(before, "production", name), fixedGroups(after, "production", name));
    if (found === "wider") return "wider";
    isNarrower ||= found === "narrower";
  }
  const keys = new Set([...listApps(before.apps), ...listApps(after.apps)].map(({ uuid }) => uuid.toLowerCase()));
  const isSameTable = before.groups === after.groups;
  for (const key of keys) {
    const [was, is] = [before.apps.byUuid(key), after.apps.byUuid(key)];
    if (isSameTable && was === is) continue;
    const found = judge(was, is);
    if (found === "wider") return "wider";
    isNarrower ||= found === "narrower";
    await pace();
  }
  return isNarrower && !hasOtherChanges(before, after) ? "narrower" : "other";
}

/** Which of these apps may do more after a change of decisions about apps, by uuid. */
export function findWider(
  before: PolicySnapshot,
  after: PolicySnapshot,
  { uuids, builds }: { readonly uuids: readonly string[]; readonly builds: readonly CarBuild[] },
): readonly string[] {
  const judge = judgeOf(before, after, builds);
  const is = ({ apps }: PolicySnapshot, uuid: string) => apps.byUuid(uuid.toLowerCase());
  return uuids.filter((uuid) => judge(is(before, uuid), is(after, uuid)) === "wider");
}

/** Whether apps may notify drivers more often: without a limit above 0, alerts in the background are rejected. */
function raisesLimits(before: PolicySnapshot, after: PolicySnapshot): boolean {
  const [was, is] = [before, after].map(({ moduleConfigs }) => moduleConfigs.production[0]);
  if (was === undefined || is === undefined) return false;
  return (["notificationsPerMinute", "subtleNotificationsPerMinute"] as const).some((name) =>
    notificationPriorities.some((priority) => is[name][priority] > was[name][priority]),
  );
}

/** Apart from limits, messages, vehicle data and the module config give apps no permissions and take none. */
function hasOtherChanges(before: PolicySnapshot, after: PolicySnapshot): boolean {
  const ids = ({ messages, moduleConfigs, vehicleData }: PolicySnapshot) =>
    [messages, moduleConfigs, vehicleData].map(({ production }) => production.map(({ id }) => id).join()).join(" ");
  return ids(before) !== ids(after);
}

type Subject = SnapshotApp | undefined | readonly string[];

function judgeOf(before: PolicySnapshot, after: PolicySnapshot, builds: readonly CarBuild[]) {
  const known = new Map<string, "wider" | "narrower" | "same">();
  const [old, now] = [readerOf(before), readerOf(after)];
  return (was: Subject, is: Subject) => {
    const [earlier, later] = [old(was), now(is)];
    // Many apps have the same groups and entries that differ only in names.
    const key = `${earlier.isDefault} ${later.isDefault} ${entitlementKey([earlier.side, later.side])}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const change = compareEntitlements(earlier.entitlement(), later.entitlement(), builds);
    const judged = isWider(change) ? "wider" : isSame(change) ? "same" : "narrower";
    known.set(key, judged);
    return judged;
  };
}

function readerOf(snapshot: PolicySnapshot) {
  const side = productionSide(snapshot);
  const settings = carSettings(snapshot, "production");
  const everyApp = JSON.parse(`${side.everyApp}}`) as JsonObject;
  return (subject: Subject) => {
    const own = readOwn(subject);
    const entry = own === undefined ? everyApp : own;
    const of = { isDefault: own === undefined };
    const read = () => readEntitlement(entry, side.cars(), settings, of);
    return { side: [entry, settings] as const, ...of, entitlement: read };
  };

  /** Undefined: the app has the entry `default`. */
  function readOwn(subject: Subject): JsonObject | null | undefined {
    if (isNames(subject)) return { ...everyApp, groups: subject };
    if (subject?.isBlacklisted === true) return null;
    const text = subject === undefined ? null : entryText(subject, side);
    return text === null ? undefined : (JSON.parse(`${text}}`) as JsonObject);
  }
}

const isNames = (subject: Subject): subject is readonly string[] => Array.isArray(subject);

/** Identifies a change (`gate.md` W5): items with their ids, and the entries and groups that would differ. */
export function digestOf(before: PolicySnapshot, after: PolicySnapshot, items: readonly ReviewedItem[]): Digest {
  const [old, now] = [productionSide(before), productionSide(after)];
  const groups = [...now.groupTexts].filter(([name, text]) => old.groupTexts.get(name) !== text);
  const gone = [...old.groupTexts.keys()].filter((name) => !now.groupTexts.has(name));
  const entries = [...listApps(after.apps)].flatMap((app) => {
    const was = before.apps.byUuid(app.uuid.toLowerCase());
    const later = app.isBlacklisted ? "null" : entryText(app, now);
    if (was === app && groups.length + gone.length === 0) return [];
    const earlier = was === undefined ? null : was.isBlacklisted ? "null" : entryText(was, old);
    return earlier === later ? [] : [[app.uuid, later] as const];
  });
  const parts = [
    ...items.map(({ family, key, id }) => partOf(family, key, id)),
    ...groups.map(([name, text]) => partOf("group", name, text)),
    ...gone.map((name) => partOf("group", name, null)),
    ...entries.map(([uuid, text]) => partOf("app", uuid, text)),
  ].toSorted(byCodeUnit);
  return { sum: sha256(parts), parts: parts.slice(0, maxParts) };
}

/** Maximum parts kept to explain what has changed. The sum covers all. */
const maxParts = 2_000;
const sha256 = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex");
/** "3f0c9a12b4d5e6f7 functional group Location-1" */
const partOf = (family: ItemFamily, key: string, content: unknown) =>
  `${sha256(content).slice(0, partLength)} ${nameItem({ family, key })}`;
