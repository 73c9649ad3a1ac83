"use client";
import useSWR from "swr";
import { EffectList } from "@/app/(console)/functionalgroups/effect-list";
import { Notice } from "@/app/_components/feedback/notice";
import { describeProblem } from "@/app/_components/feedback/problem";
import { Skeleton } from "@/app/_components/ui/skeleton";
import type { EffectAnswer } from "@/lib/content/groups/answer-schema";
import { get } from "@/lib/platform/http/client";

/** What promoting these groups does to apps in production; asked anew each time, as the plan is. */
export function usePromotionEffect(ids: readonly number[]) {
  const { data, error, isValidating } = useSWR<EffectAnswer, unknown>(
    ids.length === 0 ? null : `/api/v1/ui/groups/promotion/effect?id=${ids.join(",")}`,
    (url: string) => get(url) as Promise<EffectAnswer>,
    {
      dedupingInterval: 0,
      keepPreviousData: false,
      revalidateOnMount: true,
      revalidateOnReconnect: false,
      shouldRetryOnError: false,
    },
  );
  // An answer from before is none: it told of the apps and groups of then.
  const answer = isValidating || error !== undefined ? null : (data ?? null);
  // What cannot be told must not keep anybody from an urgent promotion: then that is said.
  return { answer, error, isKnown: ids.length === 0 || answer !== null || error !== undefined };
}

/** What the chosen groups do to apps, group by group: who gains or loses what, and whether drivers are asked. */
export function GroupEffects({ ids }: Readonly<{ ids: readonly number[] }>) {
  const { answer, error } = usePromotionEffect(ids);
  return (
    <section aria-label="Effect by group" className="text-text">
      {answer !== null && <EffectList effect={answer} />}
      {answer === null && error !== undefined && (
        <Notice title="Not known">Which apps gain or lose what could not be found out. {describeProblem(error)}</Notice>
      )}
      {answer === null && error === undefined && <Skeleton className="h-16" />}
    </section>
  );
}
