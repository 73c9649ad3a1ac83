import type { ComparisonAnswer, TableChangeJson } from "@/lib/simulator/answer-schema";
import { buildTableText } from "@/lib/simulator/answers/simulate";
import { diffTables, type TableChange } from "@/lib/simulator/answers/table-diff";
import { listPermitChanges } from "@/lib/policy/effect/permit-changes";
import { askBoth, carsOf, readPermitTable } from "@/lib/policy/permits/car";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import { fixedEntryNames } from "@/lib/policy/table/app-policies";
import { carBuilds, type CarBuild } from "@/lib/labels/head-units";
import { distinct } from "@/lib/labels/order";
import { type ItemChange, itemOfTablePart } from "@/lib/labels/release-items";

type Members = ReadonlyMap<string, unknown>;

/** Where an environment's own tables are fetched (rule M3): it says where a table comes from and nothing of what is in it. */
const ownAddress = "endpoints.0x07";

/**
 * Compares what two policies give vehicles (`releases.md` L17): the shared sections and fixed entries, and the entries of
 * some apps.
 *
 * @param apps uuids
 * @param builds those whose cars count for what apps may do
 * @param nameOf what an app is called; null: no stored app has the uuid
 */
export function comparePolicies(
  from: CompiledPolicy,
  to: CompiledPolicy,
  apps: readonly string[],
  nameOf: (uuid: string) => string | null,
  builds: readonly CarBuild[] = carBuilds,
): ComparisonAnswer {
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
      const rights = listPermitChanges(old.permits(before), now.permits(after), builds);
      return { uuid, name: nameOf(uuid), before, after, changes, rights };
    }),
  };
}

/** A table by its members; of `app_policies` the fixed entries, and apart from them those that were asked for. */
function readTable(policy: CompiledPolicy, uuids: readonly string[]) {
  const request = { apps: uuids.map((uuid) => [uuid, {}] as const), fullAppIdSupported: true, isOlder: false };
  const served: unknown = JSON.parse(buildTableText(policy, request));
  const table = membersOf(served);
  const entries = membersOf(table.get("app_policies"));
  const fixed = Object.fromEntries(fixedEntryNames.map((name) => [name, entries.get(name)]));
  const cars = carsOf(readPermitTable(served));
  /** What cars permit to an app with this entry (C1 to C5). */
  const permits = (entry: unknown) => askBoth(cars, groupsOf(entry === "default" ? fixed["default"] : entry));
  return { sections: new Map([...table, ["app_policies", fixed]]), entries, permits };
}

function groupsOf(entry: unknown): readonly string[] {
  const groups = membersOf(entry).get("groups");
  return Array.isArray(groups) ? groups.filter((name: unknown) => typeof name === "string") : [];
}

function membersOf(value: unknown): Members {
  return new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
}

/** Names of vehicle data that somebody edits; the rest is the RPC specification's. */
function listCustomItems(from: CompiledPolicy, to: CompiledPolicy): ReadonlySet<string> {
  const items = [from, to].flatMap(({ snapshot, environment }) => snapshot.vehicleData[environment]);
  return new Set(items.map(({ name }) => name));
}

function toJson({ path, ...change }: TableChange, section: string, custom: ReadonlySet<string>): TableChangeJson {
  return { path: path.join("."), ...change, item: itemOf(section, path, custom) };
}

/** The record that a part of a table comes from. */
function itemOf(section: string, path: readonly string[], custom: ReadonlySet<string>): TableChangeJson["item"] {
  const [first, second = ""] = path;
  if (section !== "vehicle_data") return itemOfTablePart(section, path);
  return first === "schema_items" && custom.has(second) ? { family: "vehicle_data", key: second } : null;
}
