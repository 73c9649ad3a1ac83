import { type Loss, type SdlTableName, sdlTables } from "@/lib/moving/tables";
import { namesOf, recordOf } from "@/lib/words/members";

/** Rows of the other server's database as its API lets one know them, and what it does not tell. */
export interface Gathered {
  readonly rows: Readonly<Record<SdlTableName, object[]>>;
  readonly losses: Loss[];
}

export function nothingGathered(): Gathered {
  return { rows: recordOf(namesOf(sdlTables), (): object[] => []), losses: [] };
}

/** Elements with the same id once, in the order of their ids. */
export function uniqueById<T extends { readonly id: number }>(elements: readonly T[]): T[] {
  const byId = new Map(elements.map((element) => [element.id, element]));
  return [...byId.values()].sort((a, b) => a.id - b.id);
}
