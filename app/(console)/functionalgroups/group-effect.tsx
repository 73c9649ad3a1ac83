import { useEffect, useState } from "react";
import useSWR from "swr";
import { EffectList } from "./effect-list";
import type { toBody } from "./group-form";
import { describeProblem } from "@/app/_components/feedback/problem";
import { Skeleton } from "@/app/_components/ui/skeleton";
import type { EffectAnswer } from "@/lib/content/groups/wire";
import { ask, get } from "@/lib/platform/http/client";

/** Time without a change after which the effect is asked for, in milliseconds. */
const settleMs = 400;

/** What saving a group would do to apps in staging, as it is typed; null: nothing is known yet. */
export function useSaveEffect(body: ReturnType<typeof toBody> | null) {
  const text = body === null ? null : JSON.stringify(body);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    if (text === settled) return;
    const timer = setTimeout(() => {
      setSettled(text);
    }, settleMs);
    return () => {
      clearTimeout(timer);
    };
  }, [text, settled]);
  const { data, error, isValidating } = useSWR<EffectAnswer, unknown>(
    settled === null ? null : ["/api/v1/ui/groups/effect", settled],
    (key: readonly [string, string]) => ask(key) as Promise<EffectAnswer>,
    // Apps change as well: what was true a minute ago is asked for again.
    { keepPreviousData: true, dedupingInterval: 0, revalidateOnReconnect: true, shouldRetryOnError: false },
  );
  return { effect: data ?? null, error, isBehind: isValidating || text !== settled };
}

/** What publishing these groups does to apps in production; asked anew each time, as the plan is. */
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
  const effect = isValidating || error !== undefined ? null : (data ?? null);
  // An effect that cannot be read must not keep anybody from an urgent publication.
  return { effect, error, isBehind: false, isKnown: ids.length === 0 || effect !== null || error !== undefined };
}

/** The effect of a group, or why it is not known. */
export function GroupEffect({
  effect,
  error,
  isBehind,
}: Readonly<{ effect: EffectAnswer | null; error: unknown; isBehind: boolean }>) {
  if (error !== undefined) {
    return <p className="text-table text-muted">The effect on apps is not known. {describeProblem(error)}</p>;
  }
  if (effect === null) return <Skeleton className="h-12" />;
  return (
    <div aria-busy={isBehind} className={isBehind ? "opacity-60" : undefined}>
      <EffectList effect={effect} />
    </div>
  );
}

/** What the chosen groups do to apps, group by group: who gains or loses what, and whether drivers are asked. */
export function GroupEffects({ ids }: Readonly<{ ids: readonly number[] }>) {
  return (
    <section aria-label="Effect by group" className="text-text">
      <GroupEffect {...usePromotionEffect(ids)} />
    </section>
  );
}
