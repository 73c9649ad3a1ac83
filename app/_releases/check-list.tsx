"use client";
import { CircleAlert, CircleX, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { usePrinting } from "@/app/_components/hooks/use-printing";
import { cn } from "@/app/_components/ui/cn";
import { Button } from "@/app/_components/ui/button";
import { Link } from "@/app/_components/ui/link";
import { LongList } from "@/app/_releases/long-list";
import type { ReleaseCheckJson } from "@/lib/releases/answer-schema";
import {
  type CheckLevel,
  type ItemKey,
  itemAddress,
  itemText,
  releaseItems,
  titleOf,
} from "@/lib/vocabulary/release-items";
import { capital, formatNumber, plural } from "@/lib/vocabulary/format-number";
import type { Environment } from "@/lib/vocabulary/terms";

export const checkStyles: Readonly<
  Record<CheckLevel, { readonly icon: typeof CircleX; readonly word: string; readonly className: string }>
> = {
  block: { icon: CircleX, word: "Blocks", className: "text-bad" },
  finding: { icon: CircleAlert, word: "Finding", className: "text-bad" },
  warning: { icon: TriangleAlert, word: "Warning", className: "text-warn" },
};
const order: readonly CheckLevel[] = ["block", "finding", "warning"];

type Include = (items: readonly ItemKey[]) => void;

/**
 * The checks of the selected items: blocking ones first, each with its item and a one-step fix (L6). Grouped by rule.
 */
export function CheckList({
  checks,
  environment = "staging",
  onInclude,
}: Readonly<{
  checks: readonly ReleaseCheckJson[];
  /** The environment of the links to items. */
  environment?: Environment;
  /** Adds items that fix a check; without it, nothing can be fixed here. */
  onInclude?: Include;
}>) {
  return (
    <ul className="max-h-96 divide-y divide-line overflow-y-auto text-table">
      {groupChecks(checks).map((same) => (
        <CheckRow key={groupKey(same[0])} same={same} environment={environment} onInclude={onInclude} />
      ))}
    </ul>
  );
}

type SameRule = readonly [ReleaseCheckJson, ...ReleaseCheckJson[]];
const groupKey = ({ level, rule }: ReleaseCheckJson) => `${level} ${rule}`;

function groupChecks(checks: readonly ReleaseCheckJson[]): SameRule[] {
  const groups = new Map<string, [ReleaseCheckJson, ...ReleaseCheckJson[]]>();
  for (const check of order.flatMap((level) => checks.filter((one) => one.level === level))) {
    const known = groups.get(groupKey(check));
    if (known === undefined) groups.set(groupKey(check), [check]);
    else known.push(check);
  }
  return [...groups.values()];
}

/** Number of checks open at first. */
const maxOpen = 3;

function CheckRow({
  same,
  environment,
  onInclude,
}: Readonly<{ same: SameRule; environment: Environment; onInclude: Include | undefined }>) {
  const [first] = same;
  const { icon: Icon, word, className } = checkStyles[first.level];
  const remedies = [
    ...new Map(same.flatMap(({ remedy: one }) => (one ? [[itemText(one), one] as const] : []))).values(),
  ];
  const [remedy] = remedies;
  const isSameText = same.every(({ message }) => message === first.message);
  const [isOpen, setIsOpen] = useState(same.length <= maxOpen);
  const isPrinting = usePrinting();
  return (
    <li className="flex flex-wrap items-start gap-x-2.5 gap-y-1.5 px-4 py-2">
      <Icon aria-hidden="true" className={cn("mt-0.5 size-4 shrink-0", className)} />
      <div className="min-w-0 grow basis-60">
        {same.length === 1 ? (
          <>
            <p>
              <span className={cn("font-semibold", className)}>{word}: </span>
              {first.message}
            </p>
            <CheckItem check={first} environment={environment} withRule />
          </>
        ) : (
          <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
            <summary className="cursor-pointer -outline-offset-2">
              <span className={cn("font-semibold", className)}>{word}: </span>
              {isSameText
                ? `${first.message} (${plural(same.length, "time")})`
                : `${formatNumber(same.length)} × ${first.rule}`}
            </summary>
            {(isOpen || isPrinting) && (
              <LongList
                className="mt-1 space-y-1.5"
                rows={same.map((check, index) => (
                  <li key={index}>
                    {!isSameText && check.message}
                    <CheckItem check={check} environment={environment} />
                  </li>
                ))}
              />
            )}
          </details>
        )}
      </div>
      {remedy !== undefined && onInclude && (
        <Button size="sm" onClick={() => onInclude(remedies)}>
          {remedies.length === 1 ? capital(remedy.sentence) : `Include ${plural(remedies.length, "change")}`}
        </Button>
      )}
    </li>
  );
}

/** The item of a check, as a link to its editor. */
function CheckItem({
  check,
  environment,
  withRule = false,
}: Readonly<{ check: ReleaseCheckJson; environment: Environment; withRule?: boolean }>) {
  const { family, key, title, rule } = check;
  const { noun } = releaseItems[family];
  return (
    <p className="text-xs text-muted">
      {key !== "" && `${capital(noun)} `}
      <Link href={itemAddress(check, environment)} className="wrap-anywhere underline">
        {title ?? titleOf(check)}
      </Link>
      {withRule && ` · ${rule}`}
    </p>
  );
}
