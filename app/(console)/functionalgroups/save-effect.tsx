"use client";
import { useEffect, useState } from "react";
import useSWR from "swr";
import { EffectList } from "@/app/(console)/functionalgroups/effect-list";
import type { toBody } from "@/app/(console)/functionalgroups/group-form";
import { describeProblem } from "@/app/_components/feedback/problem";
import { Skeleton } from "@/app/_components/ui/skeleton";
import type { EffectAnswer } from "@/lib/content/groups/answer-schema";
import { ask } from "@/lib/platform/http/client";

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

/** The effect, or why it cannot be told. */
export function SaveEffect({ effect, error, isBehind }: Readonly<ReturnType<typeof useSaveEffect>>) {
  if (effect === null && error === undefined) return <Skeleton className="h-12" />;
  if (error !== undefined) return <p className="text-table text-muted">Not known: {describeProblem(error)}</p>;
  return (
    <div aria-busy={isBehind} className={isBehind ? "opacity-60" : undefined}>
      {effect !== null && <EffectList effect={effect} />}
    </div>
  );
}
