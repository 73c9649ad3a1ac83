import { Equal } from "lucide-react";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { Breakable } from "@/app/_components/ui/breakable";
import { cn } from "@/app/_components/ui/cn";
import { Section } from "@/app/_components/ui/section";
import type { ComparisonAnswer, TableChangeJson } from "@/lib/simulator/answer-schema";
import { formatNumber, plural } from "@/lib/labels/format-number";
import type { Environment } from "@/lib/labels/vocabulary";
import { RightChanges, FieldDiff } from "@/app/_releases/field-diff";
import { Link } from "@/app/_components/ui/link";
import { itemAddress, type ItemKey, itemText } from "@/lib/labels/release-items";

const kinds = [
  { name: "added", sign: "+", word: "Added", tone: "text-good" },
  { name: "changed", sign: "~", word: "Changed", tone: "text-warn" },
  { name: "removed", sign: "−", word: "Removed", tone: "text-bad" },
] as const;

interface Compared {
  /** Names of the two tables. */
  readonly names: { readonly from: string; readonly to: string };
  /** The environment in which links open the changed records. */
  readonly environment: Environment;
  readonly isReviewable: boolean;
  /** The address of the comparison with one app's entry. */
  readonly hrefOf: (uuid: string) => string;
}

/** Two tables compared: counts by section, changed apps, then every change (L17, L17a). */
export function Comparison({
  comparison: { sections, apps, changed_apps: changedApps },
  ...compared
}: Readonly<Compared & { comparison: ComparisonAnswer }>) {
  const { from, to } = compared.names;
  const changed = sections.filter(({ changes }) => changes.length > 0);
  const isSame = changed.length === 0 && changedApps.count === 0;
  if (isSame && apps.every(({ changes }) => changes.length === 0)) {
    return (
      <EmptyState icon={Equal} title="The two tables are the same">
        {`${from} and ${to} give vehicles the same, and every app the same permissions.`}
      </EmptyState>
    );
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <Counts sections={sections} />
      <div className="space-y-4">
        <ChangedApps changed={changedApps} hrefOf={compared.hrefOf} />
        {changed.map(({ section, changes }) => (
          <Section key={section} id={section} title={<code className="font-mono text-xs">{section}</code>} flush>
            <ChangeList changes={changes} {...compared} />
          </Section>
        ))}
        {apps.map((app) => (
          <AppChanges key={app.uuid} app={app} {...compared} />
        ))}
      </div>
    </div>
  );
}

/** The apps that change, each with a link to its entry. */
function ChangedApps({
  changed: { count, apps },
  hrefOf,
}: Readonly<Pick<Compared, "hrefOf"> & { changed: ComparisonAnswer["changed_apps"] }>) {
  const rest = count - apps.length;
  const title = count === 0 ? "No app changes" : `${plural(count, "app")} ${count === 1 ? "changes" : "change"}`;
  return (
    <Section title={title} description="All apps with permissions of their own are compared.">
      {count > 0 && (
        <ul className="columns-2xs gap-x-4 text-table">
          {apps.map(({ uuid, name }) => (
            <li key={uuid} className="wrap-anywhere">
              <Link href={hrefOf(uuid)} className="inline-block py-1">
                {name}
              </Link>
            </li>
          ))}
          {rest > 0 && <li className="py-1 text-muted">{`And ${plural(rest, "more app")}`}</li>}
        </ul>
      )}
    </Section>
  );
}

function Counts({ sections }: Readonly<{ sections: ComparisonAnswer["sections"] }>) {
  return (
    <div className="overflow-x-auto rounded-card border border-line bg-surface">
      <table className="w-full text-table">
        <caption className="sr-only">Changes by section</caption>
        <thead className="text-xs text-muted">
          <tr>
            <th scope="col" className="px-4 py-2 text-left font-medium">
              Section
            </th>
            {kinds.map(({ name, sign, word, tone }) => (
              <th key={name} scope="col" className="px-2 py-2 text-right font-medium last:pr-4">
                <span className={cn("font-mono font-semibold", tone)} aria-hidden="true">
                  {sign}
                </span>
                <span className="sr-only">{word}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-t border-line">
          {sections.map((one) => (
            <tr key={one.section}>
              <th scope="row" className="px-4 py-2 text-left font-mono text-xs font-medium">
                {one.changes.length > 0 ? (
                  <a href={`#${one.section}`}>
                    <Breakable text={one.section} />
                  </a>
                ) : (
                  <Breakable text={one.section} />
                )}
              </th>
              {kinds.map(({ name }) => (
                <td
                  key={name}
                  className={cn("px-2 py-2 text-right tabular-nums last:pr-4", one[name] === 0 && "text-muted")}
                >
                  {formatNumber(one[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Differences in one app's entry. */
function AppChanges({
  app: { uuid, name, before, after, changes, rights },
  ...compared
}: Readonly<Compared & { app: ComparisonAnswer["apps"][number] }>) {
  const { from, to } = compared.names;
  const [old, now] = [describeEntry(before), describeEntry(after)];
  const sentence = old === now ? `It has ${now} in both.` : `From ${old} in ${from} to ${now} in ${to}.`;
  return (
    <Section title={`The entry of ${name ?? uuid}`} description={sentence} flush={changes.length > 0}>
      {rights.length > 0 && (
        <div className="py-2 text-table">
          <RightChanges rights={rights} />
        </div>
      )}
      {changes.length === 0 ? (
        <p className="text-table text-muted">
          {rights.length === 0 ? "Nothing changes for this app." : "Its entry stays the same."}
        </p>
      ) : (
        <ChangeList changes={changes} {...compared} />
      )}
    </Section>
  );
}

function describeEntry(entry: unknown): string {
  if (entry === null || entry === undefined) return "nothing";
  return entry === "default" ? "what every app gets" : "permissions of its own";
}

type Line = Pick<TableChangeJson, "path" | "before" | "after">;

interface ChangeGroup {
  readonly title: string;
  /** Null: nothing editable. */
  readonly item: ItemKey | null;
  readonly lines: readonly Line[];
}

/** Maximum number of records listed per section: a table compared with an empty one has thousands. */
const maxListed = 100;

/** The changes of a section by record, each with links to its editor and its review. */
function ChangeList({
  changes,
  environment,
  isReviewable,
}: Readonly<Compared & { changes: readonly TableChangeJson[] }>) {
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

/** Groups changes by the record they come from, in order; the others by the first part of their path. */
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

/** The path below the one in the heading; empty if it is the same. */
function shorten(path: string, title: string): string {
  const within = `.${path}.`;
  const at = within.indexOf(`.${title}.`);
  return at < 0 ? path : within.slice(at + title.length + 2, -1);
}
