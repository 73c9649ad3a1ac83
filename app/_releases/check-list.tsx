"use client";
import { CircleAlert, CircleX, TriangleAlert } from "lucide-react";
import { cn } from "@/app/_components/ui/cn";
import { Button } from "@/app/_components/ui/button";
import type { ReleaseCheckJson } from "@/lib/content/releases/answer-schema";
import type { CheckLevel, ItemKey } from "@/lib/labels/release-items";

const looks: Readonly<
  Record<CheckLevel, { readonly icon: typeof CircleX; readonly word: string; readonly className: string }>
> = {
  block: { icon: CircleX, word: "Blocks", className: "text-bad" },
  finding: { icon: CircleAlert, word: "Finding", className: "text-bad" },
  warning: { icon: TriangleAlert, word: "Warning", className: "text-warn" },
};
const order: readonly CheckLevel[] = ["block", "finding", "warning"];

/** What the checks say of a choice: what forbids it first, each with the one step that mends it (L6). */
export function CheckList({
  checks,
  onInclude,
}: Readonly<{
  checks: readonly ReleaseCheckJson[];
  /** Takes an item in that mends a check; without it nothing can be mended here. */
  onInclude?: (item: ItemKey) => void;
}>) {
  const sorted = order.flatMap((level) => checks.filter((check) => check.level === level));
  return (
    <ul className="max-h-80 divide-y divide-line overflow-y-auto text-table">
      {sorted.map((check, index) => {
        const { icon: Icon, word, className } = looks[check.level];
        const { remedy } = check;
        return (
          <li key={index} className="flex flex-wrap items-start gap-x-2.5 gap-y-1.5 px-4 py-2">
            <Icon aria-hidden="true" className={cn("mt-0.5 size-4 shrink-0", className)} />
            <p className="min-w-0 grow basis-60">
              <span className={cn("font-semibold", className)}>{word}: </span>
              {check.message}
            </p>
            {remedy !== null && onInclude && (
              <Button size="sm" onClick={() => onInclude(remedy)}>
                {remedy.sentence.slice(0, 1).toUpperCase() + remedy.sentence.slice(1)}
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
