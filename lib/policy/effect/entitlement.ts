import { listPermitChanges, type RpcChange } from "@/lib/policy/effect/permit-changes";
import { entryMembers, type ListRight, type Meaning, readValue, serviceMembers } from "@/lib/policy/head-unit/meanings";
import { appHmiTypes } from "@/lib/policy/head-unit/words";
import { isObject, type JsonObject, memberOf } from "@/lib/policy/head-unit/values";
import { permitsOfBuilds, type Car } from "@/lib/policy/permits/car";
import { type CarSettings, defaultEntryFor, type Restriction, restrictionOf } from "@/lib/policy/permits/conditions";
import { permits, type Permits, type PermitGroup } from "@/lib/policy/permits/permits";
import type { ByBuild, CarBuild } from "@/lib/vocabulary/head-units";
import { namesOf } from "@/lib/vocabulary/members";
import { distinct } from "@/lib/vocabulary/order";
import type { HmiLevel } from "@/lib/vocabulary/terms";

export interface Entitlement {
  /** By build, assuming that the driver agrees to every prompt. */
  readonly permits: ByBuild<Permits>;
  readonly settings: CarSettings;
  /** Its groups as the newest external head units read them. */
  readonly groups: readonly (PermitGroup & { readonly isEncrypted: boolean })[];
  /** Its entry in the table; null: head units refuse every request of the app. */
  readonly entry: JsonObject | null;
  /** Whether this is the entry that apps without one of their own share. */
  readonly isDefault: boolean;
}

/** `entry`: null if the app is refused; `settings`: of the same table; `isAsked`: prompts of its groups count. */
export function readEntitlement(
  entry: JsonObject | null,
  cars: ByBuild<Car>,
  settings: CarSettings,
  { isDefault = false, isAsked = true }: { readonly isDefault?: boolean; readonly isAsked?: boolean } = {},
): Entitlement {
  const names = namesIn(entry?.["groups"]);
  const preconsented = new Set(namesIn(entry?.["preconsented_groups"]));
  const groups = names.flatMap((name) => cars.external.groups.get(name) ?? []);
  return {
    ...{ entry, isDefault, permits: permitsOfBuilds(cars, names), settings },
    groups: groups.map((group) => ({
      ...group,
      prompt: isAsked && !preconsented.has(group.name) ? group.prompt : null,
      isEncrypted: settings.encrypted.has(group.name),
    })),
  };
}

const namesIn = (value: unknown) => distinct(Array.isArray(value) ? value.map(String) : []);

/** Equal for entries that differ in the same permissions: those of many apps differ only in members that give none. */
export function entitlementKey(sides: readonly (readonly [entry: JsonObject | null, settings: CarSettings])[]): string {
  const entries = sides.map(([entry]) => entry);
  const texts = entries.map((entry) => new Map(keyMembers.map((name) => [name, JSON.stringify(entry?.[name])])));
  const told = keyMembers.filter(
    (name) => !isIdentity(entryMembers[name]) || new Set(texts.map((text) => text.get(name))).size > 1,
  );
  // Whether an app may control modules depends on its types, so they count beside a list of modules.
  const isOfModules = texts.some((text) => text.get("moduleType") !== undefined);
  const counted = isOfModules ? distinct([...told, "AppHMIType" as const]) : told;
  const members = entries.map((entry, at) => entry && counted.map((name) => texts[at]?.get(name) ?? null));
  const restrictions = sides.map(([entry, settings]) => restrictionOf(entry, settings).key);
  return JSON.stringify([counted, members, restrictions]);
}

const keyMembers = namesOf(entryMembers).filter((name) => entryMembers[name].right !== null);
const isIdentity = ({ right }: Meaning) => right?.kind === "list" && right.isIdentity === true;

export interface EntitlementChange {
  /** RPCs, levels and parameters that only one of the two permits. */
  readonly rights: readonly RpcChange[];
  /** What else only the later one permits, in words. */
  readonly more: readonly string[];
  /** What else only the earlier one permits, in words. */
  readonly less: readonly string[];
}

/** The only place that decides what is more and what is less (`gate.md` W9): more in any of the `builds` is more. */
export function compareEntitlements(
  before: Entitlement,
  after: Entitlement,
  builds: readonly CarBuild[],
): EntitlementChange {
  const isAlike = before.isDefault === after.isDefault;
  const [had, has] = [extrasOf(before, builds, isAlike), extrasOf(after, builds, isAlike)];
  return {
    rights: listPermitChanges(before.permits, after.permits, builds),
    more: [...difference(has, had), ...listFreed(before, after, builds)],
    less: [...difference(had, has), ...listFreed(after, before, builds)],
  };
}

/**
 * Calls that cars reject before only. What groups permit newly is more by itself, because a condition may end without a
 * change of production, e.g. with the next version of the app.
 */
function listFreed(before: Entitlement, after: Entitlement, builds: readonly CarBuild[]): string[] {
  const restriction = restrictionIn(after, before);
  const isRejected = (rpc: string, level: HmiLevel) =>
    restriction.rejections.some((one) => one.rpc === rpc && one.levels.includes(level));
  const isPermitted = (rpc: string, level: HmiLevel) =>
    builds.some((build) => [before, after].every(({ permits }) => (permits[build].get(rpc)?.[level] ?? "no") !== "no"));
  const freed = restrictionIn(before, after).rejections.flatMap(({ rpc, levels }) =>
    levels.flatMap((level) =>
      isPermitted(rpc, level) && !isRejected(rpc, level) ? `${rpc} at ${level}, which cars rejected` : [],
    ),
  );
  return distinct(freed);
}

function restrictionIn({ entry, isDefault, settings }: Entitlement, other: Entitlement): Restriction {
  const own = other.isDefault ? null : other.entry;
  return restrictionOf(entry !== null && isDefault ? defaultEntryFor(entry, own) : entry, settings);
}

export function isWider({ rights, more }: EntitlementChange): boolean {
  return more.length > 0 || rights.some(({ kind }) => kind === "gained");
}

export function isSame({ rights, more, less }: EntitlementChange): boolean {
  return rights.length + more.length + less.length === 0;
}

const difference = (these: ReadonlySet<string>, others: ReadonlySet<string>) =>
  [...these].filter((one) => !others.has(one) && !others.has(all(one.split(": ", 1)[0] ?? "")));

/** Stands for every value of a list. Single values are `name: value`. */
const all = (name: string) => `${name}, every one`;

/** All that an app has apart from RPCs; more texts are more. `isIdentified`: names and types count. */
function extrasOf(
  { entry, permits: permitted, groups }: Entitlement,
  builds: readonly CarBuild[],
  isIdentified: boolean,
): Set<string> {
  if (entry === null) return new Set();
  const canControl = mayControlModules(entry);
  const members = namesOf(entryMembers).flatMap((name) => {
    const row = entryMembers[name];
    if ((isIdentity(row) && !isIdentified) || (name === "moduleType" && !canControl)) return [];
    return distinct(builds.flatMap((build) => rightsOf(name, row, entry[name], build)));
  });
  return new Set([
    "an entry",
    ...members,
    ...servicesOf(entry["app_services"]),
    ...unencrypted(entry, groups, permitted),
    ...(builds.includes("external") ? unasked(groups) : []),
  ]);
}

/** What one member gives in one build, by its row in `head-unit-rules.md` 17. */
function rightsOf(name: string, row: Meaning, value: unknown, build: CarBuild): readonly string[] {
  const { right } = row;
  if (right === null || readValue(row, undefined, build) === "ignored") return [];
  if (right.kind === "flag") return value === true ? [name] : [];
  if (right.kind === "rank") {
    const rank = right.ranks.indexOf(String(value));
    return right.ranks.slice(1, rank < 0 ? undefined : rank + 1).map((one) => `${name} ${one}`);
  }
  return right.kind === "list" ? listOf(name, row, right, value, build) : [];
}

/** Head units drop values that they do not know. A list that ends empty counts as absent, a wrong type as null. */
function listOf(name: string, row: Meaning, right: ListRight, value: unknown, build: CarBuild): readonly string[] {
  const { known, gives, ignoresCase = false } = right;
  const values: readonly unknown[] = Array.isArray(value) ? value : [];
  const kept = values.filter((one) => known === undefined || known.has(one)).map(String);
  const named = (texts: readonly string[]) => texts.map((one) => `${name}: ${ignoresCase ? one.toLowerCase() : one}`);
  if (kept.length > 0) return named(kept.filter((one) => gives?.listed.has(one) ?? true));
  const left = Array.isArray(value) ? (values.length > 0 ? undefined : value) : value === undefined ? value : null;
  const read = readValue(row, left, build);
  if (read === "none" || read === "of default" || read === "refused") return [];
  return gives === undefined ? [all(name)] : named(gives.every);
}

/** Whether an entry's types let the app control modules. Head units refuse it to others, whatever modules are listed. */
export function mayControlModules(entry: unknown): boolean {
  const types = memberOf(entry, "AppHMIType");
  const known = Array.isArray(types) ? types.filter((type) => appHmiTypes.has(type)) : [];
  // Without any that a head unit knows, those that the app registers with count.
  return known.length === 0 || known.includes("REMOTE_CONTROL");
}

function servicesOf(value: unknown): string[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([type, service]) => {
    const { service_names: names, handled_rpcs: rpcs } = isObject(service) ? service : {};
    const ids = Array.isArray(rpcs) ? rpcs.map((rpc: unknown) => (isObject(rpc) ? rpc["function_id"] : rpc)) : [];
    return [
      `service ${type}`,
      ...rightsOf(`service ${type} name`, serviceMembers.service_names, names, "external"),
      // The reserved id stands for none.
      ...ids.filter((id) => id !== 0).map((id) => `service ${type} RPC ${String(id)}`),
    ];
  });
}

/** The RPCs that an app may call unencrypted: all if its entry says so, otherwise those in no encrypted group. */
function unencrypted(entry: JsonObject, groups: Entitlement["groups"], permitted: ByBuild<Permits>): string[] {
  const names = distinct([...permitted.regular.keys(), ...permitted.external.keys()]);
  if (entry["encryption_required"] === false) return names.map((name) => `${name} in the clear`);
  const encrypted = new Set(
    groups.filter((one) => one.isEncrypted).flatMap(({ rpcs }) => rpcs.map(({ name }) => name)),
  );
  return names.filter((name) => !encrypted.has(name)).map((name) => `${name} in the clear`);
}

/** What external head units permit without asking the driver. */
function unasked(groups: readonly PermitGroup[]): string[] {
  return [...permits(groups, "external", new Map())].flatMap(([rpc, levels]) =>
    Object.entries(levels).flatMap(([level, what]) => {
      if (what === "no") return [];
      const asked = `${rpc} at ${level} without asking the driver`;
      return [asked, ...(what === "all" ? [all(asked)] : what.map((one) => `${asked}: ${one}`))];
    }),
  );
}
