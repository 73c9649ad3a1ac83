import { greatestNameBytes } from "@/lib/records/groups/schema";
import { greatestCategoryBytes } from "@/lib/records/messages/schema";
import { shortenNames } from "@/lib/exchange/migration/convert/limits";
import type { SdlData, SdlRow } from "@/lib/exchange/migration/convert/tables";

type Stamps = Pick<SdlRow<"message_group">, "id" | "status" | "created_ts" | "updated_ts">;

/** Ids, states and times stay the same. */
export const stampsOf = ({ id: _id, status, created_ts: createdAt, updated_ts: updatedAt }: Stamps) => ({
  ...{ _id, status, createdAt, updatedAt },
});

const inOrder = <Row extends { readonly id: number }>(rows: readonly Row[]) => rows.toSorted((a, b) => a.id - b.id);

export function nameGroups({ function_group_info: rows }: Pick<SdlData, "function_group_info">) {
  return shortenNames(
    inOrder(rows).map(({ property_name }) => property_name),
    greatestNameBytes,
  );
}

/** Groups reference messages as prompts. */
export function nameMessages({ message_group, function_group_info }: SdlData) {
  const categories = inOrder(message_group).map(({ message_category }) => message_category);
  const prompts = inOrder(function_group_info).map(({ user_consent_prompt }) => user_consent_prompt ?? "");
  return shortenNames([...categories, ...prompts], greatestCategoryBytes);
}

/** Throws Error with a sentence: nobody here knows the intended name of a record without one. */
export function requireName(name: string, table: string, { id }: { readonly id: number }): void {
  if (name !== "") return;
  throw new Error(`The row with id ${id} of ${table} has no name: name it on the other server, or delete it there`);
}

export const whyRenamed = (what: string, bytes: number, name: string) =>
  `head units take ${what} of at most ${bytes} bytes, and names have no blanks at their ends and nothing invisible: now ${name}`;
