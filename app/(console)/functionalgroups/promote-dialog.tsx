"use client";
import { useState } from "react";
import useSWR from "swr";
import { PromotionList } from "@/app/(console)/functionalgroups/promotion-list";
import {
  buildPlan,
  describePlan,
  type Finding,
  listPrerequisites,
  needsWord,
  prerequisiteKey,
  readFindings,
} from "@/app/(console)/functionalgroups/promotion-plan";
import { Checkbox } from "@/app/_components/checkbox";
import { ConfirmDialog } from "@/app/_components/confirm-dialog";
import { Notice } from "@/app/_components/notice";
import { describeProblem } from "@/app/_components/problem";
import { showDone } from "@/app/_components/show-toast";
import { Skeleton } from "@/app/_components/skeleton";
import { useAction } from "@/app/_components/use-action";
import type { PromotionAnswer } from "@/lib/groups/answer-schema";
import { ApiError, get } from "@/lib/http/client";

/**
 * Shows what a promotion does and what keeps groups from it, then does it: first the messages and vehicle data that were
 * included, then the groups.
 */
export function PromoteDialog({
  ids,
  onClose,
  onPromoted,
  warning = null,
}: Readonly<{
  /** Null: everything that is not in production. */
  ids: readonly number[] | null;
  onClose: () => void;
  onPromoted?: () => void;
  /** Something to know before. */
  warning?: string | null;
}>) {
  const path = `/api/v1/ui/groups/promotion${ids === null ? "" : `?id=${ids.join(",")}`}`;
  // Asked anew each time: a plan from before the last save would be wrong.
  const { data, error, isValidating } = useSWR<PromotionAnswer, unknown>(
    path,
    (url: string) => get(url) as Promise<PromotionAnswer>,
    { dedupingInterval: 0, keepPreviousData: false, revalidateOnMount: true },
  );
  const [included, setIncluded] = useState<ReadonlySet<string>>(new Set());
  const [findings, setFindings] = useState<readonly Finding[] | null>(null);
  const [isForced, setIsForced] = useState(false);
  const messages = useAction("/api/v1/messages/promote");
  const vehicleData = useAction("/api/v1/vehicle-data/promote");
  const groups = useAction("/api/v1/groups/promote");

  const items = isValidating ? null : (data?.items ?? null);
  const plan = buildPlan(items ?? [], included);
  const words = describePlan(plan);

  async function promote() {
    const done: string[] = [];
    try {
      const force = isForced;
      if (plan.messages.length > 0) {
        await messages.run({ id: plan.messages, force });
        done.push("the messages");
      }
      if (plan.vehicleData.length > 0) {
        await vehicleData.run({ id: plan.vehicleData, force });
        done.push("the vehicle data");
      }
      await groups.run({ id: plan.groups, force });
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 409) setFindings(readFindings(failure.data));
      if (done.length === 0) throw failure;
      // What went before stays in production: it would be wrong to say that nothing had happened.
      const sentence = `Promoted: ${done.join(" and ")}. Not promoted: the groups. ${describeProblem(failure)}`;
      throw failure instanceof ApiError
        ? new ApiError(sentence, failure.status, failure.requestId, failure.data)
        : new Error(sentence);
    }
    showDone(`Promoted ${words} to production`);
    onPromoted?.();
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={items === null || plan.groups.length === 0 ? "Promote to production" : `Promote ${words}?`}
      confirmLabel={isForced ? "Promote anyway" : `Promote ${words}`}
      danger={isForced}
      {...(needsWord(plan) ? { typedWord: "production" } : {})}
      disabledReason={whyNot(items, plan.groups.length, findings !== null && !isForced)}
      onConfirm={promote}
    >
      {warning !== null && <Notice className="text-text">{warning}</Notice>}
      {error !== undefined && <Notice tone="bad">{describeProblem(error)}</Notice>}
      {items === null && error === undefined && <Skeleton className="h-24" />}
      {items !== null && (
        <PromotionList
          items={items}
          plan={plan}
          included={included}
          onInclude={(prerequisite, isIncluded) => {
            const next = new Set(included);
            if (isIncluded) next.add(prerequisiteKey(prerequisite));
            else next.delete(prerequisiteKey(prerequisite));
            setIncluded(next);
            setFindings(null);
            setIsForced(false);
          }}
          onIncludeAll={() => {
            const all = listPrerequisites(items).filter(({ id }) => id !== null);
            setIncluded(new Set(all.map(prerequisiteKey)));
          }}
        />
      )}
      {findings !== null && (
        <div className="space-y-2 rounded-card border border-bad-line bg-bad-soft p-3 text-table text-text">
          <p className="font-semibold">Head units would refuse the whole policy table after this promotion:</p>
          <ul className="list-disc space-y-1 pl-5">
            {findings.map((finding) => (
              <li key={`${finding.path} ${finding.message}`}>
                {finding.message}{" "}
                {finding.path !== "" && <code className="font-mono text-xs break-all text-muted">{finding.path}</code>}
              </li>
            ))}
          </ul>
          <label className="flex items-start gap-2.5 pt-1">
            <Checkbox checked={isForced} onChange={setIsForced} className="mt-0.5" />
            Promote anyway: vehicles keep their old table until this is put right
          </label>
        </div>
      )}
    </ConfirmDialog>
  );
}

function whyNot(items: readonly unknown[] | null, ready: number, isRefused: boolean): string | null {
  if (items === null) return null;
  if (items.length === 0) return "Nothing to promote: production has these groups as they are.";
  if (ready === 0) return "None of these groups can be promoted as things are.";
  return isRefused ? "Decide whether to promote in spite of this." : null;
}
