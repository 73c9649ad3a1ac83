import { useEffect, useState } from "react";
import useSWR from "swr";
import { EffectList } from "./effect-list";
import type { toBody } from "./group-form";
import { describeProblem } from "@/app/_components/feedback/problem";
import { Skeleton } from "@/app/_components/ui/skeleton";
import type { EffectAnswer } from "@/lib/records/groups/wire";
import { ask, get } from "@/lib/platform/http/client";

/** Milliseconds without typing before the effect is requested. */
const settleMs = 400;

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
    // Apps change too: a cached effect may be out of date.
    { keepPreviousData: true, dedupingInterval: 0, revalidateOnReconnect: true, shouldRetryOnError: false },
  );
  return { effect: data ?? null, error, isBehind: isValidating || text !== settled };
}

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
  // A cached effect is about the apps and groups of that time.
  const effect = isValidating || error !== undefined ? null : (data ?? null);
  // A failed preview must not block an urgent publication.
  return { effect, error, isBehind: false, isKnown: ids.length === 0 || effect !== null || error !== undefined };
}

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

export function GroupEffects({ ids }: Readonly<{ ids: readonly number[] }>) {
  return (
    <section aria-label="Effect by group" className="text-text">
      <GroupEffect {...usePromotionEffect(ids)} />
    </section>
  );
}
