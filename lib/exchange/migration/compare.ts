/** `exchange.md` X8. Pure. */
import { isDeepStrictEqual } from "node:util";
import type { Loss } from "@/lib/exchange/migration/convert/tables";
import { isSameReading, meaningAt, readValue } from "@/lib/policy/head-unit/meanings";
import { isEmptyList, isObject, memberOf } from "@/lib/policy/head-unit/values";
import { mayControlModules } from "@/lib/policy/effect/entitlement";
import { ownPaths } from "@/lib/policy/table/own-endpoints";
import { carBuilds } from "@/lib/vocabulary/head-units";
import { byCodeUnit, distinct } from "@/lib/vocabulary/order";
import { type Environment, storedEndpoints } from "@/lib/vocabulary/terms";

/** Undefined means absent, which head units distinguish from empty. */
export interface Difference {
  /** Custom vehicle data is identified by name. */
  readonly path: readonly string[];
  readonly there: unknown;
  readonly here: unknown;
  /** Null if no reason is known. */
  readonly reason: string | null;
}

/** Facts about this server that may explain a difference. */
export interface Knowledge {
  readonly environment: Environment;
  readonly publicBaseUrl: string;
  readonly languages: ReadonlySet<string>;
  /** Each loss explains only the member that it names. */
  readonly losses: readonly Loss[];
  /** Blocked here without any stored version of the app. */
  readonly isBlockedWithoutVersion: (id: string) => boolean;
  readonly uuidsOf: (id: string) => readonly string[];
}

interface Found extends Omit<Difference, "reason"> {
  /** The object here with this member. */
  readonly around: unknown;
}

/**
 * Ignores what head units treat alike: the order of lists that are sets, `null` for absent (except of an app), an empty
 * object for no RPCs, the reserved RPC for none, and what `head-unit-rules.md` 17 says. The module certificates are in
 * displayable form.
 */
export function compareTables(theirs: unknown, ours: unknown, known: Knowledge): readonly Difference[] {
  const found = [...findDifferences([], theirs, ours, undefined)].toSorted((a, b) =>
    byCodeUnit(pathText(a.path), pathText(b.path)),
  );
  const byPath = new Map<string, string>();
  for (const loss of known.losses) for (const path of pathsOf(loss)) byPath.set(path, `${loss.what}: ${loss.reason}`);
  const direct = found.map((one) => ({
    ...{ path: one.path, there: one.there, here: one.here },
    reason: explain(one, known, byPath),
  }));
  const groups = new Map(
    direct.flatMap(({ path: [section, name = "", ...rest], there, here, reason }) =>
      section === "functional_groupings" &&
      rest.length === 0 &&
      (there === undefined || here === undefined) &&
      reason !== null
        ? [[name, { reason, isHere: here !== undefined }] as const]
        : [],
    ),
  );
  return direct.map((one) => ({ ...one, reason: one.reason ?? explainGroups(one, groups) }));
}

export const pathText = (path: readonly string[]): string => path.join(".");

function* findDifferences(path: readonly string[], theirs: unknown, ours: unknown, around: unknown): Generator<Found> {
  const row = meaningAt(path);
  if (row !== null && isSameReading(row, theirs, ours)) return;
  const [there, here] = [normalize(path, theirs), normalize(path, ours)];
  if (!isObject(there) || !isObject(here)) {
    // A list by name is an object; an empty one is shown as it was written.
    const [told, own] = [isEmptyList(theirs) ? theirs : there, isEmptyList(ours) ? ours : here];
    if (!isDeepStrictEqual(deeply(path, there), deeply(path, here))) yield { path, there: told, here: own, around };
    return;
  }
  for (const name of distinct([...Object.keys(there), ...Object.keys(here)])) {
    yield* findDifferences([...path, name], ownMember(there, name), ownMember(here, name), here);
  }
}

const ownMember = (object: Readonly<Record<string, unknown>>, name: string) =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Lists whose elements are identified by name. */
const namedLists = new Set(["schema_items", "params"]);

function normalize(path: readonly string[], value: unknown): unknown {
  const name = path.at(-1) ?? "";
  if (value === null) return isAppEntry(path) || isReadNull(path) ? null : undefined;
  if (isObject(value)) return name === "rpcs" && Object.keys(value).length === 0 ? undefined : value;
  if (!Array.isArray(value)) return value;
  const elements: readonly unknown[] = value;
  if (name === "handled_rpcs") return elements.filter((element) => !isReservedRpc(element)).toSorted(byFunctionId);
  if (namedLists.has(name)) return byName(elements) ?? elements;
  const isSet = path[1] !== "endpoints" && elements.every((element) => typeof element === "string");
  return isSet ? distinct(elements.map(String)).toSorted(byCodeUnit) : elements;
}

/** For values that are compared as a whole. */
function deeply(path: readonly string[], value: unknown): unknown {
  const normal = normalize(path, value);
  if (!isObject(normal)) return normal;
  const members = Object.entries(normal).map(([name, member]) => [name, deeply([...path, name], member)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

/** A head unit accepts `null` here, with a meaning of its own. */
function isReadNull(path: readonly string[]): boolean {
  const row = meaningAt(path);
  return row !== null && carBuilds.some((build) => !["refused", "ignored"].includes(readValue(row, null, build) ?? ""));
}

const isAppEntry = (path: readonly string[]) => path.length === 2 && path[0] === "app_policies";
const isReservedRpc = (value: unknown) => isObject(value) && value["function_id"] === 0;
const byFunctionId = (a: unknown, b: unknown) => functionIdOf(a) - functionIdOf(b);
const functionIdOf = (value: unknown) => (isObject(value) ? Number(value["function_id"]) : 0);

/** Null if an element has no name or two share one; the list is then compared as it is. */
function byName(elements: readonly unknown[]): Record<string, unknown> | null {
  const named = new Map(elements.map((element) => [isObject(element) ? element["name"] : undefined, element]));
  const isUsable = named.size === elements.length && [...named.keys()].every((name) => typeof name === "string");
  return isUsable ? Object.fromEntries([...named].map(([name, element]) => [String(name), element])) : null;
}

/** Each for one exact member, independent of losses. */
function explain(found: Found, known: Knowledge, losses: ReadonlyMap<string, string>): string | null {
  const { path, there, here, around } = found;
  const [section, name = ""] = path;
  switch (pathText(path)) {
    case "module_config.endpoints.0x07.default":
      return "the address at which vehicles reach each server";
    case "module_config.preloaded_pt":
      return here === undefined ? "only in tables that are built into head units" : null;
    case "consumer_friendly_messages.version":
      return "each server counts the versions of its messages";
    case "vehicle_data.schema_version":
      return "each server tells when its vehicle data was stored";
  }
  if (isOwnAddress(found, known.publicBaseUrl)) return "an address of each server's own";
  if (isNoParams(found)) return "the same to cars: only a Struct has params";
  if (isEveryModule(found)) {
    return mayControlModules(around)
      ? everyModule
      : "the same to cars: only apps of the type REMOTE_CONTROL use modules";
  }
  if (isClusterMode(found)) return "the other server doesn't know clusterModeStatus, whose response has another name";
  if (isAppEntry(path) && here === null && there === "default" && known.isBlockedWithoutVersion(name)) {
    return "blocked, and no version of it is stored: the other server doesn't know its id";
  }
  if (section === "consumer_friendly_messages" && path.length === 5 && path[3] === "languages") {
    const code = path[4] ?? "";
    if (here === undefined && !known.languages.has(code)) return `no head unit knows the language ${code}`;
    if (here === undefined && isDeepStrictEqual(deeply(path, there), {}))
      return "a language without a text is left out";
  }
  // A lost version leaves an app without its own entry. Other differences of an entry have other reasons.
  if (isAppEntry(path) && here !== "default") return null;
  const paths =
    section === "app_policies" ? known.uuidsOf(name).map((uuid) => [section, uuid, ...path.slice(2)]) : [path];
  return paths.map((one) => losses.get(pathText(one))).find((reason) => reason !== undefined) ?? null;
}

/** E.g. `https://old.example.com/api/v1/queryApps` there, and the same path under the public base URL here. */
function isOwnAddress({ path, there, here }: Found, publicBaseUrl: string): boolean {
  const endpoint = storedEndpoints.find((name) => pathText(path) === `module_config.endpoints.${name}.default`);
  const own = endpoint === undefined ? undefined : ownPaths[endpoint];
  if (own === undefined || !Array.isArray(there) || there.length !== 1) return false;
  return isDeepStrictEqual(here, [`${publicBaseUrl}${own}`]) && String(there[0]).endsWith(own);
}

/** An sdl_server writes an empty list for every item that is no struct. */
function isNoParams({ path, there, here, around }: Found): boolean {
  const isItem = path[0] === "vehicle_data" && path[1] === "schema_items" && path.at(-1) === "params";
  return isItem && here === undefined && isEmptyList(there) && memberOf(around, "type") !== "Struct";
}

/** An sdl_server writes an empty list for every app that requests no module. */
const isEveryModule = ({ path, there, here }: Found) =>
  path.length === 3 &&
  path[0] === "app_policies" &&
  path[2] === "moduleType" &&
  isEmptyList(there) &&
  here === undefined;
const everyModule =
  "the app requests no module: the other server then gives it every one, which is what an empty list means to cars";

const subscriptions = new Set(["SubscribeVehicleData", "UnsubscribeVehicleData"]);

/** `policy-table.md` F5: in `Emergency-1` of the first data, and in any group where it has been selected. */
function isClusterMode({ path, there, here }: Found): boolean {
  const [section, , member, rpc = "", last] = path;
  if (section !== "functional_groupings" || member !== "rpcs" || !subscriptions.has(rpc)) return false;
  if (last !== "parameters" || path.length !== 5 || !Array.isArray(there) || !Array.isArray(here)) return false;
  return isDeepStrictEqual([...there.map(String), "clusterModeStatus"].toSorted(byCodeUnit), here);
}

/** The groups of an entry lack the same groups as the section of groups, or have them under a new name. */
function explainGroups(
  { path, there, here }: Omit<Difference, "reason">,
  groups: ReadonlyMap<string, { readonly reason: string; readonly isHere: boolean }>,
): string | null {
  const isList = path.length === 3 && path[0] === "app_policies" && path[2] === "groups";
  if (!isList || !Array.isArray(there) || !Array.isArray(here)) return null;
  const missing = there.map(String).filter((name) => !here.includes(name));
  const added = here.map(String).filter((name) => !there.includes(name));
  const isKnown = (name: string, isHere: boolean) => groups.get(name)?.isHere === isHere;
  if (missing.some((name) => !isKnown(name, false)) || added.some((name) => !isKnown(name, true))) return null;
  return distinct([...missing, ...added].map((name) => groups.get(name)?.reason)).join("; ");
}

const sections: ReadonlyMap<string, string> = new Map([
  ["group", "functional_groupings"],
  ["message", "consumer_friendly_messages.messages"],
  ["vehicle data", "vehicle_data.schema_items"],
  ["app", "app_policies"],
]);

/** Under the old and the new name. */
function pathsOf(loss: Loss): readonly string[] {
  const { now } = loss;
  return [...placesOf(loss), ...(now === undefined ? [] : placesOf({ ...loss, what: now }))];
}

/** Empty if the loss names no place. */
function placesOf({ table, what, at: named }: Loss): readonly string[] {
  const at = table === "app_hybrid_preference" ? "hybrid_app_preference" : named;
  if (what.startsWith("module config")) return at === undefined ? [] : [`module_config.${at}`];
  const [, kind = "", name = ""] =
    /^(group|message|vehicle data|app) (.+?)(?:, version .*)?(?: \(record \d+\))?$/.exec(what) ?? [];
  const start = sections.get(kind);
  // Of the losses of an app without a place in its entry, only a lost version removes the entry.
  if (kind === "app" && at === undefined && table !== "app_info") return [];
  return start === undefined ? [] : [`${start}.${name}${at === undefined ? "" : `.${at}`}`];
}
