import useSWR from "swr";
import { get } from "@/lib/platform/http/client";
import type { ItemContentJson } from "@/lib/releases/answer-schema";
import { type ItemKey, itemText } from "@/lib/vocabulary/release-items";

type Content = Pick<ItemContentJson, "fields"> & Partial<Pick<ItemContentJson, "table_fields">>;

const readContents = async (path: string) =>
  ((await get(path)) as { readonly items: readonly (ItemKey & Content)[] }).items;

/**
 * What differs in an item: its own, or if these are null, what the route at `path` has (the same for ever if `isFixed`).
 * `content`: null while it is read, and if the route does not have the item any more (`isGone`).
 */
export function useItemContent(
  item: ItemKey & { readonly [member in keyof Content]: Content[member] | null },
  { path, isFixed = false }: { readonly path: string; readonly isFixed?: boolean },
) {
  const options = { revalidateIfStale: !isFixed, revalidateOnFocus: false };
  const { data, error } = useSWR<Awaited<ReturnType<typeof readContents>>, unknown>(
    item.fields === null ? path : null,
    readContents,
    options,
  );
  const read = data?.find((one) => itemText(one) === itemText(item)) ?? null;
  const content: Content | null =
    item.fields === null ? read : { fields: item.fields, table_fields: item.table_fields ?? [] };
  return { content, isGone: data !== undefined && content === null, error: content === null ? error : undefined };
}
