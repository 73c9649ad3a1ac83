import { ask, get } from "@/lib/platform/http/client";
import type { ChangedItemJson, ReleaseCheckJson } from "@/lib/content/releases/answer-schema";
import { itemFamilies, type ItemFamily, type ItemKey, itemText } from "@/lib/labels/release-items";

export const changesPath = "/api/v1/releases/changes";

/** From this many items on, and when something is removed, the question takes a typed word. */
const maxWithoutWord = 10;

/** The items of a review in the order in which they are published: what others need comes first. */
export function groupByFamily(
  items: readonly ChangedItemJson[],
): readonly { readonly family: ItemFamily; readonly items: readonly ChangedItemJson[] }[] {
  return itemFamilies
    .map((family) => ({ family, items: items.filter((item) => item.family === family) }))
    .filter((group) => group.items.length > 0);
}

/** Longer addresses are refused by this server (16 kB), or by a proxy in front of it before. */
const longestAddress = 4_000;

/** The address that tells of some items: checks, effect, and with `uuid` what becomes of one app. For `readReview`. */
export function pathOfChoice(items: readonly ItemKey[], isAll: boolean, uuid?: string): string {
  const query = new URLSearchParams(isAll ? [] : items.map((item): [string, string] => ["items", itemText(item)]));
  const path = uuid === undefined ? changesPath : `${changesPath}/apps/${encodeURIComponent(uuid)}`;
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** Reads an address of `pathOfChoice`; what is chosen goes into the body of the request where the address is too long. */
export function readReview(path: string): Promise<unknown> {
  if (path.length <= longestAddress) return get(path);
  const [route = "", query] = path.split("?");
  return ask([route, JSON.stringify({ items: new URLSearchParams(query).getAll("items") })]);
}

/** Why the items cannot be published as they are chosen; null: they can. */
export function findObstacle(count: number, checks: readonly ReleaseCheckJson[] | null): string | null {
  if (count === 0) return "Choose what to publish";
  if (checks === null) return "Checks are still running";
  const blocks = checks.filter(({ level }) => level === "block").length;
  if (blocks === 0) return null;
  return blocks === 1 ? "A check blocks this. See above" : `${blocks} checks block this. See above`;
}

/** Whether the word must be typed before these items are published. */
export function needsWord(items: readonly Pick<ChangedItemJson, "change">[]): boolean {
  return items.length > maxWithoutWord || items.some(({ change }) => change === "delete");
}
