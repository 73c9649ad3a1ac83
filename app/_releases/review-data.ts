import type { ChangedItemJson, ReleaseCheckJson } from "@/lib/releases/answer-schema";
import { itemFamilies, type ItemFamily, type ItemKey, itemText } from "@/lib/releases/vocabulary";

export const changesPath = "/api/v1/releases/changes";

/** From this many items on, and when something is removed, the question takes a typed word. */
const mostWithoutWord = 10;

/** The items of a review in the order in which they are published: what others need comes first. */
export function groupByFamily(
  items: readonly ChangedItemJson[],
): readonly { readonly family: ItemFamily; readonly items: readonly ChangedItemJson[] }[] {
  return itemFamilies
    .map((family) => ({ family, items: items.filter((item) => item.family === family) }))
    .filter((group) => group.items.length > 0);
}

/** The route that tells of some items: checks, effect, and with `uuid` what becomes of one app. */
export function pathOfChoice(items: readonly ItemKey[], isAll: boolean, uuid?: string): string {
  const query = new URLSearchParams(isAll ? [] : items.map((item): [string, string] => ["items", itemText(item)]));
  const path = uuid === undefined ? changesPath : `${changesPath}/apps/${encodeURIComponent(uuid)}`;
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** Why the items cannot be published as they are chosen; null: they can. */
export function findObstacle(count: number, checks: readonly ReleaseCheckJson[] | null): string | null {
  if (count === 0) return "Choose what to publish";
  if (checks === null) return "The checks are still running";
  const blocks = checks.filter(({ level }) => level === "block").length;
  if (blocks === 0) return null;
  return blocks === 1 ? "A check forbids it: see above" : `${blocks} checks forbid it: see above`;
}

/** Whether the word must be typed before these items are published. */
export function needsWord(items: readonly Pick<ChangedItemJson, "change">[]): boolean {
  return items.length > mostWithoutWord || items.some(({ change }) => change === "delete");
}
