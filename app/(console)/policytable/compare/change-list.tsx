import { Link } from "@/app/_components/ui/link";
import { describeValue } from "@/app/_components/form/describe-value";
import { cn } from "@/app/_components/ui/cn";
import { itemAddress } from "@/lib/labels/release-items";
import type { TableChangeJson } from "@/lib/simulator/answer-schema";
import { formatNumber } from "@/lib/labels/format-number";
import { itemText } from "@/lib/labels/release-items";
import type { Environment } from "@/lib/labels/vocabulary";
import { groupChanges } from "./group-changes";

/** So many records of a section are listed; a whole table against none would be thousands. */
const maxListed = 100;

export const changeLooks = {
  add: { sign: "+", word: "Added", tone: "text-good" },
  change: { sign: "~", word: "Changed", tone: "text-warn" },
  delete: { sign: "−", word: "Removed", tone: "text-bad" },
} as const;

/** The changes of a section, record by record, each record with the way to its editor and to its review. */
export function ChangeList({
  changes,
  environment,
  isReviewable,
}: Readonly<{
  changes: readonly TableChangeJson[];
  /** Where the records are looked at. */
  environment: Environment;
  /** The changes are those that a release would bring. */
  isReviewable: boolean;
}>) {
  const groups = groupChanges(changes);
  const rest = groups.length - maxListed;
  return (
    <>
      <ul className="divide-y divide-line text-table">
        {groups.slice(0, maxListed).map(({ title, item, lines }) => (
          <li key={title} className="px-4 py-2.5">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
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
            <ul className="mt-1 space-y-1">
              {lines.map((line) => (
                <ChangeLine key={line.path} {...line} />
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <p className="border-t border-line px-4 py-2.5 text-table text-muted">{`And ${formatNumber(rest)} more.`}</p>
      )}
    </>
  );
}

function ChangeLine({
  path,
  change,
  before,
  after,
}: Readonly<Pick<TableChangeJson, "path" | "change" | "before" | "after">>) {
  const { sign, word, tone } = changeLooks[change];
  return (
    <li className="flex gap-2">
      <span aria-hidden="true" className={cn("w-3 shrink-0 text-center font-mono font-semibold", tone)}>
        {sign}
      </span>
      <p className="min-w-0">
        <span className={cn("text-xs font-medium", tone)}>{word}</span>
        {path !== "" && <span className="font-mono text-xs wrap-anywhere"> {path}</span>}
        {change !== "add" && (
          <span className="block wrap-anywhere text-muted">
            <span className="text-xs">From: </span>
            <del className="no-underline">{describeValue(before)}</del>
          </span>
        )}
        {change !== "delete" && (
          <span className="block wrap-anywhere">
            <span className="text-xs text-muted">{change === "add" ? "Now: " : "To: "}</span>
            <ins className="no-underline">{describeValue(after)}</ins>
          </span>
        )}
      </p>
    </li>
  );
}
