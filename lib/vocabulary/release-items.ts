/** The families of items with their names and pages (`releases.md`). Safe in the browser. */
import { namesOf } from "@/lib/vocabulary/members";
import type { Environment } from "@/lib/vocabulary/terms";

export interface ItemDescription {
  readonly noun: string;
  readonly nouns: string;
  readonly heading: string;
  readonly section: string;
  /** Prefixes of its audit targets. */
  readonly targets: readonly string[];
  readonly pathOf: (key: string, environment: Environment) => string;
}

const address = (page: string, values: Readonly<Record<string, string>>) =>
  `${page}?${Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&")}`;

/** In the item order of releases: dependencies come first. */
export const releaseItems = {
  message: {
    noun: "message",
    nouns: "messages",
    heading: "Consumer messages",
    section: "/consumermessages",
    targets: ["message"],
    pathOf: (category, environment) => address("/consumermessages/manage", { category, environment }),
  },
  vehicle_data: {
    noun: "vehicle data item",
    nouns: "vehicle data items",
    heading: "Vehicle data",
    section: "/vehicledata",
    targets: ["vehicle-data"],
    pathOf: (q, environment) => address("/vehicledata", { q, environment }),
  },
  group: {
    noun: "functional group",
    nouns: "functional groups",
    heading: "Functional groups",
    section: "/functionalgroups",
    targets: ["group"],
    pathOf: (name, environment) => address("/functionalgroups/manage", { name, environment }),
  },
  module_config: {
    noun: "module config",
    nouns: "module configs",
    heading: "Module config",
    section: "/moduleconfig",
    targets: ["module_config"],
    pathOf: (_key, environment) => address("/moduleconfig", { environment }),
  },
  app: {
    noun: "app",
    nouns: "apps",
    heading: "Apps in staging",
    section: "/applications",
    targets: ["app", "application"],
    pathOf: (uuid) => `/applications/${encodeURIComponent(uuid)}`,
  },
} as const satisfies Readonly<Record<string, ItemDescription>>;

export type ItemFamily = keyof typeof releaseItems;
export const itemFamilies: readonly ItemFamily[] = namesOf(releaseItems);
/** In publishing order: dependencies first. */
export function groupByFamily<T extends ItemKey>(items: readonly T[]) {
  return itemFamilies
    .map((family) => ({ family, items: items.filter((item) => item.family === family) }))
    .filter((group) => group.items.length > 0);
}

export type RecordItemFamily = Exclude<ItemFamily, "app">;

/** The module config has the key "". */
export interface ItemKey {
  readonly family: ItemFamily;
  readonly key: string;
}

export interface ReviewedItem extends ItemKey {
  readonly id: number;
}

export function itemAddress({ family, key }: ItemKey, environment: Environment): string {
  return releaseItems[family].pathOf(key, environment);
}

/** The item of a part of a policy table, by the names below its section; null for vehicle data. */
export function itemOfTablePart(section: unknown, [first, second]: readonly unknown[]): ItemKey | null {
  if (section === "module_config" || section === "rpc_priority_table") return { family: "module_config", key: "" };
  if (section === "functional_groupings" && typeof first === "string") return { family: "group", key: first };
  const isMessage = section === "consumer_friendly_messages" && first === "messages" && typeof second === "string";
  return isMessage ? { family: "message", key: second } : null;
}

export function titleOf({ family, key }: ItemKey): string {
  return key === "" ? releaseItems[family].heading : key;
}

/** `functional group Location-1` */
export function nameItem({ family, key }: ItemKey): string {
  return `${releaseItems[family].noun} ${key}`.trimEnd();
}

/** `the functional group "Location-1"` */
export function quoteItem({ family, key }: ItemKey): string {
  return `the ${releaseItems[family].noun} ${key === "" ? "" : JSON.stringify(key)}`.trimEnd();
}

export function itemText({ family, key }: ItemKey): string {
  return `${family}:${key}`;
}

/** Reads `group:Location-1`; null: not valid. */
export function readItemText(text: string): ItemKey | null {
  const at = text.indexOf(":");
  const family = itemFamilies.find((name) => name === text.slice(0, at));
  return at < 0 || family === undefined ? null : { family, key: text.slice(at + 1) };
}

/** `group/Location-1`; an empty key becomes `-`. */
export function itemPath({ family, key }: ItemKey): string {
  return `${family}/${encodeURIComponent(key === "" ? "-" : key)}`;
}

/** How production changed (L2). */
export const releaseKinds = ["release", "direct", "return", "import", "first"] as const;
export type ReleaseKind = (typeof releaseKinds)[number];

export const kindLabels: Readonly<Record<ReleaseKind, string>> = {
  release: "Release",
  direct: "Published directly",
  return: "Rollback",
  import: "Import",
  first: "First data",
};

export const itemChanges = ["add", "change", "delete"] as const;
export type ItemChange = (typeof itemChanges)[number];

/** By whether the item exists before and after. */
export function nameChange(wasThere: boolean, isThere: boolean): ItemChange {
  if (!isThere) return "delete";
  return wasThere ? "change" : "add";
}

/** `block` prevents publishing, `finding` needs force and a reason, `warning` only informs (L6). */
export const checkLevels = ["block", "finding", "warning"] as const;
export type CheckLevel = (typeof checkLevels)[number];
