import { type ReactNode, useState } from "react";
import { Findings } from "@/app/_components/feedback/findings";
import { Notice } from "@/app/_components/feedback/notice";
import { Fold } from "@/app/_components/ui/outline/fold";
import { Section } from "@/app/_components/ui/section";
import { CheckList } from "@/app/_releases/check-list";
import { FieldDiff } from "@/app/_releases/field-diff";
import { ChangeMark, describePlan } from "@/app/_releases/labels";
import type { ImportAnswer } from "@/lib/exchange/answer-schema";
import { capital, formatNumber } from "@/lib/vocabulary/format-number";
import { groupByFamily, itemText, releaseItems, titleOf } from "@/lib/vocabulary/release-items";

/** Decisions about apps take effect without a publication (`gate.md` W8). */
export const hasApps = (items: ImportAnswer["items"]) => items.some(({ family }) => family === "app");

/** Of items per family, checks and messages. */
const maxListed = 100;

export function ImportPlan({
  name,
  plan: { items, left, findings = [], checks = [] },
  children,
}: Readonly<{ name: string; plan: ImportAnswer; children: ReactNode }>) {
  const isEmpty = items.length === 0;
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="font-semibold wrap-anywhere">
          {`${name}: ${isEmpty ? "nothing differs from staging" : describePlan(items)}`}
        </p>
        {!isEmpty && children}
      </div>
      {hasApps(items) && (
        <Notice tone="info">
          Blocks, limits and settings of apps take effect at once. Versions that the file approves go to staging.
        </Notice>
      )}
      {groupByFamily(items).map(({ family, items: own }) => (
        <Section key={family} level={3} title={`${releaseItems[family].heading} (${formatNumber(own.length)})`} flush>
          <ul className="divide-y divide-line">
            {own.slice(0, maxListed).map((item) => (
              <PlannedItem key={itemText(item)} item={item} />
            ))}
            <More count={own.length} />
          </ul>
        </Section>
      ))}
      {left.length > 0 && (
        <Section level={3} title={`Left out (${formatNumber(left.length)})`} flush>
          <ul className="divide-y divide-line text-table">
            {left.slice(0, maxListed).map((sentence, index) => (
              <li key={index} className="px-4 py-2 wrap-anywhere">
                {capital(sentence)}.
              </li>
            ))}
            <More count={left.length} />
          </ul>
        </Section>
      )}
      {findings.length > 0 && (
        <Section level={3} title="Problems head units would report">
          <Findings findings={findings} />
        </Section>
      )}
      {checks.length > 0 && (
        <Section level={3} title="Checks before publishing" flush>
          <CheckList checks={checks.slice(0, maxListed)} />
        </Section>
      )}
    </div>
  );
}

function More({ count }: Readonly<{ count: number }>) {
  if (count <= maxListed) return null;
  return <li className="px-4 py-2 text-table text-muted">{`And ${formatNumber(count - maxListed)} more.`}</li>;
}

function PlannedItem({ item }: Readonly<{ item: ImportAnswer["items"][number] }>) {
  const [isOpen, setIsOpen] = useState(false);
  const { title = titleOf(item), change, fields } = item;
  return (
    <li className="px-4 py-1.5">
      <Fold
        onOpen={() => setIsOpen(true)}
        title={
          <span className="flex flex-wrap items-center gap-x-2 wrap-anywhere">
            <ChangeMark change={change} /> {title}
          </span>
        }
      >
        {isOpen && <FieldDiff fields={fields} empty="No field differs." />}
      </Fold>
    </li>
  );
}
