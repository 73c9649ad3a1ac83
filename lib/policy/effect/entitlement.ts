import { listPermitChanges, type RpcChange } from "@/lib/policy/effect/permit-changes";
import { isObject, type JsonObject } from "@/lib/policy/head-unit/values";
import { askBoth, type Car } from "@/lib/policy/permits/car";
import { permits, type Permits, type PermitGroup } from "@/lib/policy/permits/permits";
import type { ByBuild, CarBuild } from "@/lib/labels/head-units";
import { distinct } from "@/lib/labels/order";
import { notificationPriorities } from "@/lib/labels/vocabulary";

/** What head units let an app do (`gate.md` W9). */
export interface Entitlement {
  /** By build, assuming that the driver agrees to every prompt. */
  readonly permits: ByBuild<Permits>;
  /** Its groups as the newest external head units read them. */
  readonly groups: readonly (PermitGroup & { readonly isEncrypted: boolean })[];
  /** Its entry in the table; null: head units refuse every request of the app. */
  readonly entry: JsonObject | null;
}

/**
 * What vehicles let an app with this entry do.
 *
 * @param entry null: the app is refused
 * @param isAsked whether the prompts of its groups count
 */
export function readEntitlement(
  entry: JsonObject | null,
  cars: ByBuild<Car>,
  isEncrypted: (group: string) => boolean,
  isAsked = true,
): Entitlement {
  const names = distinct(Array.isArray(entry?.["groups"]) ? entry["groups"].map(String) : []);
  const groups = names.flatMap((name) => cars.external.groups.get(name) ?? []);
  return {
    entry,
    permits: askBoth(cars, names),
    groups: groups.map((group) => ({
      ...group,
      prompt: isAsked ? group.prompt : null,
      isEncrypted: isEncrypted(group.name),
    })),
  };
}

/** Equal for entries with the same permissions. The entries of many apps differ only in names. */
export function entitlementKey(entry: JsonObject | null): string {
  const { nicknames: _names, AppHMIType: _types, icon_url: _icon, certificate: _certificate, ...rights } = entry ?? {};
  return entry === null ? "-" : JSON.stringify(rights);
}

/** The difference between two entitlements. */
export interface EntitlementChange {
  /** RPCs, levels and parameters that only one of the two permits. */
  readonly rights: readonly RpcChange[];
  /** What else only the later one permits, in words. */
  readonly more: readonly string[];
  /** What else only the earlier one permits, in words. */
  readonly less: readonly string[];
}

/**
 * Compares what head units let an app do. The only place that decides what is more and what is less (`gate.md` W9).
 *
 * @param builds more in any of them counts as more
 */
export function compareEntitlements(
  before: Entitlement,
  after: Entitlement,
  builds: readonly CarBuild[],
): EntitlementChange {
  const [had, has] = [extrasOf(before, builds), extrasOf(after, builds)];
  return {
    rights: listPermitChanges(before.permits, after.permits, builds),
    more: difference(has, had),
    less: difference(had, has),
  };
}

/** Whether an app may do something afterwards that it could not do before. */
export function isWider({ rights, more }: EntitlementChange): boolean {
  return more.length > 0 || rights.some(({ kind }) => kind === "gained");
}

/** Whether both are the same for head units. */
export function isSame({ rights, more, less }: EntitlementChange): boolean {
  return rights.length + more.length + less.length === 0;
}

const difference = (these: ReadonlySet<string>, others: ReadonlySet<string>) =>
  [...these].filter((one) => !others.has(one) && !others.has(all(one.split(": ", 1)[0] ?? "")));

/** Stands for every value of a list. Single values are `name: value`. */
const all = (name: string) => `${name}, every one`;

/** Everything that an app has apart from RPCs, as texts. Equal things have equal texts; more texts mean more permissions. */
function extrasOf({ entry, permits: permitted, groups }: Entitlement, builds: readonly CarBuild[]): Set<string> {
  if (entry === null) return new Set();
  const yes = (name: string) => (entry[name] === true ? [name] : []);
  return new Set([
    "an entry",
    ...["keep_context", "steal_focus", "allow_unknown_rpc_passthrough"].flatMap(yes),
    ...upTo("default_hmi", appHmiLevels, entry["default_hmi"]),
    ...upTo("priority", priorities, entry["priority"]),
    ...listOf("moduleType", entry["moduleType"]),
    ...listOf("RequestType", entry["RequestType"]),
    ...listOf("RequestSubType", entry["RequestSubType"]),
    ...servicesOf(entry["app_services"]),
    ...unencrypted(entry, groups, permitted),
    ...(builds.includes("external") ? unasked(groups) : []),
  ]);
}

const appHmiLevels = ["NONE", "BACKGROUND", "LIMITED", "FULL"];
const priorities = ["NONE", ...notificationPriorities.filter((one) => one !== "NONE").toReversed()];

/** A rank includes those below it. An unknown value has its own rank. */
function upTo(name: string, ranks: readonly string[], value: unknown): string[] {
  const rank = ranks.indexOf(String(value));
  return rank < 0 ? [`${name} ${String(value)}`] : ranks.slice(1, rank + 1).map((one) => `${name} ${one}`);
}

/** To a head unit, an empty list of these means everything and an absent one nothing (`head-unit-rules.md` 4). */
function listOf(name: string, value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.length === 0 ? [all(name)] : value.map((one) => `${name}: ${String(one)}`);
}

function servicesOf(value: unknown): string[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([type, service]) => {
    const { service_names: names, handled_rpcs: rpcs } = isObject(service) ? service : {};
    const ids = Array.isArray(rpcs) ? rpcs.map((rpc: unknown) => (isObject(rpc) ? rpc["function_id"] : rpc)) : [];
    return [
      `service ${type}`,
      ...serviceNames(`service ${type} name`, names),
      // The reserved id stands for none (rule G12).
      ...ids.filter((id) => id !== 0).map((id) => `service ${type} RPC ${String(id)}`),
    ];
  });
}

/** An absent list allows every name, an empty one none: the reverse of the other lists (`head-unit-rules.md` 4). */
function serviceNames(name: string, value: unknown): string[] {
  return Array.isArray(value) ? value.map((one) => `${name}: ${String(one)}`) : [all(name)];
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
