/** Addresses of the review: which items are selected. */
import { itemFamilies, type ItemFamily, type ItemKey, itemText, readItemText } from "@/lib/vocabulary/release-items";

/** A selection in an address: an item, some records of a family by id, or all of a family. */
export type Choice =
  | { readonly item: ItemKey }
  | { readonly family: ItemFamily; readonly ids: readonly number[] }
  | { readonly family: ItemFamily };

export function reviewPath(choices: readonly Choice[]): string {
  const query = new URLSearchParams();
  for (const choice of choices) {
    if ("item" in choice) query.append("items", itemText(choice.item));
    else if ("ids" in choice) query.append("ids", `${choice.family}:${choice.ids.join(",")}`);
    else query.append("items", choice.family);
  }
  const text = query.toString();
  return text === "" ? "/changes" : `/changes?${text}`;
}

type Parameter = string | readonly string[] | undefined;
const listOf = (value: Parameter): readonly string[] =>
  value === undefined ? [] : typeof value === "string" ? [value] : value;

/** Parses what `reviewPath` writes; ignores invalid values. */
export function readChoices(query: { readonly items?: Parameter; readonly ids?: Parameter }): Choice[] {
  const items = listOf(query.items).flatMap((text): Choice[] => {
    const family = itemFamilies.find((name) => name === text);
    if (family !== undefined) return [{ family }];
    const item = readItemText(text);
    return item === null ? [] : [{ item }];
  });
  const ids = listOf(query.ids).flatMap((text): Choice[] => {
    const [family, list = ""] = text.split(":");
    const known = itemFamilies.find((name) => name === family);
    const numbers = list.split(",").filter((one) => /^\d{1,15}$/.test(one));
    return known === undefined || numbers.length === 0 ? [] : [{ family: known, ids: numbers.map(Number) }];
  });
  return [...items, ...ids];
}

/** Keys of the selected items; without a selection, all of them. A selection without matches is empty. */
export function chooseItems(
  items: readonly (ItemKey & { readonly id: number })[],
  choices: readonly Choice[],
): ReadonlySet<string> {
  const isChosen = (item: ItemKey & { readonly id: number }) =>
    choices.some((choice) => {
      if ("item" in choice) return itemText(choice.item) === itemText(item);
      return choice.family === item.family && (!("ids" in choice) || choice.ids.includes(item.id));
    });
  return new Set((choices.length === 0 ? items : items.filter(isChosen)).map(itemText));
}
