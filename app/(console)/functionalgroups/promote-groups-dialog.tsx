"use client";
import { useState } from "react";
import useSWR from "swr";
import { PromotionList } from "@/app/(console)/functionalgroups/promotion-list";
import {
  buildPlan,
  describePlan,
  findTypedWord,
  listPrerequisites,
  prerequisiteKey,
} from "@/app/(console)/functionalgroups/promotion-plan";
import { PromotionEffect, usePromotionEffect } from "@/app/(console)/functionalgroups/promotion-effect";
import { useGroupPromotion } from "@/app/(console)/functionalgroups/use-group-promotion";
import { useRestore } from "@/app/(console)/functionalgroups/use-restore";
import { Notice } from "@/app/_components/feedback/notice";
import { describeProblem } from "@/app/_components/feedback/problem";
import { showDone, showProblem } from "@/app/_components/feedback/show-toast";
import { Skeleton } from "@/app/_components/ui/skeleton";
import { PromotionQuestion } from "@/app/_records/promotion-question";
import type { PromotionAnswer } from "@/lib/groups/answer-schema";
import { get } from "@/lib/http/client";

/**
 * Shows what a promotion does and what keeps groups from it, then does it: first the messages and vehicle data that were
 * included, then the groups.
 */
export function PromoteGroupsDialog({
  ids,
  onClose,
  onPromoted,
}: Readonly<{
  /** Null: everything that is not in production. */
  ids: readonly number[] | null;
  onClose: () => void;
  onPromoted?: () => void;
}>) {
  const path = `/api/v1/ui/groups/promotion${ids === null ? "" : `?id=${ids.join(",")}`}`;
  // Asked anew each time: a plan from before the last save would be wrong.
  const { data, error, isValidating } = useSWR<PromotionAnswer, unknown>(
    path,
    (url: string) => get(url) as Promise<PromotionAnswer>,
    { dedupingInterval: 0, keepPreviousData: false, revalidateOnMount: true, revalidateOnReconnect: false },
  );
  const [included, setIncluded] = useState<ReadonlySet<string>>(new Set());
  const promoteGroups = useGroupPromotion();
  const answer = isValidating || error !== undefined ? null : (data ?? null);
  const items = answer?.items ?? null;
  const plan = buildPlan(answer ?? nothing, included);
  const words = describePlan(plan);
  const effect = usePromotionEffect(plan.groups);
  const typedWord = findTypedWord(plan, effect.answer);
  const { restore } = useRestore();

  function tell() {
    const [lost, ...others] = (items ?? []).filter(({ id, change, is_empty: isEmpty, production_id: before }) => {
      return plan.groups.includes(id) && before !== null && (change === "deleted" || isEmpty);
    });
    if (lost === undefined || others.length > 0) showDone(`Promoted ${words} to production`);
    else {
      const state = lost.change === "deleted" ? "is removed" : "is empty";
      showDone(`Promoted ${words} to production: ${lost.name} ${state}`, {
        label: "Restore in staging",
        onClick: () => {
          void restore(lost.name, lost.production_id).catch(showProblem);
        },
      });
    }
    onPromoted?.();
  }

  return (
    <PromotionQuestion
      publish={(force) => promoteGroups(plan, force)}
      onPromoted={tell}
      onClose={onClose}
      refused="The groups have not been promoted."
      danger={plan.deletions > 0 || typedWord !== null}
      title={plan.groups.length === 0 ? "Promote to production" : `Promote ${words}?`}
      confirmLabel={plan.groups.length === 0 ? "Promote" : `Promote ${words}`}
      {...(typedWord === null ? {} : { typedWord })}
      disabledReason={whyNot(items, plan.groups.length) ?? (effect.isKnown ? null : " ")}
    >
      {error !== undefined && <Notice tone="bad">{describeProblem(error)}</Notice>}
      {items === null && error === undefined && <Skeleton className="h-24" />}
      {items !== null && (
        <PromotionList
          items={items}
          vehicleData={answer?.vehicle_data ?? []}
          plan={plan}
          included={included}
          onInclude={(prerequisite, isIncluded) => {
            const next = new Set(included);
            if (isIncluded) next.add(prerequisiteKey(prerequisite));
            else next.delete(prerequisiteKey(prerequisite));
            setIncluded(next);
          }}
          onIncludeAll={() => {
            const all = listPrerequisites(items).filter(({ id }) => id !== null);
            setIncluded(new Set(all.map(prerequisiteKey)));
          }}
        />
      )}
      {plan.groups.length > 0 && <PromotionEffect {...effect} />}
    </PromotionQuestion>
  );
}

const nothing: PromotionAnswer = { items: [], vehicle_data: [] };

function whyNot(items: readonly unknown[] | null, ready: number): string | null {
  // Before the plan is there, nothing can be agreed to.
  if (items === null) return " ";
  if (items.length === 0) return "Nothing to promote: production has these groups as they are.";
  return ready === 0 ? "None of these groups can be promoted as things are." : null;
}
