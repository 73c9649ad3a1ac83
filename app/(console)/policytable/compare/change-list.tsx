import { Link } from "@/app/_components/ui/link";
import { FieldDiff } from "@/app/_releases/field-diff";
import type { TableChangeJson } from "@/lib/simulator/answer-schema";
import { formatNumber } from "@/lib/labels/format-number";
import { itemAddress, type ItemKey, itemText } from "@/lib/labels/release-items";
import type { Environment } from "@/lib/labels/vocabulary";

type Line = Pick<TableChangeJson, "path" | "before" | "after">;

interface ChangeGroup {
  readonly title: string;
  /** Null: nothing that can be edited. */
  readonly item: ItemKey | null;
  readonly lines: readonly Line[];
}

/** So many records of a section are listed; a whole table against none would be thousands. */
const maxListed = 100;

/** The changes of a section, record by record, each record with the way to its editor and to its review. */
export function ChangeList({
  changes,
  environment,
  isReviewable,
}: Readonly<{
  changes: readonly TableChangeJson[];
  environment: Environment;
  isReviewable: boolean;
}>) {
  const groups = groupChanges(changes);
  const rest = groups.length - maxListed;
  return (
    <>
      <ul className="divide-y divide-line text-table">
        {groups.slice(0, maxListed).map(({ title, item, lines }) => (
          <li key={title} className="py-1.5">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-4 pt-1">
              <h3 className="font-mono text-xs font-semibold wrap-anywhere">{title}</h3>
              {item && (
                <span className="flex gap-x-3">
                  <Link href={itemAddress(item, environment)} aria-label={`Open ${title}`}>
                    Open
                  </Link>
                  {isReviewable && (
                    <Link href={`/changes?items=${encodeURIComponent(itemText(item))}`} aria-label={`Review ${title}`}>
                      Review
                    </Link>
                  )}
                </span>
              )}
            </div>
            <FieldDiff fields={lines} empty="" />
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <p className="border-t border-line px-4 py-2.5 text-table text-muted">{`And ${formatNumber(rest)} more.`}</p>
      )}
    </>
  );
}

/** Changes put together by the record that they come from, in their order; the others by the first name of their path. */
export function groupChanges(changes: readonly TableChangeJson[]): ChangeGroup[] {
  const groups = new Map<string, { title: string; item: ItemKey | null; lines: Line[] }>();
  for (const { item, path, before, after } of changes) {
    const first = path.split(".", 1)[0] ?? path;
    const key = item === null || item.key === "" ? `path ${first}` : itemText(item);
    const title = item === null || item.key === "" ? first : item.key;
    const group = groups.get(key) ?? { title, item, lines: [] };
    groups.set(key, group);
    group.lines.push({ before, after, path: shorten(path, title) || "Whole entry" });
  }
  return [...groups.values()];
}

/** The path within what the heading names; empty: all of it. */
function shorten(path: string, title: string): string {
  const within = `.${path}.`;
  const at = within.indexOf(`.${title}.`);
  return at < 0 ? path : within.slice(at + title.length + 2, -1);
}
