"use client";
import { readItems } from "@/app/(console)/vehicledata/item-api";
import { type ItemForm, toBody, toForm } from "@/app/(console)/vehicledata/item-form";
import { deepEqual } from "@/app/_components/form/deep-equal";
import { findDraft } from "@/app/_components/form/draft-store";
import { rebaseDraft } from "@/app/_components/form/rebase-draft";

/** Names the draft of a stored item. */
export const itemDraftKey = (name: string) => `vehicle-data:${name}`;

/** Names the draft of a new item, or of one that begins as a copy of a record. */
export const newItemDraftKey = (copyOf: number | null) =>
  copyOf === null ? "vehicle-data:new" : `vehicle-data:copy-of-${copyOf}`;

/** Whether two forms are stored as the same item: in the order of names, and without what tells nodes apart. */
export function isSameItem(one: ItemForm, other: ItemForm): boolean {
  return deepEqual(inOrder(toBody(one, 0)), inOrder(toBody(other, 0)));
}

/** Lets drafts of items that were just promoted go on from the promoted versions, which have new ids. */
export async function followPromotion(names: readonly string[]): Promise<void> {
  const drafted = new Set(names.filter((name) => findDraft(itemDraftKey(name)) !== null));
  if (drafted.size === 0) return;
  for (const item of await readItems("staging")) {
    if (item.id === null || item.name === null || !drafted.has(item.name)) continue;
    rebaseDraft(itemDraftKey(item.name), { id: item.id, value: toForm(item) }, isSameItem);
  }
}

/** A body with everything in the order of names, as it is stored. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(inOrder).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inOrder(member)]));
}

const nameOf = (value: unknown) =>
  typeof value === "object" && value !== null && "name" in value && typeof value.name === "string" ? value.name : "";
