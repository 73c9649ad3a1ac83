import { AppError } from "@/lib/platform/errors";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import { quoteItem } from "@/lib/gate/checks/review-case";
import { listStagedChanges, listViewRecords, type StagedChange } from "@/lib/gate/review/changes";
import { itemFamilies, type ItemKey, itemText, type ReviewedItem } from "@/lib/labels/release-items";

/** The items of what waits for its time or for another person, as publications take them. */
export function storedItems({ items }: { readonly items: Iterable<StoredItem> }): ReviewedItem[] {
  return [...items].flatMap(({ family, key, id }) => {
    const known = itemFamilies.find((name) => name === family);
    return known === undefined ? [] : [{ family: known, key, id }];
  });
}
interface StoredItem {
  readonly family: string;
  readonly key: string;
  readonly id: number;
}

/** What a choice comes to. */
export interface Choice {
  readonly changes: readonly StagedChange[];
  /** Items that have another head by now; null: nothing is granted any more. */
  readonly moved: readonly (ItemKey & { readonly id: number | null; readonly reviewedId: number })[];
}

/**
 * Holds a choice against what is staged (rule L8).
 *
 * @param items "all": everything that is staged, as it is
 * @throws AppError 400 for an item that does not exist; 409 for one with nothing to publish, and when nothing is staged
 */
export function chooseItems(state: PolicySnapshot, items: readonly ReviewedItem[] | "all"): Choice {
  const staged = listStagedChanges(state);
  if (items === "all") {
    if (staged.length === 0) throw new AppError("conflict", "Nothing to publish: production equals staging");
    return { changes: staged, moved: [] };
  }
  const byText = new Map(staged.map((change) => [itemText(change), change]));
  const chosen = [...new Map(items.map((item) => [itemText(item), item])).values()];
  const held = chosen.map((item) => ({ item, head: findHead(state, item), change: byText.get(itemText(item)) }));
  const moved = held.flatMap(({ item: { family, key, id }, head }) =>
    head === id ? [] : [{ family, key, id: head, reviewedId: id }],
  );
  const published = held.find(({ item, head, change }) => head === item.id && change?.id !== item.id);
  if (published !== undefined && moved.length === 0) {
    const name = quoteItem(published.item);
    throw new AppError("conflict", `Nothing to publish of ${name}: production has it, or the app is blocked`);
  }
  return { changes: held.flatMap(({ item, change }) => (change?.id === item.id ? [change] : [])), moved };
}

/** The newest record of an item, or granted version of an app; null: none is granted. */
function findHead(state: PolicySnapshot, item: ItemKey): number | null {
  const { family, key } = item;
  if (family === "app") {
    const app = state.apps.byUuid(key.toLowerCase());
    if (app === undefined) throw unknown(item);
    return app.staged?.id ?? null;
  }
  const head = listViewRecords(state, family, "staging").find((record) => record.key === key);
  if (head === undefined) throw unknown(item);
  return head.id;
}

function unknown(item: ItemKey): AppError {
  const name = quoteItem(item);
  return new AppError("invalid", `items names ${name}, which does not exist`);
}
