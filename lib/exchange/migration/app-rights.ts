/** `exchange.md` X8, `gate.md` W9. Pure. */
import type { Difference } from "@/lib/exchange/migration/compare";
import {
  compareEntitlements,
  type Entitlement,
  type EntitlementChange,
  entitlementKey,
  readEntitlement,
} from "@/lib/policy/effect/entitlement";
import type { RpcChange } from "@/lib/policy/effect/permit-changes";
import { isObject, type JsonObject } from "@/lib/policy/head-unit/values";
import { carsOf, readPermitTable } from "@/lib/policy/permits/car";
import { readCarSettings } from "@/lib/policy/permits/conditions";
import { fixedEntryNames } from "@/lib/policy/table/app-policies";
import { carBuilds, describeOnly } from "@/lib/vocabulary/head-units";
import { distinct } from "@/lib/vocabulary/order";

/** An app, or another entry, whose permissions differ under this server's table. */
export interface AppChange {
  readonly id: string;
  /** Short descriptions of what it may do only under this server's table. */
  readonly more: readonly string[];
  /** Likewise, under the other server's table. */
  readonly less: readonly string[];
  /** The change disappears once members with a known reason are made equal. */
  readonly isExplained: boolean;
}

/** For both builds of head units. `theirs` has entries for the same ids as `ours`. */
export function compareRights(
  theirs: unknown,
  ours: unknown,
  differences: readonly Difference[],
): readonly AppChange[] {
  const [there, here] = [readRights(theirs), readRights(ours)];
  const explained = readRights(withExplained(theirs, ours, differences));
  const known = new Map<string, Omit<AppChange, "id">>();
  return distinct([...there.ids, ...here.ids, ...fixedEntryNames]).flatMap((id) => {
    // Many apps have entries that differ only in names.
    const sides = [there, here, explained];
    const key = `${sides.map((one) => one.isDefault(id)).join()} ${entitlementKey(sides.map((one) => one.sideOf(id)))}`;
    const change = known.get(key) ?? compareApp(there.read(id), here.read(id), explained.read(id));
    known.set(key, change);
    return change.more.length + change.less.length === 0 ? [] : [{ id, ...change }];
  });
}

function compareApp(there: Entitlement, here: Entitlement, explained: Entitlement): Omit<AppChange, "id"> {
  const change = describe(compareEntitlements(there, here, carBuilds));
  const rest = describe(compareEntitlements(explained, here, carBuilds));
  return { ...change, isExplained: rest.more.length + rest.less.length === 0 };
}

function describe({ rights, more, less }: EntitlementChange) {
  const wordsOf = (kind: RpcChange["kind"]) => rights.filter((one) => one.kind === kind).map(describeRpc);
  return { more: [...wordsOf("gained"), ...more], less: [...wordsOf("lost"), ...less] };
}

/** E.g. `GetVehicleData at FULL with gps, speed, in regular head units only` */
function describeRpc({ rpc, levels, parameters, builds }: RpcChange): string {
  const parts = [
    levels.length === 0 ? rpc : `${rpc} at ${levels.join(", ")}`,
    parameters.length === 0 ? "" : `with ${parameters.join(", ").replace("*", "every parameter")}`,
  ];
  const words = parts.filter((part) => part !== "").join(" ");
  const only = describeOnly(builds);
  return only === "" ? words : `${words}, ${only}`;
}

function readRights(table: unknown) {
  const cars = carsOf(readPermitTable(table));
  const entries = memberOf(table, "app_policies");
  const settings = readCarSettings(table);
  const isDefault = (id: string) => entries[id] === "default";
  // Entries without these lists get those of `default`.
  const inherited = pickDefined(memberOf(entries, "default"), ["RequestType", "RequestSubType"]);
  const entryOf = (id: string) => {
    const entry = entries[isDefault(id) ? "default" : id];
    return isObject(entry) ? { ...inherited, ...entry } : null;
  };
  return {
    ids: Object.keys(entries),
    isDefault,
    sideOf: (id: string) => [entryOf(id), settings] as const,
    // Prompts do not count for apps on "default" (C5).
    read: (id: string) =>
      readEntitlement(entryOf(id), cars, settings, { isDefault: isDefault(id), isAsked: !isDefault(id) }),
  };
}

const pickDefined = (from: JsonObject, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (Object.hasOwn(from, name) ? [[name, from[name]]] : [])));

function memberOf(value: unknown, name: string): JsonObject {
  const member = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return isObject(member) ? member : {};
}

/** The other server's table, with this server's value for every member that differs for a known reason. */
function withExplained(theirs: unknown, ours: unknown, differences: readonly Difference[]): unknown {
  const explained = differences.filter(({ reason }) => reason !== null);
  const inSection = (name: string) => explained.filter(({ path: [section] }) => section === name);
  const replace = (section: string) =>
    inSection(section).reduce<unknown>(
      (table, { path: [, ...rest] }) => replaceMember(table, memberOf(ours, section), rest),
      memberOf(theirs, section),
    );
  // Its items are in lists, so it is replaced as a whole or not at all.
  const isKnown = differences.every(({ path: [section], reason }) => reason !== null || section !== "vehicle_data");
  return {
    app_policies: replace("app_policies"),
    functional_groupings: replace("functional_groupings"),
    vehicle_data: memberOf(isKnown ? ours : theirs, "vehicle_data"),
    module_config: replace("module_config"),
    consumer_friendly_messages: replace("consumer_friendly_messages"),
  };
}

/** Removes the member if it is absent in `other`. */
function replaceMember(object: unknown, other: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return other;
  const [own, theirs] = [isObject(object) ? object : {}, isObject(other) ? other : {}];
  const { [name]: member, ...others } = own;
  const replaced = replaceMember(member, theirs[name], rest);
  return replaced === undefined ? others : { ...others, [name]: replaced };
}
