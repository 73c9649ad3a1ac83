import type { PolicySnapshot, Views } from "@/lib/policy/table/snapshot";
import type { NewContents } from "@/lib/gate/review/production";
import type { RecordItemFamily } from "@/lib/content/releases/stores";

/**
 * The contents that production gets to be what it was (rule L12), as the policy compiler reads them.
 *
 * @param then a snapshot whose production views are those of then
 * @param keys the items that differ; of one that was not there then production gets a deletion
 */
export function contentsAsOf(
  now: PolicySnapshot,
  then: PolicySnapshot,
  keys: ReadonlyMap<RecordItemFamily, ReadonlySet<string>>,
): NewContents {
  const of = (family: RecordItemFamily) => keys.get(family) ?? new Set<string>();
  return {
    groups: pick(now.groups, then.groups, of("group"), ({ name }) => name),
    messages: pick(now.messages, then.messages, of("message"), ({ category }) => category),
    vehicleData: pick(now.vehicleData, then.vehicleData, of("vehicle_data"), ({ name }) => name),
    moduleConfigs: then.moduleConfigs.production
      .filter(() => of("module_config").size > 0)
      .map((config) => {
        const { certificate, privateKey } = now.moduleConfigs.production[0] ?? config;
        return { ...config, certificate, privateKey };
      }),
    apps: [],
  };
}

function pick<T extends { readonly isDeleted: boolean }>(
  { production: now }: Views<T>,
  { production: then }: Views<T>,
  keys: ReadonlySet<string>,
  keyOf: (record: T) => string,
): T[] {
  const known = new Set(then.map(keyOf));
  const gone = now.filter((record) => !known.has(keyOf(record))).map((record) => ({ ...record, isDeleted: true }));
  return [...then, ...gone].filter((record) => keys.has(keyOf(record)));
}
