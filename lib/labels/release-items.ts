/**
 * The words of releases (`releases.md`), and the families of their items: what they are called, and where their pages are.
 * One description for lists, sentences and links. Safe in the browser.
 */
import { namesOf } from "@/lib/labels/members";
import type { Environment } from "@/lib/labels/vocabulary";

/** What pages, sentences and the audit trail need to know of a family. */
export interface ItemDescription {
  /** What one is called in a sentence. */
  readonly noun: string;
  readonly nouns: string;
  /** What the list of all is called. */
  readonly heading: string;
  /** The page with the list. */
  readonly section: string;
  /** How the targets of its audit events begin. */
  readonly targets: readonly string[];
  /** The page of one item. */
  readonly pathOf: (key: string, environment: Environment) => string;
}

/** The address of a page with the values in its query. */
const address = (page: string, values: Readonly<Record<string, string>>) =>
  `${page}?${Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&")}`;

/** The families in the order in which a release lists its items: what others need comes first. */
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
/** Families of versioned records; apps are not. */
export type RecordItemFamily = Exclude<ItemFamily, "app">;

/** What an item is known by: its family and, within it, its name, category or uuid; the module config has the key "". */
export interface ItemKey {
  readonly family: ItemFamily;
  readonly key: string;
}

/** An item as somebody has reviewed it: by the id of its record. */
export interface ReviewedItem extends ItemKey {
  readonly id: number;
}

/** Where an item is looked at and edited. */
export function itemAddress({ family, key }: ItemKey, environment: Environment): string {
  return releaseItems[family].pathOf(key, environment);
}

/** The item of a part of a policy table, by the names below its section; null for vehicle data. */
export function itemOfTablePart(section: unknown, [first, second]: readonly unknown[]): ItemKey | null {
  if (section === "module_config") return { family: "module_config", key: "" };
  if (section === "functional_groupings" && typeof first === "string") return { family: "group", key: first };
  const isMessage = section === "consumer_friendly_messages" && first === "messages" && typeof second === "string";
  return isMessage ? { family: "message", key: second } : null;
}

/** What an item is called as a heading. */
export function titleOf({ family, key }: ItemKey): string {
  return key === "" ? releaseItems[family].heading : key;
}

/** An item within a sentence, e.g. `functional group Location-1`. */
export function nameItem({ family, key }: ItemKey): string {
  return `${releaseItems[family].noun} ${key}`.trimEnd();
}

/** An item as it stands in a sentence, e.g. `the functional group "Location-1"`. */
export function quoteItem({ family, key }: ItemKey): string {
  return `the ${releaseItems[family].noun} ${key === "" ? "" : JSON.stringify(key)}`.trimEnd();
}

/** One text for each item, for sets and addresses: `group:Location-1`. */
export function itemText({ family, key }: ItemKey): string {
  return `${family}:${key}`;
}

/** The item that a text is for; null when it is none. */
export function readItemText(text: string): ItemKey | null {
  const at = text.indexOf(":");
  const family = itemFamilies.find((name) => name === text.slice(0, at));
  return at < 0 || family === undefined ? null : { family, key: text.slice(at + 1) };
}

/** The item in the path of a route, e.g. `group/Location-1`; a key that is empty is written `-`. */
export function itemPath({ family, key }: ItemKey): string {
  return `${family}/${encodeURIComponent(key === "" ? "-" : key)}`;
}

/** How production came to change (L2). */
export const releaseKinds = ["release", "direct", "return", "import", "first"] as const;
export type ReleaseKind = (typeof releaseKinds)[number];

export const itemChanges = ["add", "change", "delete"] as const;
export type ItemChange = (typeof itemChanges)[number];

/** What is done to an item that was there or not, and is there afterwards or not; what ends up absent is deleted. */
export function nameChange(wasThere: boolean, isThere: boolean): ItemChange {
  if (!isThere) return "delete";
  return wasThere ? "change" : "add";
}

/** `block` refuses, `finding` needs force and a reason, `warning` informs (L6). */
export const checkLevels = ["block", "finding", "warning"] as const;
export type CheckLevel = (typeof checkLevels)[number];
