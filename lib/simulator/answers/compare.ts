import type { ComparisonAnswer, TableChangeJson } from "@/lib/simulator/answer-schema";
import { buildTableText } from "@/lib/simulator/answers/simulate";
import { listPermitChanges } from "@/lib/policy/effect/permit-changes";
import { isObject } from "@/lib/policy/head-unit/values";
import { askBoth, carsOf, readPermitTable } from "@/lib/policy/permits/car";
import { defaultEntryFor, readCarSettings, restrictionOf } from "@/lib/policy/permits/conditions";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import { fixedEntryNames } from "@/lib/policy/table/app-policies";
import { carBuilds, type CarBuild } from "@/lib/labels/head-units";
import { distinct } from "@/lib/labels/order";
import { type ItemChange, itemOfTablePart } from "@/lib/labels/release-items";

type Members = ReadonlyMap<string, unknown>;

/** The address of an environment's own tables (rule M3). It differs without a difference in content. */
const ownAddress = "endpoints.0x07";

/**
 * Compares what vehicles get from two policies (`releases.md` L17): the shared sections and fixed entries, and the entries
 * of some apps.
 *
 * @param apps uuids
 * @param builds the head-unit builds for comparing permissions
 * @param nameOf the name of an app; null: no stored app has the uuid
 */
export function comparePolicies(
  from: CompiledPolicy,
  to: CompiledPolicy,
  apps: readonly string[],
  nameOf: (uuid: string) => string | null,
  builds: readonly CarBuild[] = carBuilds,
): Omit<ComparisonAnswer, "changed_apps"> {
  const uuids = distinct(apps).filter((uuid) => fixedEntryNames.every((name) => name !== uuid));
  const [old, now] = [readTable(from, uuids), readTable(to, uuids)];
  const custom = listCustomItems(from, to);
  const sections = distinct([...old.sections.keys(), ...now.sections.keys()]).map((section) => {
    const changes = diffTables(old.sections.get(section), now.sections.get(section))
      .map((change) => toJson(change, section, custom))
      .filter(({ path }) => !(section === "module_config" && path.startsWith(ownAddress)));
    const count = (kind: ItemChange) => changes.filter(({ change }) => change === kind).length;
    return { section, added: count("add"), changed: count("change"), removed: count("delete"), changes };
  });
  return {
    sections,
    apps: uuids.map((uuid) => {
      const [before, after] = [old.entries.get(uuid), now.entries.get(uuid)];
      const changes = diffTables(before, after).map((change) => ({
        ...toJson(change, "app_policies", custom),
        item: { family: "app" as const, key: uuid },
      }));
      const rights = listPermitChanges(old.permits(before, after), now.permits(after, before), builds);
      return { uuid, name: nameOf(uuid), before, after, changes, rights };
    }),
  };
}

/** A table by member, with only the fixed entries in `app_policies`, and all its entries. */
function readTable(policy: CompiledPolicy, uuids: readonly string[]) {
  const request = { apps: uuids.map((uuid) => [uuid, {}] as const), fullAppIdSupported: true, isOlder: false };
  const served: unknown = JSON.parse(buildTableText(policy, request));
  const table = membersOf(served);
  const entries = membersOf(table.get("app_policies"));
  const fixed = Object.fromEntries(fixedEntryNames.map((name) => [name, entries.get(name)]));
  const cars = carsOf(readPermitTable(served));
  const settings = readCarSettings(served);
  /** What an app with this entry may do in vehicles (C1 to C5, C16 to C22). */
  const permits = (served: unknown, other: unknown) => {
    const everyApp = fixed["default"];
    const isDefault = served === "default" && isObject(everyApp);
    const entry = isDefault ? defaultEntryFor(everyApp, isObject(other) ? other : null) : served;
    return restrictionOf(isObject(entry) ? entry : null, settings).restrict(askBoth(cars, groupsOf(entry)));
  };
  return { sections: new Map([...table, ["app_policies", fixed]]), entries, permits };
}

function groupsOf(entry: unknown): readonly string[] {
  const groups = membersOf(entry).get("groups");
  return Array.isArray(groups) ? groups.filter((name: unknown) => typeof name === "string") : [];
}

function membersOf(value: unknown): Members {
  return new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
}

/** Names of custom vehicle data, which users can edit; the rest comes from the RPC specification. */
function listCustomItems(from: CompiledPolicy, to: CompiledPolicy): ReadonlySet<string> {
  const items = [from, to].flatMap(({ snapshot, environment }) => snapshot.vehicleData[environment]);
  return new Set(items.map(({ name }) => name));
}

function toJson({ path, ...change }: TableChange, section: string, custom: ReadonlySet<string>): TableChangeJson {
  return { path: path.join("."), ...change, item: itemOf(section, path, custom) };
}

/** The record behind a part of a table. */
function itemOf(section: string, path: readonly string[], custom: ReadonlySet<string>): TableChangeJson["item"] {
  const [first, second = ""] = path;
  if (section !== "vehicle_data") return itemOfTablePart(section, path);
  return first === "schema_items" && custom.has(second) ? { family: "vehicle_data", key: second } : null;
}

/** A difference between two values: its path, and the value on each side; undefined: none. */
interface TableChange {
  readonly path: readonly string[];
  readonly change: ItemChange;
  readonly before: unknown;
  readonly after: unknown;
}

/** Lists in which the order matters. They are compared as a whole. */
const orderedLists: ReadonlySet<string> = new Set(["seconds_between_retries"]);
/** Members that identify the objects in a list. */
const nameMembers = ["name", "function_id"] as const;

/**
 * Lists the differences between two parts of policy tables (`releases.md` L17), in order. Compares objects by key, lists of
 * named objects by name, and other lists as sets and as a whole. Something that is only on one side counts as one change,
 * whatever its size.
 *
 * @param before as from `JSON.parse`; undefined: absent
 * @param after likewise
 */
export function diffTables(before: unknown, after: unknown, path: readonly string[] = []): TableChange[] {
  if (after === undefined) return before === undefined ? [] : [{ path, change: "delete", before, after }];
  if (before === undefined) return [{ path, change: "add", before, after }];
  const [old, now] = [namedParts(before), namedParts(after)];
  if (old !== null && now !== null) {
    const keys = new Set([...old.keys(), ...now.keys()]);
    return [...keys].flatMap((key) => diffTables(old.get(key), now.get(key), [...path, key]));
  }
  const isOrdered = orderedLists.has(path.at(-1) ?? "");
  return textOf(before, isOrdered) === textOf(after, isOrdered) ? [] : [{ path, change: "change", before, after }];
}

/** The parts of an object or of a list of named objects; null for all other values. */
function namedParts(value: unknown): Members | null {
  if (typeof value !== "object" || value === null) return null;
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  const named = value.map((element: unknown) => [elementName(element), element] as const);
  const byName = new Map(named.flatMap(([name, element]) => (name === null ? [] : [[name, element] as const])));
  return byName.size === value.length ? byName : null;
}

function elementName(element: unknown): string | null {
  if (typeof element !== "object" || element === null) return null;
  const members = new Map<string, unknown>(Object.entries(element));
  const name = nameMembers.map((one) => members.get(one)).find((one) => one !== undefined);
  return typeof name === "string" || typeof name === "number" ? String(name) : null;
}

/** Equal for equivalent values. */
function textOf(value: unknown, isOrdered: boolean): string {
  if (!Array.isArray(value) || isOrdered) return JSON.stringify(value);
  return JSON.stringify(value.map((element) => JSON.stringify(element)).toSorted());
}
