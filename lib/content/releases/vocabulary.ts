/** The words of releases (`releases.md`). Safe in the browser. */

/** How production came to change (L2). */
export const releaseKinds = ["release", "direct", "return", "import", "first"] as const;
export type ReleaseKind = (typeof releaseKinds)[number];

/** The families of items, in the order in which a release lists them: what others need comes first. */
export const itemFamilies = ["message", "vehicle_data", "group", "module_config", "app"] as const;
export type ItemFamily = (typeof itemFamilies)[number];

/** What one item of a family is called in a sentence. */
export const itemNouns: Readonly<Record<ItemFamily, string>> = {
  message: "message",
  vehicle_data: "vehicle data item",
  group: "functional group",
  module_config: "module config",
  app: "app",
};

/** What a release does to an item. */
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

/** What an item is known by: its family and, within it, its name, category or uuid; the module config has the key "". */
export interface ItemKey {
  readonly family: ItemFamily;
  readonly key: string;
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
