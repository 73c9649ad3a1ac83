import { type ItemKey, itemText } from "@/lib/releases/vocabulary";
import type { TableChangeJson } from "@/lib/simulator/answer-schema";

type Line = Pick<TableChangeJson, "path" | "change" | "before" | "after">;

/** The changes of one record. */
export interface ChangeGroup {
  readonly title: string;
  /** Null: nothing that can be edited. */
  readonly item: ItemKey | null;
  readonly lines: readonly Line[];
}

/** Changes put together by the record that they come from, in their order; the others by the first name of their path. */
export function groupChanges(changes: readonly TableChangeJson[]): ChangeGroup[] {
  const groups = new Map<string, { title: string; item: ItemKey | null; lines: Line[] }>();
  for (const { item, path, ...line } of changes) {
    const first = path.split(".", 1)[0] ?? path;
    const key = item === null ? `path ${first}` : itemText(item);
    const title = item === null || item.key === "" ? first : item.key;
    const group = groups.get(key) ?? { title, item, lines: [] };
    groups.set(key, group);
    group.lines.push({ ...line, path: shorten(path, title) });
  }
  return [...groups.values()];
}

/** The path within the record that the heading names. */
function shorten(path: string, title: string): string {
  return path.startsWith(`${title}.`) ? path.slice(title.length + 1) : path;
}
