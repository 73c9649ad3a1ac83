import { type ItemKey, itemText } from "@/lib/labels/release-items";
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
    const key = item === null || item.key === "" ? `path ${first}` : itemText(item);
    const title = item === null || item.key === "" ? first : item.key;
    const group = groups.get(key) ?? { title, item, lines: [] };
    groups.set(key, group);
    group.lines.push({ ...line, path: shorten(path, title) });
  }
  return [...groups.values()];
}

/** The path within what the heading names; empty: all of it. */
function shorten(path: string, title: string): string {
  const within = `.${path}.`;
  const at = within.indexOf(`.${title}.`);
  return at < 0 ? path : within.slice(at + title.length + 2, -1);
}
